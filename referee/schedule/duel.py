"""Duel: two bots at one table, A, A, B, B, and the same deals again with the seats exchanged.

It answers "is A better than B?" with the fewest hands known (at least four times fewer than random dealing), for
this table only: a bot may do otherwise in other company.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from referee.schedule.pairing import ScheduleError, Seating, check_seats, spec_of

if TYPE_CHECKING:
    from referee.records import MatchSpec


def duel(first: str, second: str, seats: int = 4, board_sets: int | None = None) -> Iterator[Seating]:
    """Yield the tables of a duel: half the seats for each bot, side by side.

    A name stands at several seats: each is played by a process of its own, and the copies cannot know each other.

    Args:
        first: a bot.
        second: another bot.
        seats: of the table; even.
        board_sets: how many; None for no end, since a sequential test decides when to stop.

    Raises:
        ScheduleError: on the first reading, if the seats cannot be halved or a bot would meet itself.
    """
    check_seats(seats)
    if seats % 2:
        raise ScheduleError(f"seats = {seats}: a duel gives each bot half of the seats: choose an even number.")
    if first == second:
        raise ScheduleError(f"duel: {first!r} against itself: name two bots, or enter it under two names.")
    half = seats // 2
    for board_set in count() if board_sets is None else range(board_sets):
        yield Seating(board_set, board_set, (first,) * half + (second,) * half)


def duel_specs(
    tournament_id: str, seating: Seating, deals: int, attempt: int = 0, first_number: int = 0
) -> Iterator[MatchSpec]:
    """Expand a board set of a duel into its two matches: as seated, and with the seats exchanged."""
    for place, rotation in enumerate((0, len(seating.bots) // 2)):
        yield spec_of(tournament_id, seating, rotation, deals, attempt, first_number + place)
