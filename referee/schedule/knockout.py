"""Knockout of groups: the best of each table go on, until one table is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.schedule.cyclic import Clock, Differences, find_base_round
from referee.schedule.pairing import ScheduleError, Seating, check_seats
from referee.schedule.shuffle import Shuffler


@dataclass(frozen=True, slots=True)
class KnockoutRound:
    """One round: who plays in which group, who waits for the next one, and how many of a group go on."""

    groups: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    advance: int  # 1 in the final: its winner wins

    @property
    def is_final(self) -> bool:
        """Whether this is the last round."""
        return len(self.groups) == 1 and not self.byes

    def survivors(self, placed: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """List who goes on, best first: byes, then the winners of the groups, then the seconds, and so on.

        Args:
            placed: of each group its bots, best first.

        Raises:
            ScheduleError: a group whose bots are not those that were placed.
        """
        for group, order in zip(self.groups, placed, strict=True):
            if sorted(group) != sorted(order):
                raise ScheduleError(
                    f"knockout: group {list(group)} was placed as {list(order)}: name each bot once."
                )
        return (*self.byes, *(order[place] for place in range(self.advance) for order in placed))


def knockout_round(ranked: Sequence[str], seats: int, advance: int = 2) -> KnockoutRound:
    """Draw the groups of a round.

    Groups are seeded like a snake (1, 4, 5, 8 and 2, 3, 6, 7), each as large as a table. Where that does not
    divide, the best ranked have a bye; where too few would be left to fill a table, more go on.

    Args:
        ranked: who is still in, best first: the rating table, or `survivors` of the round before.
        seats: of one table.
        advance: how many of each group go on.

    Raises:
        ScheduleError: too few bots for a table, or everybody or nobody would go on.
    """
    check_seats(seats)
    if len(set(ranked)) < len(ranked):
        raise ScheduleError("knockout: a name is there twice: give each bot its own.")
    if len(ranked) < seats:
        raise ScheduleError(f"knockout: {len(ranked)} bots for a table of {seats}: enter {seats} or more.")
    if not 1 <= advance < seats:
        raise ScheduleError(f"advance = {advance} of groups of {seats}: give a number in 1..{seats - 1}.")
    groups, byes = divmod(len(ranked), seats)
    if groups == 1 and not byes:
        return KnockoutRound((tuple(ranked),), (), 1)
    enough = max(advance, -(-(seats - byes) // groups))
    members: list[list[str]] = [[] for _ in range(groups)]
    for place, name in enumerate(ranked[byes:]):
        lap, along = divmod(place, groups)
        members[along if lap % 2 == 0 else groups - 1 - along].append(name)
    return KnockoutRound(tuple(map(tuple, members)), tuple(ranked[:byes]), enough)


def knockout_seatings(
    drawn: KnockoutRound, seed: str, board_sets: int, round_number: int = 0, first_board_set: int = 0
) -> Iterator[Seating]:
    """Yield the tables of a round: each group `board_sets` times, with neighbours changed evenly.

    Args:
        drawn: the groups.
        seed: any text that was fixed before.
        board_sets: how many each group plays.
        round_number: of the first board sets; each further one is a round of its own, since a bot plays in each.
        first_board_set: number of the first one.
    """
    seats = len(drawn.groups[0])
    orders = _orders(seats, Shuffler(f"knockout {seats} {seed}"))
    for late in range(board_sets):
        order = next(orders)
        for number, group in enumerate(drawn.groups):
            board_set = first_board_set + late * len(drawn.groups) + number
            yield Seating(round_number + late, board_set, tuple(group[seat] for seat in order))


def _orders(seats: int, shuffler: Shuffler) -> Iterator[tuple[int, ...]]:
    """Yield orders of one table without end, such that everybody sits beside everybody equally often."""
    clock = Clock.of(seats, seats)
    differences = Differences(clock, seats)
    while True:
        for tables in clock.develop(find_base_round(differences, clock, seats, shuffler)):
            yield tables[0]
