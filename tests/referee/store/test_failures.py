"""What can go wrong with a file is said in one sentence, and nothing that was committed is lost."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from referee.records import MatchRecord
from referee.store import Store, StoreError, TournamentMeta
from referee.store.engine import place_of
from referee.store.schema import VERSION

MakeRecord = Callable[..., MatchRecord]


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


def refused(path: str | Path, **how: object) -> str:
    """The sentence with which opening is refused."""
    with pytest.raises(StoreError) as caught:
        Store.open(path, **how)  # type: ignore[arg-type]
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_nothing_is_there(path: Path) -> None:
    assert "does not exist: check the path" in refused(path)
    assert not path.exists()


@pytest.mark.parametrize("content", [b"", b"number,bot\n" * 500], ids=["empty", "a table of text"])
def test_another_kind_of_file(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    sentence = refused(path)
    assert "is not a store of Hearts Arena" in sentence or "is no database: it is another kind of file" in sentence
    assert path.read_bytes() == content


def test_a_database_of_somebody_else(path: Path) -> None:
    change(path, "CREATE TABLE songs (title TEXT)")

    assert "is not a store of Hearts Arena" in refused(path)


def test_a_store_of_another_tournament(store: Store, path: Path) -> None:
    store.close()

    assert "holds the tournament 'cup' (7d0c), not 99ff: give the store" in refused(path, expect_tournament="99ff")
    Store.open(path, expect_tournament="7d0c").close()  # the refusal left no lock behind


def test_a_store_of_a_newer_version_is_left_alone(store: Store, path: Path) -> None:
    store.close()
    change(path, "UPDATE alembic_version SET version_num = '0099'")
    before = path.read_bytes()

    said = f"newer version (form 0099, this one knows up to {VERSION}): install a newer hearts-arena"
    assert said in refused(path)
    assert path.read_bytes() == before


def test_creating_where_there_is_a_store(store: Store, path: Path, meta: TournamentMeta) -> None:
    with pytest.raises(StoreError, match="exists already: resume it, or choose another place"):
        Store.create(path, meta)


def test_a_second_writer_is_told_who_writes(store: Store, path: Path, make_record: MakeRecord) -> None:
    assert f"is being written by process {os.getpid()}: wait until it ends, or stop it" in refused(path)

    store.close()
    assert list(path.parent.glob("*.lock")) == []
    with Store.open(path) as second:
        assert second.add_matches([make_record(0)]) == 1


def test_a_lock_file_left_by_a_killed_writer_does_not_lock(store: Store, path: Path) -> None:
    store.close()
    Path(f"{path}.lock").write_text("4711")

    Store.open(path).close()


def test_a_transaction_of_another_program_is_waited_for_and_then_named(
    store: Store, path: Path, make_record: MakeRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    monkeypatch.setattr("referee.store.engine.BUSY_TIMEOUT_MS", 10)
    with Store.open(path) as writer, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"is locked by another process: wait for it or end it"):
            writer.add_matches([make_record(0)])
        other.execute("ROLLBACK")
        assert writer.add_matches([make_record(0)]) == 1


@pytest.mark.parametrize("keep", [0.5, 0.9])
def test_a_torn_file_says_how_to_repair_it(store: Store, path: Path, make_record: MakeRecord, keep: float) -> None:
    store.add_matches([make_record(number) for number in range(40)])
    store.close()
    os.truncate(path, int(path.stat().st_size * keep))

    def read_all() -> None:
        with Store.open(path, read_only=True) as torn:
            torn.results()
            list(torn.records())

    with pytest.raises(StoreError, match="is damaged: run `hearts tournament repair` on it"):
        read_all()


def test_a_changed_record_is_found_by_its_digest(store: Store, path: Path, make_record: MakeRecord) -> None:
    store.add_matches([make_record(0), make_record(1)])
    change(path, "UPDATE records SET body = (SELECT body FROM records WHERE match_id = 2) WHERE match_id = 1")

    with pytest.raises(StoreError, match="does not fit its digest: run `hearts tournament repair`"):
        store.record(make_record(0).spec.key)
    assert store.record(make_record(1).spec.key) == make_record(1)


def test_a_full_database_loses_nothing_and_goes_on_when_there_is_room(
    store: Store, make_record: MakeRecord
) -> None:
    store.add_matches([make_record(0)])
    with store._engine.connect() as connection:  # the pool's one connection, so the limit holds below
        pages = connection.scalar(text("PRAGMA page_count"))
        connection.execute(text(f"PRAGMA max_page_count = {pages}"))

    with pytest.raises(StoreError, match="disk is full; all that was committed is safe: make room, then resume"):
        store.add_matches([make_record(number) for number in range(1, 30)])
    assert store.finished_keys() == {make_record(0).spec.key}
    with store._engine.connect() as connection:
        connection.execute(text("PRAGMA max_page_count = 1000000"))
    assert store.add_matches([make_record(number) for number in range(1, 30)]) == 29


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = (
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(folder)], capture_output=True, text=True
        )
        if shutil.which("mount")
        else None
    )
    if mounted is None or mounted.returncode:
        pytest.skip(f"no tmpfs of its own: {mounted.stderr.strip() if mounted else 'no mount command'}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_loses_nothing(tiny_disk: Path, meta: TournamentMeta, make_record: MakeRecord) -> None:
    path = tiny_disk / "cup.db"
    finished = 0
    with Store.create(path, meta) as store:

        def fill() -> None:
            nonlocal finished
            for number in range(400):
                finished += store.add_matches([make_record(number)])

        with pytest.raises(StoreError, match="the disk is full"):
            fill()
        assert store.finished_count() == finished > 0
    with Store.open(path, read_only=True) as again:
        assert list(again.records()) == [make_record(number) for number in range(finished)]


def test_creating_on_a_full_disk_leaves_nothing(tiny_disk: Path, meta: TournamentMeta) -> None:
    (tiny_disk / "ballast").write_bytes(bytes(550_000))

    with pytest.raises(StoreError, match="the disk is full"):
        Store.create(tiny_disk / "cup.db", meta)
    assert [path.name for path in tiny_disk.iterdir()] == ["ballast"]


def test_a_file_size_limit_is_said_as_well(store: Store, path: Path, make_record: MakeRecord) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100_000, hard))
        with pytest.raises(StoreError, match="the disk is full, over quota or failing; all that"):
            store.add_matches([make_record(number) for number in range(60)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert store.finished_count() == 0
    assert store.add_matches([make_record(number) for number in range(60)]) == 60


def test_a_folder_that_cannot_be_made(tmp_path: Path, meta: TournamentMeta) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreError, match="cannot be opened: check that its folder exists"):
        Store.create(tmp_path / "file" / "cup.db", meta)


READ_ONLY = """
    import os, sys
    import sqlalchemy.dialects.sqlite
    from referee.store import Store, StoreError
    if os.getuid() == 0:  # to root every folder can be written
        os.setgid(65534)
        os.setuid(65534)
    with Store.open(sys.argv[1], read_only=True) as store:
        print(store.finished_count())
    try:
        Store.open(sys.argv[1])
    except StoreError as error:
        print(error)
