"""Writes many files as one: all of them whole under their names, or none of them changed."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts into a folder, which is made where it is missing.

    Every text is first written whole, and onto the disk, beside its place; only then are they all put there. A full
    disk or a missing right therefore leaves what was published before.

    Args:
        folder: where they go.
        files: the text of each by its path in the folder, with slashes.

    Raises:
        OSError: it could not be done; `filename` says which file.
    """
    drafts: dict[Path, Path] = {}
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            drafts[path] = path.with_name(f".{path.name}.new")
            _write_through(drafts[path], path, text)
        for path, draft in drafts.items():
            draft.replace(path)
    except BaseException:  # on Ctrl-C, too, no draft may stay behind
        for draft in drafts.values():
            draft.unlink(missing_ok=True)
        raise


def remove_stale(folder: Path, *, keep: set[str], sign: str) -> None:
    """Remove the pages of an earlier publication that are in none of this one.

    Args:
        folder: where the pages are, one deep.
        keep: names that stay.
        sign: only files with this text in them are ours to remove.
    """
    for page in folder.glob("*.html"):
        if page.name not in keep and sign in page.read_text(encoding="utf-8", errors="replace"):
            page.unlink()


def _write_through(draft: Path, path: Path, text: str) -> None:
    """Write and sync; an error names the file that was meant, and is one of a known number where it can be."""
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        number = error.errno or errno.EIO
        raise OSError(number, os.strerror(number), str(path)) from error
