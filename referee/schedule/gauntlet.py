"""Gauntlet: challengers against a field, each in the same company, and never two challengers at one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from referee.schedule.cyclic import Clock, Differences
from referee.schedule.packing import pack_rounds
from referee.schedule.pairing import Entrant, ScheduleError, Seating, check_names, check_seats
from referee.schedule.shuffle import Shuffler

if TYPE_CHECKING:
    from referee.schedule.cyclic import Table

OFFSETS_TRIED = 200


def gauntlet(
    challengers: Sequence[Entrant], field: Sequence[Entrant], seats: int, seed: str, cycles: int | None = 1
) -> Iterator[Seating]:
    """Yield the tables of a gauntlet, round by round.

    In a cycle each challenger plays as many board sets as the field has bots, and has each of them once in each
    place beside it: once on its left, once across, once on its right. All challengers play the same companies in
    the same seats, so that their results can be compared. Meetings within the field even out over cycles.

    Args:
        challengers: the bots to be judged.
        field: whom they meet; at least one bot less than a table seats. House bots play here like any other.
        seats: of one table.
        seed: any text that was fixed before.
        cycles: how many to play; None for no end.

    Raises:
        ScheduleError: on the first reading, if there is no challenger or the field is too small.
    """
    check_seats(seats)
    check_names([*challengers, *field])
    if not challengers:
        raise ScheduleError("gauntlet: there is no challenger: name at least one.")
    if len(field) < seats - 1:
        raise ScheduleError(f"gauntlet: a field of {len(field)} for {seats} seats: enter {seats - 1} bots or more.")
    shuffler = Shuffler(f"gauntlet {seats} {seed}")
    names = [entrant.name for entrant in shuffler.shuffled(field)]
    clock = Clock(len(field), has_hub=False)
    differences = Differences(clock, seats - 1)
    round_number, board_set, cycle = 0, 0, 0
    while cycles is None or cycle < cycles:
        company = _next_company(differences, clock, seats - 1, shuffler)
        companies = [tuple(names[number] for number in turned[0]) for turned in clock.develop((company,))]
        tables = (
            (challenger.name, *companies[(place + late) % len(companies)])
            for place in range(len(companies))
            for late, challenger in enumerate(challengers)
        )
        for tables_at_once in pack_rounds(tables, len(field) // (seats - 1)):
            for bots in tables_at_once:
                yield Seating(round_number, board_set, bots)
                board_set += 1
            round_number += 1
        cycle += 1


def _next_company(differences: Differences, clock: Clock, size: int, shuffler: Shuffler) -> Table:
    """Choose the first company of a cycle, the one of many that evens out the meetings within the field best."""
    best: Table = ()
    best_cost = 0
    for _ in range(OFFSETS_TRIED):
        company = tuple(shuffler.shuffled(range(clock.modulus))[:size])
        places = differences.places_of(company)
        differences.add(places)
        if not best or differences.cost < best_cost:
            best, best_cost = company, differences.cost
        differences.remove(places)
    differences.add(differences.places_of(best))
    return best
