"""The balance that docs/schedules.md promises, reached or beaten; `pytest -rP` shows the figures."""

from itertools import islice

import pytest

from referee.schedule.balance import Spread, balance
from referee.schedule.pairing import Entrant
from referee.schedule.round_robin import round_robin


def figures(count: int, seats: int, cycles: int = 1) -> dict[str, Spread]:
    entrants = [Entrant(f"bot-{number}") for number in range(count)]
    report = balance(round_robin(entrants, seats, "figures", cycles), entrants)
    spreads = {spread.name: spread for spread in report.spreads}
    text = "  ".join(f"{name} {s.low}..{s.high} ({s.variation:.0%})" for name, s in spreads.items())
    print(f"{count} entrants, {seats} seats, {cycles} cycles, {report.board_sets} board sets: {text}")
    return spreads


@pytest.mark.parametrize("count", range(4, 41))
def test_at_four_seats_one_cycle_is_exact_in_boards_meetings_and_across(count: int) -> None:
    found = figures(count, 4)

    exact = {name for name, spread in found.items() if spread.low == spread.high}
    assert exact >= {"boards", "seats", "pairs", "across"}
    assert {name for name, spread in found.items() if spread.high - spread.low > 2} == set()


@pytest.mark.parametrize("seats", [3, 5, 6])
@pytest.mark.parametrize("surplus", [0, 1, 2, 5, 8, 14, 25, 34])
def test_at_other_tables_no_count_differs_by_more_than_two_after_one_cycle(seats: int, surplus: int) -> None:
    found = figures(seats + surplus, seats)

    assert {name for name, spread in found.items() if spread.high - spread.low > 2} == set()
    assert found["boards"].low == found["boards"].high


@pytest.mark.parametrize(("count", "seats"), [(14, 3), (13, 5), (14, 6), (46, 4)])
def test_imbalance_does_not_grow_over_cycles(count: int, seats: int) -> None:
    found = figures(count, seats, cycles=4)

    assert {name for name, spread in found.items() if spread.high - spread.low > 2} == set()
    assert found["pairs"].variation < 0.08


def test_a_thousand_entrants_are_seated_as_they_are_read() -> None:
    entrants = [Entrant(f"bot-{number}") for number in range(1000)]

    first_rounds = list(islice(round_robin(entrants, 4, "figures"), 500))

    assert len({bot for seating in first_rounds[:250] for bot in seating.bots}) == 1000
    assert [seating.round_number for seating in first_rounds] == [0] * 250 + [1] * 250
