"""What PostgreSQL does differently from SQLite is said as clearly."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from sqlalchemy import text

from referee.records import MatchRecord
from referee.store import Store, StoreError, TournamentMeta
from referee.store.model import UnreachableError

MakeRecord = Callable[..., MatchRecord]


@pytest.fixture
def backend() -> str:
    return "postgresql"


def refused(url: str, **how: object) -> str:
    """The sentence with which opening is refused."""
    with pytest.raises(StoreError) as caught:
        Store.open(url, **how)  # type: ignore[arg-type]
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_a_second_writer_is_refused_until_the_first_has_closed(store: Store, postgres_url: str) -> None:
    assert "is being written by another process: wait until it ends, or stop it" in refused(postgres_url)
    with Store.open(postgres_url, read_only=True) as reader:
        assert reader.finished_count() == 0

    store.close()
    Store.open(postgres_url).close()


def test_an_empty_database_is_no_store(postgres_url: str) -> None:
    assert "is not a store of Hearts Arena" in refused(postgres_url)


def test_a_database_holds_one_tournament(store: Store, postgres_url: str, meta: TournamentMeta) -> None:
    store.close()

    with pytest.raises(StoreError, match="exists already: resume it, or choose another database"):
        Store.create(postgres_url, meta)
    assert "holds the tournament 'cup' (7d0c), not 99ff" in refused(postgres_url, expect_tournament="99ff")
    Store.open(postgres_url, expect_tournament="7d0c").close()


def test_a_newer_store_is_left_alone(store: Store, postgres_url: str) -> None:
    with store._writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0099'"))
    store.close()

    assert "newer version (form 0099" in refused(postgres_url)


def test_a_reader_cannot_write_even_by_mistake(store: Store, postgres_url: str) -> None:
    def write() -> None:
        with Store.open(postgres_url, read_only=True) as reader, reader._reading() as connection:
            connection.execute(text("DELETE FROM tournament"))

    with pytest.raises(StoreError, match="may not be written"):
        write()


def test_a_database_that_is_not_there_is_said(postgres_url: str) -> None:
    missing = postgres_url.replace("@/postgres?", "@/nowhere?")

    assert "names a database or role that does not exist: create it, or correct" in (sentence := refused(missing))
    assert 'database "nowhere" does not exist' in sentence


def test_a_server_that_is_not_there_is_no_mistake_of_what_was_asked(tmp_path: object) -> None:
    with pytest.raises(UnreachableError, match=r"cannot be reached: .*: see that PostgreSQL runs there"):
        Store.open(f"postgresql://me@/postgres?host={tmp_path}")


@pytest.mark.parametrize("url", ["postgresql://me:secret@/cup", "postgresql://me@/cup?password=secret"])
def test_a_password_in_the_url_is_refused_and_not_repeated(url: str) -> None:
    sentence = refused(url)

    assert "holds a password: leave it out and put it where PostgreSQL's own programs look" in sentence
    assert "secret" not in sentence


def test_a_password_that_is_missing_or_wrong_is_said(
    store: Store, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store._writing() as connection:
        connection.execute(text("DROP ROLE IF EXISTS guarded"))
        connection.execute(text("CREATE ROLE guarded LOGIN PASSWORD 'right'"))
    url = postgres_url.replace("//postgres@", "//guarded@")
    monkeypatch.delenv("PGPASSWORD", raising=False)

    assert "wants a password: put it into PGPASSWORD or ~/.pgpass" in refused(url)
    monkeypatch.setenv("PGPASSWORD", "wrong")
    assert "refuses the password: correct PGPASSWORD or ~/.pgpass" in refused(url)
    monkeypatch.setenv("PGPASSWORD", "right")
    assert "is not a store of Hearts Arena" in refused(url), "its role sees nothing in a schema of another"


def test_without_its_driver_the_extra_is_named(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)

    assert "needs the PostgreSQL driver: pip install '.[postgres]' in a checkout of hearts-arena" in refused(
        postgres_url
    )


def test_who_writes_is_seen_without_taking_the_lock(store: Store, postgres_url: str) -> None:
    with Store.open(postgres_url, read_only=True) as reader:
        assert reader.is_written
        store.close()
        assert not reader.is_written


def test_a_connection_cut_in_the_middle_loses_nothing(
    store: Store, postgres_url: str, make_record: MakeRecord
) -> None:
    store.add_matches([make_record(0)])
    with store._writing() as connection:
        own = connection.scalar(text("SELECT pg_backend_pid()"))
        others = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> :own AND state = 'idle'")
        assert connection.scalars(others, {"own": own}).all() == [True]  # the session that held the writer's lock

    assert store.add_matches([make_record(0), make_record(1)]) == 1
    assert store.finished_count() == 2
    assert "is being written by another process" in refused(postgres_url), "the lock was taken again"


def test_a_writer_whose_session_was_cut_does_not_write_beside_another(
    store: Store, postgres_url: str, make_record: MakeRecord
) -> None:
    with Store.open(postgres_url, read_only=True) as reader, reader._reading() as connection:
        others = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        connection.execute(others)
    with Store.open(postgres_url) as second:
        with pytest.raises(StoreError, match="is being written by another process"):
            store.add_matches([make_record(0)])
        assert second.add_matches([make_record(0)]) == 1
