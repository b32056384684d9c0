"""The content hash of a bot's folder: tells whether two results were played by the same bot.

SHA-256 over the files in the order of their paths; of each: its path, whether it may be executed, and its
bytes, each with its length in front. A symbolic link counts as its target's name. Left out is what a build or
a run makes, which differs between machines for the same source: hidden folders, and the folders and suffixes
named below (`gen` is for code generated from the .proto files). A bot's build should therefore write to one
of these, for instance `build/`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

IGNORED_FOLDERS = frozenset({"__pycache__", "node_modules", "venv", "target", "build", "dist", "out", "obj", "gen"})
IGNORED_SUFFIXES = frozenset({".pyc", ".pyo", ".class", ".o", ".log"})
BYTES_MAX = 1 << 30


class ContentError(ValueError):
    """A folder that cannot be hashed."""


def content_hash(folder: Path) -> str:
    """Return the hash of a folder's own files, in hexadecimal.

    Raises:
        ContentError: a file cannot be read, or they are larger together than `BYTES_MAX`.
    """
    digest = hashlib.sha256(b"hearts/v1/content")
    room = BYTES_MAX
    try:
        for path in _files(folder):
            content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
            room -= len(content)
            if room < 0:
                raise ContentError(
                    f"{folder}: more than {BYTES_MAX} bytes of files; move data that is built to build/"
                )
            name = path.relative_to(folder).as_posix().encode()
            kind = b"l" if path.is_symlink() else b"x" if os.access(path, os.X_OK) else b"f"
            for part in (name, kind, content):
                digest.update(len(part).to_bytes(8, "big"))
                digest.update(part)
    except OSError as error:
        raise ContentError(f"{error.filename}: cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and not entry.is_symlink():
            if entry.name not in IGNORED_FOLDERS and not entry.name.startswith("."):
                yield from _files(entry)
        elif (entry.is_file() or entry.is_symlink()) and entry.suffix not in IGNORED_SUFFIXES:
            yield entry
