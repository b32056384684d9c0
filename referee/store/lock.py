"""One writer: the lock that a process holds as long as it may write to a store.

It ends with the process, however that ends, so nothing has to be cleaned up after a kill.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, Engine, text

from referee.store.model import StoreError

if sys.platform != "win32":
    import fcntl

_POSTGRES_CLASS = 0x48415254  # "HART": our number space among a database's advisory locks


class WriterLock(Protocol):
    """A lock that is held from its making until `release`."""

    def release(self) -> None:
        """Let the next writer in."""


class FileLock:
    """An advisory lock on a file beside the store, which names the process that holds it.

    The store's own file must not be used: closing any descriptor of it would drop SQLite's locks. Where the
    platform has no flock, nothing is locked and SQLite alone keeps writers apart, transaction by transaction.
    """

    def __init__(self, store: Path) -> None:
        """Take the lock.

        Raises:
            StoreError: another process holds it.
            OSError: the file cannot be made.
        """
        self._path = Path(f"{store}.lock")
        self._descriptor = self._take(store)

    def _take(self, store: Path) -> int:
        while True:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            if sys.platform != "win32":
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    holder = os.read(descriptor, 20).decode("ascii", "replace").strip()
                    os.close(descriptor)
                    raise StoreError(
                        f"store {str(store)!r} is being written by process {holder or 'unknown'}: "
                        "wait until it ends, or stop it"
                    ) from None
            if self._is_current(descriptor):
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, str(os.getpid()).encode(), 0)
                return descriptor
            os.close(descriptor)  # the former holder removed the file between our opening and locking it

    def _is_current(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), self._path.stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Remove the file and let the next writer in; a second call does nothing."""
        if self._descriptor >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1


class PostgresLock:
    """A session's advisory lock, one per schema, held by a connection of its own."""

    def __init__(self, engine: Engine, shown: str) -> None:
        """Take the lock.

        Raises:
            StoreError: another session holds it.
        """
        self._connection: Connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        statement = text("SELECT pg_try_advisory_lock(:space, hashtext(current_schema()))")
        if not self._connection.execute(statement, {"space": _POSTGRES_CLASS}).scalar_one():
            self._connection.close()
            raise StoreError(f"store {shown!r} is being written by another process: wait until it ends, or stop it")

    def release(self) -> None:
        """Close the session, and with it the lock."""
        self._connection.invalidate()  # back in the pool it would keep the lock
        self._connection.close()
