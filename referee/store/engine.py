"""Connections to SQLite and PostgreSQL, and their errors said in sentences.

SQLite runs in WAL mode with synchronous=FULL: what was committed survives a power cut, and readers in other
processes never wait for the writer. Transactions are begun here and not by the driver, so that a writer takes its
lock at once (BEGIN IMMEDIATE) instead of failing half-way.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from referee.store.model import DiskError, StoreError, UnreachableError

BUSY_TIMEOUT_MS = 10_000
"""How long SQLite waits for another process's transaction; ours take milliseconds."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a store is: a SQLite file or a PostgreSQL database."""

    url: URL
    path: Path | None  # of the SQLite file

    @property
    def shown(self) -> str:
        """The store's name for messages, without a password."""
        return str(self.path) if self.path else self.url.set(drivername="postgresql").render_as_string()

    @property
    def mending(self) -> str:
        """What to do about damage."""
        if self.path is None:
            return "restore the database from a backup, then resume: what it lacks is played again"
        return "run `hearts tournament repair` on it, which keeps every whole match"


def place_of(url_or_path: str | Path) -> Place:
    """Understand a path, `sqlite:///path` or `postgresql://user@host/database`.

    Raises:
        StoreError: a URL of another database, or one that cannot be read.
    """
    written = str(url_or_path)
    if "://" not in written:
        path = Path(written)
        return Place(URL.create("sqlite", database=str(path.absolute())), path)
    try:
        url = make_url(written)
    except (ArgumentError, ValueError) as error:
        raise StoreError("the store is no URL: write a path or postgresql://user@host/database") from error
    match url.get_backend_name():
        case "sqlite" if url.database:
            path = Path(url.database)
            return Place(URL.create("sqlite", database=str(path.absolute())), path)
        case "postgresql":
            if url.password is not None or "password" in url.query:
                raise StoreError(
                    f"store {_without_password(url)!r} holds a password: leave it out and put it where "
                    "PostgreSQL's own programs look for it, PGPASSWORD or ~/.pgpass, so that nothing can tell it"
                )
            return Place(url.set(drivername="postgresql+psycopg"), None)
        case backend:
            raise StoreError(
                f"store {_without_password(url)!r} asks for {backend!r}: write a path or a postgresql:// URL"
            )


def _without_password(url: URL) -> str:
    return URL.create(url.drivername, url.username, None, url.host, url.port, url.database).render_as_string()


def open_engine(place: Place, *, read_only: bool) -> Engine:
    """An engine for the place; nothing is connected yet, and no SQLite file is ever created by it."""
    if place.path is not None:
        return _sqlite_engine(place.path.absolute(), read_only=read_only)
    try:
        engine = create_engine(place.url, pool_pre_ping=True, isolation_level="REPEATABLE READ")
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise StoreError(
            f"store {place.shown!r} needs the PostgreSQL driver: pip install '.[postgres]' "
            "in a checkout of hearts-arena"
        ) from error
    if read_only:

        @event.listens_for(engine, "begin")
        def _begin_reading(connection: Connection) -> None:
            connection.exec_driver_sql("SET TRANSACTION READ ONLY")

    return engine


