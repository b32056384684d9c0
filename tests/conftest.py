"""A private server of PostgreSQL, for whatever keeps a store in one."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def postgres_folder() -> Iterator[Path]:
    """A PostgreSQL server of our own that listens on a socket in this folder."""
    pytest.importorskip("psycopg", reason="no PostgreSQL driver: pip install '.[postgres]'")
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if not programs:
        pytest.skip("no PostgreSQL server: apt-get install postgresql")
    programs_folder = programs[-1].parent
    folder = Path(
        tempfile.mkdtemp(prefix="hearts-pg-", dir="/tmp")
    )  # a socket's path is short, and readable to all
    account = "postgres" if os.getuid() == 0 else None  # PostgreSQL refuses to run as root
    if account:
        shutil.chown(folder, account, account)

    def run(*command: str) -> None:
        program = str(programs_folder / command[0])
        done = subprocess.run(
            [program, *command[1:]],
            cwd=folder,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            user=account,
            group=account,
        )
        assert done.returncode == 0, done.stderr

    data = str(folder / "data")
    try:
        run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        access = folder / "data/pg_hba.conf"
        access.write_text("local all guarded scram-sha-256\n" + access.read_text())
        settings = f"-k {folder} -c listen_addresses='' -c fsync=off -c max_connections=40"
        run("pg_ctl", "-D", data, "-l", str(folder / "log"), "-w", "-o", settings, "start")
        yield folder
        run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


def _execute(postgres_folder: Path, command: str) -> None:
    import psycopg

    with psycopg.connect(
        host=str(postgres_folder), user="postgres", dbname="postgres", autocommit=True
    ) as connection:
        connection.execute(command)


@pytest.fixture
def postgres_url(postgres_folder: Path) -> str:
    """A fresh schema, as the URL of a store."""
    schema = f"t{uuid.uuid4().hex}"
    _execute(postgres_folder, f"CREATE SCHEMA {schema}")
    return f"postgresql://postgres@/postgres?host={postgres_folder}&options=-csearch_path%3D{schema}"


@pytest.fixture
def new_postgres_database(postgres_folder: Path) -> Callable[[], str]:
    """Makes a fresh database and gives it as an organiser writes it into a tournament file."""

    def new() -> str:
        name = f"t{uuid.uuid4().hex}"
        _execute(postgres_folder, f"CREATE DATABASE {name}")
        return f"postgresql://postgres@/{name}?host={postgres_folder}"

    return new


@pytest.fixture
def postgres_database(new_postgres_database: Callable[[], str]) -> str:
    return new_postgres_database()
