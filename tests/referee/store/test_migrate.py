"""Migrations and the tables in code are the same, and a store is migrated by opening it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

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


def test_opening_a_store_does_not_import_alembic(store: Store, path: Path) -> None:
    store.close()
    code = "import sys, referee.store as s; s.Store.open(sys.argv[1]).close(); print('alembic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)

    assert (done.stdout.strip(), done.stderr) == ("False", "")