"""


def test_a_store_in_a_read_only_folder_can_be_read_and_says_why_not_written(
    store: Store, path: Path, make_record: MakeRecord
) -> None:
    store.add_matches([make_record(0)])
    store.close()
    public = Path("/tmp") / f"hearts-read-only-{os.getpid()}"  # pytest's own folders are closed to other users
    public.mkdir()
    try:
        shutil.copy(path, public / "cup.db")
        public.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(READ_ONLY), str(public / "cup.db")],
            capture_output=True,
            text=True,
        )
    finally:
        public.chmod(0o755)
        shutil.rmtree(public)
    assert done.stderr == ""
    count, sentence = done.stdout.splitlines()

    assert count == "1"
    assert "may not be written: it, its folder or the database role is read-only" in sentence


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("mysql://host/cup", "asks for 'mysql': write a path or a postgresql:// URL"),
        ("://", "is no URL: write a path or postgresql://"),
        ("sqlite://", "asks for 'sqlite': write a path"),
    ],
)
def test_a_place_that_is_none(place: str, sentence: str) -> None:
    assert sentence in refused(place)


def test_a_path_may_be_written_as_a_url_and_may_hold_any_letter(
    tmp_path: Path, meta: TournamentMeta, make_record: MakeRecord
) -> None:
    path = tmp_path / "Pokal 100% #ä?.db"
    with Store.create(path, meta) as store:
        store.add_matches([make_record(0)])

    with Store.open(path, read_only=True) as again:
        assert again.finished_count() == 1
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    assert place_of("sqlite:///cup.db").path == Path("cup.db")
