"""Exact schedules, verified by counting."""

from itertools import chain, islice

import pytest

from referee.schedule.balance import BalanceReport, balance
from referee.schedule.designs import exact_design
from referee.schedule.pairing import Entrant
from referee.schedule.round_robin import boards_a_cycle, round_robin

STORED = [count for count in range(4, 42) if exact_design(count, 4)]
PRIMES = [53, 61, 97]


def report(count: int, cycles: int) -> BalanceReport:
    entrants = [Entrant(f"bot-{number}") for number in range(count)]
    return balance(round_robin(entrants, 4, "exact", cycles), entrants)


def spreads(of: BalanceReport) -> dict[str, tuple[int, int]]:
    return {spread.name: (spread.low, spread.high) for spread in of.spreads}


@pytest.mark.parametrize("count", [*STORED, *PRIMES])
def test_each_pair_meets_and_sits_across_equally_often_in_a_cycle(count: int) -> None:
    found = spreads(report(count, 1))

    times = boards_a_cycle(count, 4) // (count - 1)
    assert found["boards"] == (times * (count - 1), times * (count - 1))
    assert found["pairs"] == (3 * times, 3 * times)
    assert found["across"] == (times, times)
    if count % 4:
        assert found["left"] == (times, times)
    else:
        assert found["left"] == (0, 2)


@pytest.mark.parametrize("count", [count for count in STORED if count % 4 == 0])
def test_two_mirrored_cycles_make_the_left_neighbours_exact_too(count: int) -> None:
    assert spreads(report(count, 2))["left"] == (2, 2)


def test_every_field_of_4_to_41_has_an_exact_schedule() -> None:
    assert set(STORED) == set(range(4, 42))


@pytest.mark.parametrize("count", [11, 14, 22, 27])
def test_rounds_that_leave_tables_empty_are_packed(count: int) -> None:
    found = report(count, 1)

    assert found.rounds <= 1.3 * found.board_sets / (count // 4)


@pytest.mark.parametrize("count", [13, 16])
def test_few_tables_come_twice_in_following_cycles(count: int) -> None:
    entrants = [Entrant(f"bot-{number}") for number in range(count)]
    tables = list(round_robin(entrants, 4, "again", 4))

    assert len({frozenset(table.bots) for table in tables}) > 0.7 * len(tables)


@pytest.mark.parametrize("count", [5, 8, 9, 14])
def test_cycles_never_end(count: int) -> None:
    entrants = [Entrant(f"bot-{number}") for number in range(count)]
    endless = round_robin(entrants, 4, "endless", None)

    assert len(list(islice(endless, 3000))) == 3000


@pytest.mark.parametrize("seats", [3, 5, 6])
def test_other_tables_have_no_stored_design(seats: int) -> None:
    assert [count for count in range(3, 41) if exact_design(count, seats)] == []


def test_stored_base_rounds_seat_nobody_twice() -> None:
    for count in STORED:
        design = exact_design(count, 4)
        assert design is not None
        for base in design.bases:
            numbers = list(chain.from_iterable(base))
            assert len(set(numbers)) == len(numbers), count
            assert set(numbers) <= set(range(count)), count
