"""The making of a store, and of the schema that it has to itself in a database of PostgreSQL."""

from __future__ import annotations

import re
from pathlib import Path

from sqlalchemy import Connection, Engine, select, text
from sqlalchemy.exc import ProgrammingError

from referee.store import migrate, schema, writing
from referee.store.engine import Place, errors_said, log_ahead, open_engine, place_of, transaction
from referee.store.model import StoreError, TournamentMeta

SCHEMA_PREFIX = "hearts_"
"""Schemas of our own begin so; the tournament's identity follows."""

_OWN_SCHEMA = re.compile(rf"search_path=({SCHEMA_PREFIX}[0-9a-f]+)$")


def url_with_schema(url: str, identity: str) -> str:
    """The URL of a store in a schema that is named by a tournament's identity, unless it names a schema already.

    Raises:
        StoreError: it cannot be used as the place of a store.
    """
    place = place_of(url)
    found = place.url.normalized_query.get("options", ())
    if place.path is not None or any("search_path" in each for each in found):
        return url
    options = " ".join([*found, f"-csearch_path={SCHEMA_PREFIX}{identity}"])
    return place.url.update_query_dict({"options": options}).render_as_string()


def is_store_of(url: str, identity: str) -> bool:
    """Whether the store of this tournament is there.

    Raises:
        StoreError: it cannot be found out.
    """
    place = place_of(url)
    engine = open_engine(place, read_only=True)
    try:
        with errors_said(place), transaction(engine, writing=False) as connection:
            if migrate.version_of(connection) is None:
                return False
            return identity in connection.scalars(select(schema.tournament.c.tournament)).all()
    finally:
        engine.dispose()


def make_schema(place: Place, engine: Engine) -> None:
    """Make the schema that a PostgreSQL place names, if it is one of ours and not there yet.

    Raises:
        StoreError: the role may not make it.
    """
    name = own_schema(place)
    if name is None:
        return
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        there = text("SELECT 1 FROM pg_namespace WHERE nspname = :name")
        if connection.scalar(there, {"name": name}):
            return
        try:
            connection.execute(text(f'CREATE SCHEMA IF NOT EXISTS "{name}"'))
        except ProgrammingError as error:
            if getattr(error.orig, "sqlstate", "") != "42501":
                raise
            raise StoreError(
                f"store {place.shown!r} needs a schema of its own, which the database role may not make: "
                f"GRANT CREATE ON DATABASE to it, or have CREATE SCHEMA {name} done for it"
            ) from error


def own_schema(place: Place) -> str | None:
    """The schema of a place that `url_with_schema` gave."""
    found = _OWN_SCHEMA.search(str(place.url.query.get("options", "")))
    return found[1] if found else None


def create_file(path: Path, tournament: TournamentMeta) -> None:
    """Make the file under another name first, so that a half-made store is never found under its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    draft.write_bytes(b"")
    place = place_of(draft)
    engine = open_engine(place, read_only=False)
    try:
        fill(place, engine, tournament)
        engine.dispose()
        log_ahead(draft)
        draft.rename(path)
    finally:
        engine.dispose()
        for left in (draft, Path(f"{draft}-journal"), Path(f"{draft}-wal"), Path(f"{draft}-shm")):
            left.unlink(missing_ok=True)


def fill(place: Place, engine: Engine, tournament: TournamentMeta) -> None:
    """Make the tables in an empty database or schema, and say whose they are; all or nothing.

    Raises:
        StoreError: there is a store already.
    """
    with transaction(engine, writing=True) as connection:
        if migrate.version_of(connection) is not None:
            raise StoreError(
                f"store {place.shown!r} exists already: resume it, or choose another database or schema"
            )
        migrate.upgrade(connection)
        writing.add_tournament(connection, tournament)


def drop(place: Place, connection: Connection) -> None:
    """Remove the tables, and the schema if it is one of ours."""
    schema.metadata.drop_all(connection)
    connection.execute(text("DROP TABLE alembic_version"))
    if own := own_schema(place):
        connection.execute(text(f'DROP SCHEMA "{own}"'))
