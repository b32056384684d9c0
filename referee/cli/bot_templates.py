"""New bots, copied from the sample bots: a language is one entry of `LANGUAGES`.

A new folder is what the entry names of the sample project, everything in the project's folder `new/` (tests, editor
hints), the .proto files, a few positions, and a bot.toml and a README written here.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from referee.cli.assets import asset
from referee.launch.manifest import MANIFEST_NAME

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", "node_modules", "build", "target")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How a bot in one language is made from its sample project.

    `files` maps what is in the new folder to what it is in the sample project; folders are copied whole.
    `renames` are texts that stand for the sample's own name in a file.
    """

    title: str
    sample: str  # folder of the project below sample_bots
    files: Mapping[str, str]
    run: tuple[str, ...]
    build: tuple[tuple[str, ...], ...] = ()
    strategy: str  # where the author begins
    test: str  # command
    needs: str
    renames: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


LANGUAGES: Mapping[str, Language] = {
    "python": Language(
        title="Python",
        sample="python",
        files={
            "wire_loop.py": "wire_loop.py",
            "cards.py": "cards.py",
            "requirements.txt": "requirements.txt",
            "gen": "gen",
            ".gitignore": ".gitignore",
            "strategy.py": "duck/strategy.py",
        },
        run=("python", "wire_loop.py"),
        strategy="strategy.py",
        test="python -m unittest",
        needs="Python 3.11 or newer with the packages of requirements.txt; `hearts` brings both along",
    ),
    "typescript": Language(
        title="TypeScript",
        sample="typescript",
        files={
            "src": "src",
            "package.json": "package.json",
            "package-lock.json": "package-lock.json",
            "tsconfig.json": "tsconfig.json",
            ".gitignore": ".gitignore",
        },
        build=(("npm", "ci", "--no-audit", "--no-fund"), ("npm", "run", "build")),
        run=("node", "build/wire_loop.js"),
        strategy="src/strategy.ts",
        test="npm ci && npm run build && npm run check",
        needs="Node 18 or newer with npm",
        renames={"package.json": ("hearts-duck",), "package-lock.json": ("hearts-duck",)},
    ),
    "go": Language(
        title="Go",
        sample="go",
        files={name: name for name in ("wire_loop.go", "connection.go", "strategy.go", "go.mod", "go.sum", "gen")},
        build=(("go", "build", "-buildvcs=false", "-o", "build/bot", "."),),
        run=("build/bot",),
        strategy="strategy.go",
        test="go test",
        needs="Go 1.24 or newer",
        renames={
            "go.mod": ("hearts-duck",),
            "wire_loop.go": ("hearts-duck", "duck-go"),
            "connection.go": ("hearts-duck",),
            "strategy.go": ("hearts-duck",),
            "check_test.go": ("hearts-duck",),
        },
    ),
    "java": Language(
        title="Java",
        sample="java",
        files={"pom.xml": "pom.xml", "src/main": "src/main"},
        build=(("mvn", "--batch-mode", "--quiet", "-Dmaven.test.skip=true", "package"),),
        run=("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-jar", "target/bot.jar"),
        strategy="src/main/java/Strategy.java",
        test="mvn --quiet test",
        needs="a JDK of Java 17 or newer, and Maven",
        renames={"pom.xml": ("hearts-duck",), "src/main/java/WireLoop.java": ("duck-java",)},
    ),
    "rust": Language(
        title="Rust",
        sample="rust",
        files={name: name for name in ("src", "Cargo.toml", "Cargo.lock", "build.rs", "rustfmt.toml")},
        build=(("cargo", "build", "--release", "--locked"),),
        run=("target/release/bot",),
        strategy="src/strategy.rs",
        test="cargo test --release --locked",
        needs="Rust 1.88 or newer with Cargo",
        renames={"Cargo.toml": ("hearts-duck",), "Cargo.lock": ("hearts-duck",), "src/main.rs": ("duck-rust",)},
    ),
    "cpp": Language(
        title="C++",
        sample="cpp",
        files={name: name for name in ("src", "CMakeLists.txt")},
        build=(("cmake", "-S", ".", "-B", "build"), ("cmake", "--build", "build", "--parallel")),
        run=("build/bot",),
        strategy="src/strategy.h",
        test="cmake -S . -B build && cmake --build build --target check && build/check",
        needs="a C++17 compiler, CMake 3.18 or newer, pkg-config, gRPC and Protobuf; on Debian and Ubuntu "
        "`apt-get install g++ cmake pkg-config libgrpc++-dev libprotobuf-dev protobuf-compiler "
        "protobuf-compiler-grpc`",
        renames={"CMakeLists.txt": ("hearts-duck",), "src/wire_loop.cpp": ("duck-cpp",)},
    ),
}


