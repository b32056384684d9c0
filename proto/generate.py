"""Generate the Python code of `proto/hearts` into a folder: `proto/generate.py OUT`.

Messages get `--python_out` and typed stubs; only files with a service get the gRPC halves, since the plug-ins
write empty files for the others.
"""

import sys
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

SOURCE = Path("proto")


def main(out: Path) -> int:
    """Write the stubs of every .proto below `proto/hearts` into `out`; return protoc's exit code."""
    bin_dir = Path(sys.executable).parent
    well_known = str(files("grpc_tools").joinpath("_proto"))
    sources = sorted(SOURCE.glob("hearts/**/*.proto"))
    for source in sources:
        arguments = ["protoc", f"-I{SOURCE}", f"-I{well_known}", f"--python_out={out}"]
        arguments += [f"--plugin=protoc-gen-mypy={bin_dir}/protoc-gen-mypy", f"--mypy_out=quiet:{out}"]
        if source.name.endswith("_service.proto"):
            arguments += [f"--grpc_python_out={out}"]
            arguments += [
                f"--plugin=protoc-gen-mypy_grpc={bin_dir}/protoc-gen-mypy_grpc",
                f"--mypy_grpc_out=quiet:{out}",
            ]
        code = protoc.main([*arguments, str(source.relative_to(SOURCE))])
        if code:
            return int(code)
    for folder in {out / path.relative_to(SOURCE).parent for path in sources}:
        for level in (folder, *folder.parents):
            if level == out:
                break
            (level / "__init__.py").touch()
            (level / "py.typed").touch()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
