"""Swiss: each round seats bots of about equal standing together, and avoids repeating tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.schedule.costs import PAIR_WEIGHT, Costs, cheapest_tables
from referee.schedule.pairing import Entrant, ScheduleError, Seating, field_of
from referee.schedule.shuffle import Shuffler

NEAR = 3  # a former meeting weighs as much as a distance of so many tables in the standings


def swiss_round(
    entrants: Sequence[Entrant],
    seats: int,
    seed: str,
    standings: Sequence[str],
    played: Sequence[Seating],
    *,
    owners_apart: bool = False,
) -> tuple[Seating, ...]:
    """Seat the next round of a Swiss tournament.

    Who has played least sits first, and among equals the better placed, so that byes go round from below. Then
    tables are cut from the standings, and bots change tables where repeated meetings would cost more than the
    distance in the standings: by the time a pair meets a second time, its neighbours have all met.

    Args:
        entrants: who plays from now on; house bots sit only where there are fewer others than seats.
        seats: of one table.
        seed: any text that was fixed before.
        standings: names, best first; entrants that are not named (newcomers) come last. Empty before the first
            round, which is then drawn.
        played: every table so far.
        owners_apart: seat bots of one owner together only where there is no other way.

    Raises:
        ScheduleError: no table can be filled, or `standings` has a name twice.
    """
    round_number = 1 + max((seating.round_number for seating in played), default=-1)
    board_set = 1 + max((seating.board_set for seating in played), default=-1)
    doubled = [name for name, count in Counter(standings).items() if count > 1]
    if doubled:
        raise ScheduleError(f"standings: {doubled[0]!r} is there twice: give each name one place.")
    shuffler = Shuffler(f"swiss {seats} {round_number} {seed}")
    place_of = {name: place for place, name in enumerate(standings)}
    drawn = shuffler.shuffled(field_of(entrants, seats))
    ranked = sorted(drawn, key=lambda entrant: place_of.get(entrant.name, len(place_of)))
    names = [entrant.name for entrant in ranked]
    sitters = _sitters(names, seats, played)
    costs = _costs(names, sitters, seats, played)
    if owners_apart:
        costs.keep_owners_apart([entrant.owner for entrant in ranked])
    tables = cheapest_tables(costs, sitters, seats, shuffler, heat=PAIR_WEIGHT * seats)
    return tuple(
        Seating(round_number, board_set + number, tuple(names[bot] for bot in table))
        for number, table in enumerate(tables)
    )


def _sitters(names: Sequence[str], seats: int, played: Sequence[Seating]) -> list[int]:
    """Choose who plays, in the order of the standings."""
    boards = Counter(bot for seating in played for bot in seating.bots)
    seated = len(names) // seats * seats
    return sorted(sorted(range(len(names)), key=lambda number: boards[names[number]])[:seated])


def _costs(names: Sequence[str], sitters: Sequence[int], seats: int, played: Sequence[Seating]) -> Costs:
    """Price the pairs: what was played, and how far apart they stand among those who play."""
    number_of = {name: number for number, name in enumerate(names)}
    costs = Costs(len(names))
    for seating in played:
        for _ in range(NEAR * seats):
            costs.add([number_of.get(name) for name in seating.bots])
    for place, one in enumerate(sitters):
        for other_place in range(place):
            costs.add_to_pair(one, sitters[other_place], PAIR_WEIGHT * (place - other_place))
    return costs
