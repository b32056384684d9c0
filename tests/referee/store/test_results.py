"""Results as columns say the same as results as objects, and follow every correction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from referee.records import BoardColumns, BoardResult, Fault, MatchRecord
from referee.store import Correction, CorrectionKind, Store, StoreError
from referee.store.corrections import in_force

pytestmark = pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
MakeRecord = Callable[..., MatchRecord]


def boards_of(columns: BoardColumns) -> Iterator[BoardResult]:
    """Columns read back as objects."""
    bot, points = iter(columns.bot), iter(columns.points)
    place, autopilot = iter(columns.place), iter(columns.autopilot)
    for index, seats in enumerate(columns.seats):
        yield BoardResult(
            match_id=columns.match_ids[columns.match[index]],
            deal_id=columns.deal_ids[columns.deal[index]],
            number=columns.number[index],
            round_number=columns.round_number[index],
            unit=columns.unit,
            rules=columns.rules,
            bots=tuple(columns.bots[code] for code in islice(bot, seats)),
            points=tuple(islice(points, seats)),
            places=tuple(islice(place, seats)),
            autopilot=tuple(flag == 1 for flag in islice(autopilot, seats)),
            deals=columns.deals[index],
        )


def correction(kind: CorrectionKind, **target: object) -> Correction:
    return Correction(kind=kind, who="org", why="said so", at="2026-01-02T00:00:00Z", **target)  # type: ignore[arg-type]


@pytest.mark.parametrize("to_target", [False, True])
def test_columns_say_the_same_as_objects(store: Store, make_record: MakeRecord, to_target: bool) -> None:
    line_ups = [("ann", "bob", "cid", "dot"), ("eve", "ann", "bob", "cid")]
    records = [
        make_record(
            number, bots=line_ups[number % 2], autopilot=(number == 3, False, False, False), to_target=to_target
        )
        for number in range(9)
    ]
    for record in records[::-1]:
        store.add_matches([record])

    assert list(boards_of(store.result_columns())) == store.results()


def test_columns_follow_corrections(store: Store, make_record: MakeRecord) -> None:
    store.add_matches([make_record(number) for number in range(4)])
    store.correct(correction(CorrectionKind.ANNUL, key=make_record(1).spec.key))

    assert [board.number for board in boards_of(store.result_columns())] == [0, 0, 2, 2, 3, 3]
    assert list(boards_of(store.result_columns())) == store.results()


def test_columns_of_an_empty_store_are_empty(store: Store) -> None:
    columns = store.result_columns()

    assert (columns.unit, columns.bots, len(columns.seats)) == ("", (), 0)


def test_units_are_never_pooled(store: Store, make_record: MakeRecord) -> None:
    store.add_matches([make_record(0), make_record(1, to_target=True)])

    assert {board.unit for board in store.results()} == {"board", "match"}
    with pytest.raises(StoreError, match="2 units or rule sets, which are never pooled"):
        store.result_columns()


def test_a_withdrawn_bot_takes_its_matches_with_it(store: Store, make_record: MakeRecord) -> None:
    others = ("ann", "bob", "cid", "eve")
    store.add_matches([make_record(0), make_record(1, bots=others), make_record(2)])
    assert store.correct(correction(CorrectionKind.WITHDRAW, bot="dot")) == 1

    assert {board.bots for board in store.results()} == {others}
    assert [(report.bot, report.matches) for report in store.reports()] == [(bot, 1) for bot in others]
    assert store.finished_count() == 3


def test_an_overruled_fault_is_not_counted_and_stays_visible(
    store: Store, make_record: MakeRecord, make_fault: Callable[..., Fault]
) -> None:
    record = make_record(0, faults=(make_fault(0), make_fault(0)))
    store.add_matches([record])
    store.correct(correction(CorrectionKind.OVERRULE, key=record.spec.key, fault=1))

    assert store.reports()[0].faults == {"timeout/bot": 1}
    assert [each.overruled for each in store.faults()] == [False, True]


def test_a_correction_can_be_reversed_and_the_reversal_too(store: Store, make_record: MakeRecord) -> None:
    store.add_matches([make_record(0)])
    annulled = store.correct(correction(CorrectionKind.ANNUL, key=make_record(0).spec.key))
    assert store.results() == []
    back = store.correct(correction(CorrectionKind.REVERSE, reverses=annulled))
    assert len(store.results()) == 2
    store.correct(correction(CorrectionKind.REVERSE, reverses=back))
    assert store.results() == []

    assert [each.number for each in store.corrections()] == [1, 2, 3]
    assert [each.kind for each in in_force(store.corrections())] == [CorrectionKind.ANNUL]
    assert store.corrections()[0].why == "said so"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (correction(CorrectionKind.WITHDRAW, bot="zoe"), "no bot 'zoe' .* the bots are ann, bob, cid, dot"),
        (correction(CorrectionKind.ANNUL, key="beef"), "no finished match has the key 'beef'"),
        (correction(CorrectionKind.OVERRULE, key="beef", fault=0), "match 'beef' has no fault at position 0"),
        (correction(CorrectionKind.REVERSE, reverses=7), "no correction has the number 7"),
        (
            Correction(kind=CorrectionKind.WITHDRAW, who="org", why=" ", at="", bot="ann"),
            "'withdraw' lacks who or why",
        ),
    ],
)
def test_a_correction_of_nothing_is_refused(
    store: Store, make_record: MakeRecord, wrong: Correction, sentence: str
) -> None:
    store.add_matches([make_record(0)])

    with pytest.raises(StoreError, match=sentence):
        store.correct(wrong)
    assert store.corrections() == []