def _sqlite_engine(path: Path, *, read_only: bool) -> Engine:
    uri = path.as_uri() + "?mode=rw"
    if read_only and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        uri = path.as_uri() + "?mode=ro"
        if not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists():
            uri += "&immutable=1"  # nobody is writing, and SQLite could not make its shared memory file there

    engine = create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(
            uri, uri=True, timeout=BUSY_TIMEOUT_MS / 1000, isolation_level=None, check_same_thread=False
        ),
        poolclass=QueuePool,
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute(f"PRAGMA query_only={int(read_only)}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get("writing", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def log_ahead(path: Path) -> None:
    """Put a SQLite file in WAL mode, which it then keeps."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")


@contextmanager
def transaction(engine: Engine, *, writing: bool) -> Iterator[Connection]:
    """A connection for one transaction, which ends with the block."""
    with engine.connect().execution_options(writing=writing) as connection, connection.begin():
        yield connection


@contextmanager
def errors_said(place: Place) -> Iterator[None]:
    """Turn a database's error into a StoreError that names the store and says what to do."""
    try:
        yield
    except DBAPIError as error:
        raise _said(place, error.orig or error) from error
    except (sqlite3.Error, OSError) as error:
        raise _said(place, error) from error


def _said(place: Place, error: BaseException) -> StoreError:
    code = _code(error)
    for prefixes, problem in _PROBLEMS:
        if code.startswith(prefixes):
            sentence = f"store {place.shown!r} {problem}".replace("{mending}", place.mending)
            return _KINDS.get(problem, StoreError)(sentence)
    told = " ".join(str(error).split())
    if place.path is None and not code:
        return _connection_said(place, told)
    return StoreError(f"store {place.shown!r} failed: {told} ({code or type(error).__name__})")


def _connection_said(place: Place, told: str) -> StoreError:
    """PostgreSQL's library gives no code for what fails before or beside a statement, but fixed words."""
    for words, problem in _REFUSALS:
        if words in told:
            return StoreError(f"store {place.shown!r} {problem} ({told})")
    return UnreachableError(
        f"store {place.shown!r} cannot be reached: {_QUESTION.sub('', told)}: see that PostgreSQL runs there and "
        "takes connections, then try again"
    )


_QUESTION = re.compile(r"\s*Is the server running\b[^?]*\?")  # libpq's own, which our sentence answers


def _code(error: BaseException) -> str:
    """SQLite's extended error name, PostgreSQL's SQLSTATE or the system's error name, if it has one."""
    if isinstance(error, OSError):
        return errno.errorcode.get(error.errno or 0, "")
    return getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or ""


_FULL = "could not be written because the disk is full; all that was committed is safe: make room, then resume"
_FAILING = (
    "could not be read or written: the disk is full, over quota or failing; all that was committed is safe: "
    "see to the disk, then resume"
)
_DAMAGED = "is damaged: {mending}"
_NO_DATABASE = (
    "is no database: it is another kind of file, or its first page is damaged; try `hearts tournament repair` on it"
)
_READ_ONLY = "may not be written: it, its folder or the database role is read-only; change that, or copy it"
_CANNOT_OPEN = "cannot be opened: check that its folder exists and may be read and written"
_LOCKED = "is locked by another process: wait for it or end it, then try again"
_NO_SCHEMA = "names a schema that does not exist: create it with CREATE SCHEMA, or correct search_path"
_STOPPING = "is shutting down: start PostgreSQL again, then resume"
# By the beginning of the code.
_PROBLEMS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("SQLITE_FULL", "53100", "ENOSPC", "EDQUOT"), _FULL),
    (("SQLITE_IOERR", "EIO", "EFBIG"), _FAILING),
    (("SQLITE_CORRUPT", "XX001", "XX002"), _DAMAGED),
    (("SQLITE_NOTADB",), _NO_DATABASE),
    (("SQLITE_READONLY", "42501", "25006", "EACCES", "EPERM", "EROFS"), _READ_ONLY),
    (("SQLITE_CANTOPEN", "ENOENT", "ENOTDIR", "EEXIST", "EISDIR"), _CANNOT_OPEN),
    (("SQLITE_BUSY", "SQLITE_LOCKED", "55P03"), _LOCKED),
    (("3F000",), _NO_SCHEMA),
    (("57P",), _STOPPING),
)
_KINDS: dict[str, type[StoreError]] = {_FULL: DiskError, _FAILING: DiskError, _STOPPING: UnreachableError}
# By words of libpq, which are those of the server's FATAL messages.
_REFUSALS = (
    ("password authentication failed", "refuses the password: correct PGPASSWORD or ~/.pgpass"),
    ("no password supplied", "wants a password: put it into PGPASSWORD or ~/.pgpass"),
    ("no pg_hba.conf entry", "lets nobody in from here under this name: see its pg_hba.conf"),
    ("does not exist", "names a database or role that does not exist: create it, or correct the URL"),
)
