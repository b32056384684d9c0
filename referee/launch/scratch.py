"""Temporary folders that do not stay: not even when their owner is killed.

An owner holds a lock on its folder, which the kernel lets go however the owner ends. Whoever makes a folder removes
those whose owners are gone. Where the platform has no flock, a folder whose owner was killed stays.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import TracebackType

if sys.platform != "win32":
    import fcntl

PREFIX = "hearts-"
MARK = ".hearts-scratch"  # tells our folders from others of the same prefix, which are nobody's business


class Scratch:
    """A temporary folder of this process. Use as `with Scratch() as path`, or call `remove`.

    Attributes:
        path: of the folder; short, since a unix socket's path may have 108 bytes only.

    Raises:
        OSError: it cannot be made (at construction).
    """

    def __init__(self) -> None:
        root = Path(tempfile.gettempdir())
        if sys.platform != "win32":
            _sweep(root)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=root))
            self._descriptor = _lock(self.path)
            if self._descriptor is not None:
                break
        (self.path / MARK).touch()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove the folder with all that is in it. Harmless again."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._descriptor is not None and self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _lock(folder: Path) -> int | None:
    """Lock a folder; None where somebody else holds it or has removed it."""
    if sys.platform == "win32":
        return -1
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), folder.stat()):
            return descriptor
    except OSError:
        os.close(descriptor)
        return None
    os.close(descriptor)
    return None


def _sweep(root: Path) -> None:
    """Remove the folders whose owners are gone."""
    for folder in root.glob(f"{PREFIX}*"):
        if not _is_ours(folder):
            continue
        descriptor = _lock(folder)
        if descriptor is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(descriptor)


def _is_ours(folder: Path) -> bool:
    try:
        return (folder / MARK).is_file() and not folder.is_symlink() and folder.stat().st_uid == os.getuid()
    except OSError:  # another user's, or removed meanwhile
        return False
