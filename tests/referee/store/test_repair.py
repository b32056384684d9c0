"""From a damaged file every whole match is saved, and what was dropped is said."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from referee.records import Blame, Fault, MatchRecord
from referee.store import Correction, CorrectionKind, Event, Store, StoreError, TournamentMeta
from referee.store.repair import repair

MakeRecord = Callable[..., MatchRecord]
MATCHES = 60
PAGE = 4096


@pytest.fixture
def records(make_record: MakeRecord, make_fault: Callable[..., Fault]) -> list[MatchRecord]:
    return [make_record(number, faults=(make_fault(number % 4),)) for number in range(MATCHES)]


@pytest.fixture
def broken(store: Store, path: Path, records: list[MatchRecord]) -> Path:
    """A closed store with everything in it, for a test to break."""
    store.add_matches(records)
    store.add_attempt(records[3].spec, "lag", blame=Blame.HOST, at="", whole_board_set=False)
    store.add_event(Event(at="", kind="started", message="go", data={"bots": 4}))
    for number in (7, 8):
        key = records[number].spec.key
        store.correct(Correction(kind=CorrectionKind.ANNUL, who="org", why="power cut", at="", key=key))
    store.correct(Correction(kind=CorrectionKind.REVERSE, who="org", why="wrong one", at="", reverses=2))
    store.close()
    return path


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "repaired.db"


def saved(target: Path) -> list[MatchRecord]:
    with Store.open(target, read_only=True) as store:
        return list(store.records())


def overwrite(path: Path, start: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(data)


def test_a_whole_store_comes_through_unchanged(broken: Path, target: Path) -> None:
    before = broken.read_bytes()
    assert repair(broken, target).dropped == ()

    assert broken.read_bytes() == before
    with Store.open(broken, read_only=True) as old, Store.open(target, read_only=True) as new:
        assert new.tournament == old.tournament
        assert (new.root(), new.results(), new.reports()) == (old.root(), old.results(), old.reports())
        assert (new.attempts(), new.events()) == (old.attempts(), old.events())
        assert new.corrections() == old.corrections()
        assert sorted(new.faults(), key=repr) == sorted(old.faults(), key=repr)
    assert [path.name for path in target.parent.iterdir() if "repair-" in path.name] == []


def test_a_record_that_does_not_fit_its_digest_costs_that_match_alone(
    broken: Path, target: Path, records: list[MatchRecord]
) -> None:
    with closing(sqlite3.connect(broken)) as connection:
        connection.execute("UPDATE records SET body = zeroblob(40) WHERE match_id = 5")
        connection.execute("UPDATE records SET digest = key WHERE match_id = 6")
        connection.commit()
    repaired = repair(broken, target)

    assert repaired.kept == MATCHES - 2
    assert len(repaired.dropped) == 2
    assert repaired.dropped[0].startswith("match 5: the record is damaged")
    assert repaired.dropped[1].endswith("does not fit its digest)")
    assert saved(target) == [record for record in records if record.spec.number not in (4, 5)]


def test_pages_of_rubbish_cost_the_matches_on_them_and_no_others(
    broken: Path, target: Path, records: list[MatchRecord]
) -> None:
    seed = random.randrange(2**32)
    print("seed", seed)
    draw = random.Random(seed)
    pages = broken.stat().st_size // PAGE
    for page in draw.sample(range(pages // 2, pages), 3):
        overwrite(broken, page * PAGE, draw.randbytes(PAGE))
    repaired = repair(broken, target)

    kept = saved(target)
    assert repaired.kept == len(kept) >= MATCHES // 3
    assert all(record in records for record in kept)
    assert [record.spec.number for record in kept] == sorted(record.spec.number for record in kept)


@pytest.mark.parametrize("share", [0.95, 0.7, 0.4])
def test_a_torn_file_gives_up_what_is_left_of_it(
    broken: Path, target: Path, records: list[MatchRecord], share: float
) -> None:
    size = int(broken.stat().st_size * share)
    with broken.open("r+b") as file:
        file.truncate(size)
    repaired = repair(broken, target)

    kept = saved(target)
    assert repaired.kept == len(kept)
    assert repaired.dropped or len(kept) == MATCHES
    assert all(record in records for record in kept)
    assert len(kept) >= MATCHES * (share - 0.35)


def test_a_damaged_header_is_replaced(broken: Path, target: Path, records: list[MatchRecord]) -> None:
    overwrite(broken, 0, bytes(100))
    with pytest.raises(StoreError, match=r"is no database: .* try `hearts tournament repair`"):
        Store.open(broken)
    repaired = repair(broken, target)

    assert repaired.kept == MATCHES
    assert len(repaired.dropped) == 1
    assert repaired.dropped[0].startswith("the first page of the file was damaged")
    assert saved(target) == records


def test_a_damaged_first_page_is_replaced(broken: Path, target: Path, records: list[MatchRecord]) -> None:
    overwrite(broken, 0, bytes(PAGE))
    repaired = repair(broken, target)

    assert repaired.kept == MATCHES
    assert saved(target) == records


def test_a_store_that_forgot_its_tournament_needs_to_be_told(
    broken: Path, target: Path, meta: TournamentMeta
) -> None:
    with closing(sqlite3.connect(broken)) as connection:
        connection.execute("DELETE FROM tournament")
        connection.commit()
    with pytest.raises(StoreError, match="no longer says its tournament"):
        repair(broken, target)
    assert not target.exists()

    assert repair(broken, target, fallback=meta).kept == MATCHES


def test_what_is_no_store_is_refused(tmp_path: Path, target: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear organiser\n" * 1000)

    with pytest.raises(StoreError, match="holds nothing that can be read as a store"):
        repair(letter, target)
    with pytest.raises(StoreError, match="does not exist"):
        repair(tmp_path / "nothing.db", target)
    assert not target.exists()


def test_an_existing_store_is_not_overwritten(broken: Path, target: Path) -> None:
    target.write_text("mine")

    with pytest.raises(StoreError, match="exists already"):
        repair(broken, target)
    assert target.read_text() == "mine"
