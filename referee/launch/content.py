"""The content hash of a bot's folder: tells whether two results were played by the same bot.

SHA-256 over the files in the order of their paths; of each: its path, whether it may be executed, and its
bytes, each with its length in front. A symbolic link counts as its target's name. Left out is what a build or
a run makes, which differs between machines for the same source: hidden folders, and the folders and suffixes
named below (`gen` is for code generated from the .proto files). A bot's build should therefore write to one
of these, for instance `build/`. Files that several bots share lie outside of their folders: they count for each bot
whose manifest names them in `shared`, under the path it gives.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

IGNORED_FOLDERS = frozenset({"__pycache__", "node_modules", "venv", "target", "build", "dist", "out", "obj", "gen"})
IGNORED_SUFFIXES = frozenset({".pyc", ".pyo", ".class", ".o", ".log"})
BYTES_MAX = 1 << 30


class ContentError(ValueError):
    """A folder that cannot be hashed."""


def content_hash(folder: Path, shared: Iterable[str] = ()) -> str:
    """Return the hash of a folder's own files and of the files and folders `shared`, paths from it, in hexadecimal.

    Raises:
        ContentError: a file cannot be read, or they are larger together than `BYTES_MAX`.
    """
    digest = hashlib.sha256(b"hearts/v1/content")
    room = BYTES_MAX
    try:
        for name, path in _named_files(folder, shared):
            content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
            room -= len(content)
            if room < 0:
                raise ContentError(
                    f"{folder}: more than {BYTES_MAX} bytes of files; move data that is built to build/"
                )
            kind = b"l" if path.is_symlink() else b"x" if os.access(path, os.X_OK) else b"f"
            for part in (name.encode(), kind, content):
                digest.update(len(part).to_bytes(8, "big"))
                digest.update(part)
    except OSError as error:
        raise ContentError(f"{error.filename}: cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def _named_files(folder: Path, shared: Iterable[str]) -> Iterator[tuple[str, Path]]:
    for path in _files(folder):
        yield path.relative_to(folder).as_posix(), path
    for place in sorted(set(shared)):
        root = folder / place
        for path in _files(root) if root.is_dir() else [root]:
            yield (Path(place) / path.relative_to(root)).as_posix(), path


def _files(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and not entry.is_symlink():
            if entry.name not in IGNORED_FOLDERS and not entry.name.startswith("."):
                yield from _files(entry)
        elif (entry.is_file() or entry.is_symlink()) and entry.suffix not in IGNORED_SUFFIXES:
            yield entry
