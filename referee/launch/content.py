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
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

IGNORED_FOLDERS = frozenset({"__pycache__", "node_modules", "venv", "target", "build", "dist", "out", "obj", "gen"})
IGNORED_SUFFIXES = frozenset({".pyc", ".pyo", ".class", ".o", ".log"})
BYTES_MAX = 1 << 30
FILES_MAX = 100_000
_CHUNK_BYTES = 1 << 20


class ContentError(ValueError):
    """A folder that cannot be hashed."""


def content_hash(folder: Path, shared: Iterable[str] = ()) -> str:
    """Return the hash of a folder's own files and of the files and folders `shared`, paths from it, in hexadecimal.

    Raises:
        ContentError: something is no file or cannot be read, or the files are more than `FILES_MAX` or larger
            together than `BYTES_MAX`. It is said before any file is read.
    """
    digest = hashlib.sha256(b"hearts/v1/content")
    try:
        for name, path, status in _measured(folder, _named_files(folder, shared)):
            _add(digest, os.fsencode(name), path, status)
    except OSError as error:
        raise ContentError(f"{error.filename}: cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def _measured(folder: Path, named: Iterable[tuple[str, Path]]) -> list[tuple[str, Path, os.stat_result]]:
    """Look at every file before one is read: whoever wrote the manifest may point it at anything."""
    found: list[tuple[str, Path, os.stat_result]] = []
    room = BYTES_MAX
    for name, path in named:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) and not stat.S_ISLNK(status.st_mode):
            raise ContentError(f"{path}: is neither a file nor a folder, so it cannot belong to a bot")
        room -= status.st_size
        if room < 0:
            raise ContentError(f"{folder}: more than {BYTES_MAX} bytes of files; move data that is built to build/")
        found.append((name, path, status))
        if len(found) > FILES_MAX:
            raise ContentError(f"{folder}: more than {FILES_MAX} files; move what is built to build/")
    return found


def _add(digest: hashlib._Hash, name: bytes, path: Path, status: os.stat_result) -> None:
    """Add a file: path, kind and content, each with its length in front."""

    def begin(size: int) -> None:
        digest.update(size.to_bytes(8, "big"))

    is_link = stat.S_ISLNK(status.st_mode)
    for part in (name, b"l" if is_link else b"x" if os.access(path, os.X_OK) else b"f"):
        begin(len(part))
        digest.update(part)
    if is_link:
        target = os.fsencode(path.readlink())
        begin(len(target))
        digest.update(target)
        return
    begin(status.st_size)
    left = status.st_size
    with path.open("rb") as file:
        while left:
            chunk = file.read(min(left, _CHUNK_BYTES))
            if not chunk:
                raise ContentError(f"{path}: became shorter while it was read: give the command again")
            digest.update(chunk)
            left -= len(chunk)


def _named_files(folder: Path, shared: Iterable[str]) -> Iterator[tuple[str, Path]]:
    for path in _files(folder):
        yield path.relative_to(folder).as_posix(), path
    for place in sorted(set(shared)):
        root = folder / place
        for path in _files(root) if root.is_dir() else [root]:
            yield (Path(place) / path.relative_to(root)).as_posix(), path


def _files(folder: Path) -> Iterator[Path]:
    """Walk the files below a folder in the order of their paths, however deep it is."""
    entries = sorted(folder.iterdir(), reverse=True)
    while entries:
        entry = entries.pop()
        if entry.is_dir() and not entry.is_symlink():
            if entry.name not in IGNORED_FOLDERS and not entry.name.startswith("."):
                entries += sorted(entry.iterdir(), reverse=True)
        elif (entry.is_file() or entry.is_symlink()) and entry.suffix not in IGNORED_SUFFIXES:
            yield entry
