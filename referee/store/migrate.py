"""Bring a store to the form that this version of hearts-arena knows.

Alembic is imported only where there is something to do: opening a current store costs one query.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from referee.store.model import OlderStoreError, StoreError
from referee.store.schema import VERSION


def version_of(connection: Connection) -> str | None:
    """The migration a store stands at, or None where the database is no store."""
    tables = set(inspect(connection).get_table_names())
    if not {"alembic_version", "tournament", "records"} <= tables:
        return None
    version: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return version


def bring_up_to_date(connection: Connection, shown: str, *, read_only: bool) -> None:
    """Check that this is a store that can be read, and migrate an older one.

    Raises:
        StoreError: the database is no store, or one of a newer version.
        OlderStoreError: it is one of an older version, and opened to be read only.
    """
    version = version_of(connection)
    if version is None:
        raise StoreError(
            f"{shown!r} is not a store of Hearts Arena: give the one that `hearts tournament run` made"
        )
    if version > VERSION:
        raise StoreError(
            f"store {shown!r} was written by a newer version (form {version}, this one knows up to {VERSION}): "
            "install a newer hearts-arena; nothing was changed"
        )
    if version < VERSION:
        if read_only:
            raise OlderStoreError(
                f"store {shown!r} was written by an older version (form {version}, now {VERSION}): "
                "open it once for writing, for instance with `hearts tournament resume`"
            )
        upgrade(connection)


def upgrade(connection: Connection) -> None:
    """Run what migrations are missing, in the transaction of this connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