def write_bot(folder: Path, name: str, language: Language) -> None:
    """Write the folder of a new bot.

    Raises:
        OSError: it exists already, or cannot be written.
    """
    sample = asset("sample_bots") / language.sample
    folder.mkdir(parents=True)
    for target, source in language.files.items():
        if (sample / source).is_dir():
            shutil.copytree(sample / source, folder / target, ignore=_LEFT_OUT)
        else:
            shutil.copyfile(sample / source, folder / target)
    shutil.copytree(sample / "new", folder, dirs_exist_ok=True, ignore=_LEFT_OUT)
    shutil.copytree(asset("proto") / "hearts", folder / "proto" / "hearts", ignore=_LEFT_OUT)
    shutil.copyfile(asset("proto") / "README.md", folder / "proto" / "README.md")
    shutil.copyfile(asset("sample_bots") / "positions.json", folder / "positions.json")
    for file, texts in language.renames.items():
        path = folder / file
        content = path.read_text(encoding="utf-8")
        for text in texts:
            content = content.replace(text, name.lower())
        path.write_text(content, encoding="utf-8")
    (folder / MANIFEST_NAME).write_text(_manifest(name, language), encoding="utf-8")
    (folder / "README.md").write_text(_readme(name, folder, language), encoding="utf-8")


def _manifest(name: str, language: Language) -> str:
    build = f"build = {json.dumps(language.build)}\n" if language.build else ""
    return f"""\
name = "{name}"
version = "1.0"    # the bot says it in its hello too
author = ""    # shown in tables; also who owns the bot, unless owner = "..." says otherwise
language = "{language.sample}"
{build}run = {json.dumps(language.run)}
tables_max = 256    # turns that are held at once; 1 for a bot that thinks long about each
"""


def _readme(name: str, folder: Path, language: Language) -> str:
    where = folder.name
    return f"""\
# {name}

A bot in {language.title} for Hearts Arena. It plays like the sample bot `duck` until
`{language.strategy}` is changed.

Needed: {language.needs}.

| file | what it is |
| --- | --- |
| `{language.strategy}` | the strategy: which cards to pass, which card to play, what to do with a moon |
| `{MANIFEST_NAME}` | the bot's name, how it is built and how it is run |
| `positions.json` | positions that the tests ask the strategy about; add your own |
| [`proto/README.md`](proto/README.md) | the protocol: one turn, clocks, faults, a deal from first to last message |
| `proto/hearts/` | its definition, from which code is generated |

The other files are the wire loop and what it needs; they know nothing of Hearts.

From the folder above this one:

    hearts check {where} --quick             what is wrong with it, in words
    hearts play {where} duck low random      a match against three sample bots
    hearts connect {where} --to HOST:PORT --token TOKEN     play for a referee elsewhere

Tests, in this folder: `{language.test}`

Always answer with cards of `turn.legal`: then no rule of any rule set can be broken. A turn carries
all that its seat may know, so nothing need be remembered between turns, and the bot can be killed and
restarted in the middle of a match. Draw randomness from `turn.turn_seed` only: then a match can be
played again exactly.
"""
