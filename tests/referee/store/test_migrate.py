"""Migrations and the tables in code are the same, and a store is migrated by opening it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from referee.records import Fault, MatchRecord
from referee.store import Store, migrate
from referee.store.schema import VERSION, metadata


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_migrations_make_the_tables_that_the_code_expects(store: Store) -> None:
    with store._reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})

        assert compare_metadata(context, metadata) == []
        assert migrate.version_of(connection) == VERSION


def test_the_newest_migration_is_the_version_that_the_code_knows() -> None:
    scripts = ScriptDirectory(str(Path(migrate.__file__).parent / "migrations"))
    versions = [script.revision for script in scripts.walk_revisions()]

    assert scripts.get_heads() == [VERSION]
    assert versions == sorted(versions, reverse=True)  # so that newer is greater


def made_in_form(version: str, path: Path) -> None:
    """Make the tables of a store as they were at a version."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
    engine.dispose()


def test_a_store_of_the_first_form_keeps_its_faults_when_it_is_written_on(
    store: Store,
    path: Path,
    tmp_path: Path,
    make_record: Callable[..., MatchRecord],
    make_fault: Callable[..., Fault],
) -> None:
    record, old = make_record(0, faults=(make_fault(1), make_fault(2))), tmp_path / "old.db"
    store.add_matches([record])
    store.close()
    made_in_form("0001", old)
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("ATTACH ? AS new", (str(path),))
        for table in metadata.sorted_tables:
            columns = ", ".join(column.name for column in table.columns)
            connection.execute(f"INSERT INTO {table.name} ({columns}) SELECT {columns} FROM new.{table.name}")
        connection.commit()

    with Store.open(old) as migrated:
        migrated.add_matches([make_record(1, faults=(make_fault(3),))])
        assert [each.bot for each in migrated.faults()] == ["bob", "cid", "dot"]
        assert tuple(each.fault for each in migrated.faults())[:2] == record.faults
        with migrated._reading() as reading:
            context = MigrationContext.configure(reading, opts={"compare_type": True})
            assert compare_metadata(context, metadata) == []


def test_opening_a_store_does_not_import_alembic(store: Store, path: Path) -> None:
    store.close()
    code = "import sys, referee.store as s; s.Store.open(sys.argv[1]).close(); print('alembic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)

    assert (done.stdout.strip(), done.stderr) == ("False", "")
