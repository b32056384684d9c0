"""A finished match is kept once and whole, and everything that follows from it can be read back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from referee.record_json import board_results, record_digest, record_to_json
from referee.records import Blame, Fault, FaultKind, MatchRecord
from referee.store import Event, Store, StoreError, TournamentMeta
from referee.store.reading import chain

pytestmark = pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
MakeRecord = Callable[..., MatchRecord]
MakeFault = Callable[..., Fault]


def test_a_store_opens_again_with_what_it_belongs_to(store: Store, place: str | Path, meta: TournamentMeta) -> None:
    store.close()

    with Store.open(place, expect_tournament=meta.tournament) as again:
        assert again.tournament == meta
        assert again.finished_count() == 0
        assert [again.results(), again.reports(), again.events(), again.attempts()] == [[], [], [], []]


def test_a_record_comes_back_to_the_byte(store: Store, make_record: MakeRecord, make_fault: MakeFault) -> None:
    record = make_record(3, faults=(make_fault(),))
    assert store.add_matches([record]) == 1

    assert store.record(record.spec.key) == record
    assert store.record_json(record.spec.key) == record_to_json(record)


def test_a_match_is_counted_once_however_often_it_is_handed_in(store: Store, make_record: MakeRecord) -> None:
    first, second = make_record(0), make_record(1)
    late = replace(first, duration_ms=1)

    assert store.add_matches([first, first]) == 1
    assert store.add_matches([late, second]) == 1
    assert store.finished_count() == 2
    assert store.finished_keys() == {first.spec.key, second.spec.key}
    assert store.record(first.spec.key) == first  # what was finished first stays


def test_adding_nothing_is_nothing(store: Store) -> None:
    assert store.add_matches([]) == 0


def test_results_are_those_of_the_records_in_schedule_order(store: Store, make_record: MakeRecord) -> None:
    records = [
        make_record(number, autopilot=(number == 2, False, False, False), to_target=number == 5)
        for number in range(7)
    ]
    for record in (records[4], records[0]):
        store.add_matches([record])
    store.add_matches(records[::-1])

    assert store.results() == [board for record in records for board in board_results(record)]
    assert list(store.records()) == records


def test_the_root_does_not_depend_on_the_order_of_finishing(store: Store, make_record: MakeRecord) -> None:
    records = [make_record(number) for number in range(5)]
    assert store.root() == chain([])
    store.add_matches(records[::-1])

    digests = [record_digest(record_to_json(record)) for record in records]
    assert store.root() == chain(digests)
    assert chain(digests) != chain(digests[::-1])


def test_reports_tell_faults_and_thinking_times(
    store: Store, make_record: MakeRecord, make_fault: MakeFault
) -> None:
    faults = (make_fault(0), make_fault(0), make_fault(1, FaultKind.BREACH))
    store.add_matches([make_record(0, faults=faults), make_record(1, autopilot=(False, False, False, True))])
    store.add_matches([make_record(2)])
    ann, bob, _cid, dot = store.reports()

    assert (ann.bot, ann.matches, ann.decisions) == ("ann", 3, 3 * 2 * 13)
    assert ann.faults == {"timeout/bot": 2}
    assert bob.faults == {"breach/bot": 1}
    assert dot.decisions == 2 * 2 * 13  # what the referee decided for it is not its thinking
    times = sorted(
        decision.elapsed_us
        for record in store.records()
        for deal in record.deals
        for decision in deal.decisions
        if decision.seat == 0
    )
    assert ann.max_us == times[-1]
    assert ann.p50_us == pytest.approx(times[(len(times) - 1) // 2], rel=0.07)
    assert ann.p99_us == pytest.approx(times[-1], rel=0.07)
    whole = store.tournament_report(store.reports())
    assert (whole.bot, whole.matches) == ("", 3)
    assert whole.decisions == sum(report.decisions for report in store.reports())
    assert whole.faults == {"breach/bot": 1, "timeout/bot": 2}
    assert whole.p50_us <= whole.p99_us <= whole.max_us == max(report.max_us for report in store.reports())


def test_a_bot_at_two_seats_of_a_table_played_one_match(store: Store, make_record: MakeRecord) -> None:
    store.add_matches([make_record(0, bots=("ann", "ann", "bob", "cid"))])

    assert [(report.bot, report.matches, report.decisions) for report in store.reports()] == [
        ("ann", 1, 52),
        ("bob", 1, 26),
        ("cid", 1, 26),
    ]


def test_faults_come_back_with_their_evidence(store: Store, make_record: MakeRecord, make_fault: MakeFault) -> None:
    record = make_record(0, faults=(make_fault(2), make_fault(3)))
    store.add_matches([record])
    kept = store.faults()

    assert [(each.key, each.position, each.bot) for each in kept] == [
        (record.spec.key, 0, "cid"),
        (record.spec.key, 1, "dot"),
    ]
    assert tuple(each.fault for each in kept) == record.faults
    assert [each.position for each in store.faults(bot="dot")] == [1]


def test_a_voided_attempt_is_kept_with_its_reason_and_charges_nobody(store: Store, make_record: MakeRecord) -> None:
    record = make_record(0)
    store.add_attempt(
        record.spec,
        "the referee lagged 900 ms",
        blame=Blame.HOST,
        at="2026-01-01T00:00:01Z",
        whole_board_set=False,
    )
    assert store.finished_keys() == set()
    store.add_matches([record])  # played again under the same key

    (attempt,) = store.attempts()
    assert (attempt.key, attempt.reason, attempt.blame) == (
        record.spec.key,
        "the referee lagged 900 ms",
        Blame.HOST,
    )
    assert store.faults() == []
    assert [report.faults for report in store.reports()] == [{}] * 4
    assert len(store.results()) == 2


def test_a_board_set_dealt_anew_leaves_the_results_whole(store: Store, make_record: MakeRecord) -> None:
    finished = [make_record(number) for number in range(5)]  # the first four are one board set
    store.add_matches(finished)
    store.add_attempt(finished[3].spec, "a remote bot saw its cards", blame=Blame.HOST, at="", whole_board_set=True)
    assert [board.number for board in store.results()] == [4, 4]
    again = [make_record(number, attempt=1) for number in range(4)]
    store.add_matches(again)

    assert [board.match_id for board in store.results()] == [
        record.spec.key for record in (*again, finished[4]) for _ in range(2)
    ]
    assert store.finished_count() == 9


def test_events_are_kept_in_order(store: Store) -> None:
    started = Event(at="2026-01-01T00:00:00Z", kind="started", message="four bots")
    reveal = Event(at="2026-01-01T00:10:00Z", kind="reveal", message="seed", data={"seed": "ff", "n": [1]})
    store.add_event(started)
    store.add_event(reveal)

    assert store.events() == [started, reveal]
    assert store.events(kind="reveal") == [reveal]


def test_many_records_are_read_page_by_page(store: Store, make_record: MakeRecord) -> None:
    records = [make_record(number, deals=1, decisions_max=0) for number in range(450)]
    store.add_matches(records[::-1])

    assert [record.spec.number for record in store.records()] == list(range(450))
    assert [key for key, _ in store.records_json()] == [record.spec.key for record in records]


def test_a_reader_sees_what_is_committed_while_a_writer_is_open(
    store: Store, place: str | Path, make_record: MakeRecord
) -> None:
    with Store.open(place, read_only=True) as reader:
        assert reader.finished_count() == 0
        store.add_matches([make_record(0)])
        assert reader.finished_count() == 1
        with pytest.raises(StoreError, match="was opened for reading only"):
            reader.add_matches([make_record(1)])


def test_an_unknown_key_is_said(store: Store) -> None:
    with pytest.raises(StoreError, match="has no finished match with the key 'beef'"):
        store.record("beef")
