"""What travels with the program beside its code: the sample bots and the protocol's files."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def asset(name: str) -> Path:
    """The folder `sample_bots` or `proto`, from an installed wheel or from a clone.

    Raises:
        FileNotFoundError: the installation is damaged.
    """
    for folder in (_PACKAGE / "data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(2, "No such file or directory", str(_PACKAGE / "data" / name))


def bundled_bots() -> dict[str, Path]:
    """The sample bots in Python by name: they need nothing but the referee's own interpreter."""
    return {
        manifest.parent.name: manifest.parent for manifest in sorted(asset("sample_bots").glob("python/*/bot.toml"))
    }


def bot_folder(path: Path) -> Path:
    """The folder that is meant by an argument: a path, or the name of a bundled bot where there is no such path."""
    if path.exists() or len(path.parts) != 1:
        return path
    return bundled_bots().get(path.name, path)
