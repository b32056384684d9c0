"""One writer: the lock that a process holds as long as it may write to a store.

It ends with the process, however that ends, so nothing has to be cleaned up after a kill.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from referee.store.model import StoreError

if sys.platform != "win32":
    import fcntl

_POSTGRES_CLASS = 0x48415254  # "HART": our number space among a database's advisory locks
# A reader that asks who writes holds a file's lock for a moment; PostgreSQL needs one to see that a client died.
_PATIENCE_S = 0.2
_POSTGRES_PATIENCE_MS = 3_000
_LOOK_S = 0.02
# A coordinator whose machine is gone does not hold the lock for hours, and one that plays for hours keeps it.
_SESSION = {
    "lock_timeout": str(_POSTGRES_PATIENCE_MS),
    "idle_session_timeout": "0",
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}


class WriterLock(Protocol):
    """A lock that is held from its making until `release`."""

    def ensure(self) -> None:
        """Make sure before a transaction that it is still held.

        Raises:
            StoreError: it was lost, and another process has it.
        """

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
        deadline_s = time.monotonic() + _PATIENCE_S
        while True:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            if sys.platform != "win32":
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    holder = os.read(descriptor, 20).decode("ascii", "replace").strip()
                    os.close(descriptor)
                    if time.monotonic() < deadline_s:
                        time.sleep(_LOOK_S)
                        continue
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

    def ensure(self) -> None:
        """A file's lock is never lost while the process lives."""

    def release(self) -> None:
        """Remove the file and let the next writer in; a second call does nothing."""
        if self._descriptor >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1


def is_file_locked(store: Path) -> bool:
    """Whether a process writes to this store; always False where the platform has no flock."""
    try:
        descriptor = os.open(f"{store}.lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        if sys.platform != "win32":
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


class PostgresLock:
    """A session's advisory lock, one per schema, held by a connection of its own."""

    def __init__(self, engine: Engine, shown: str) -> None:
        """Take the lock.

        Raises:
            StoreError: another session holds it.
        """
        self._engine = engine
        self._shown = shown
        self._connection = self._take()

    def _take(self) -> Connection:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        settings = text("SELECT set_config(name, :value, false) FROM pg_settings WHERE name = :name")
        take = text("SELECT pg_advisory_lock(:space, hashtext(current_schema()))")
        try:
            for name, value in _SESSION.items():  # those that this server has
                connection.execute(settings, {"name": name, "value": value})
            connection.execute(take, {"space": _POSTGRES_CLASS})
        except DBAPIError as error:
            connection.invalidate()
            connection.close()
            if getattr(error.orig, "sqlstate", "") != "55P03":
                raise
            raise StoreError(
                f"store {self._shown!r} is being written by another process: wait until it ends, or stop it"
            ) from error
        return connection

    def ensure(self) -> None:
        """Take the lock again if its session was cut, unless another writer came first."""
        try:
            self._connection.execute(text("SELECT 1"))
        except SQLAlchemyError:
            self._leave()
            self._connection = self._take()

    def release(self) -> None:
        """Give the lock back and close the session; a server sees the end of a session a moment late."""
        with contextlib.suppress(SQLAlchemyError):  # of a session that was cut, with which the lock has gone
            self._connection.execute(text("SELECT pg_advisory_unlock_all()"))
        self._leave()

    def _leave(self) -> None:
        if not self._connection.closed:
            self._connection.invalidate()  # it is not for the pool: its settings are its own
            self._connection.close()


def is_schema_locked(connection: Connection) -> bool:
    """Whether a session writes to the store in the schema of a connection."""
    query = text(
        "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database "
        "WHERE locktype = 'advisory' AND granted AND datname = current_database() "
        "AND classid = :space AND objid = CAST(CAST(hashtext(current_schema()) AS bit(32)) AS bigint)"
    )
    return bool(connection.scalar(query, {"space": _POSTGRES_CLASS}))
