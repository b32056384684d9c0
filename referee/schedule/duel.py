"""Duel: two bots at one table, A, A, B, B, and the same deals again with the seats exchanged.

It answers "is A better than B?" with the fewest hands known (at least four times fewer than random dealing), for
this table only: a bot may do otherwise in other company. So a duel may have a company: A, c, B, c, and again with
A and B exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, cycle, islice

from referee.schedule.pairing import ScheduleError, Seating, check_seats


def duel(
    first: str, second: str, seats: int = 4, board_sets: int | None = None, company: Sequence[str] = ()
) -> Iterator[Seating]:
    """Yield the tables of a duel: half the seats for each bot, side by side, or one each in company.

    A name stands at several seats: each is played by a process of its own, and the copies cannot know each other.

    Args:
        first: a bot.
        second: another bot.
        seats: of the table; even.
        board_sets: how many; None for no end, since a sequential test decides when to stop.
        company: bots for the other seats. The two face each other with copies of the same bots between them, so
            that nothing but A and B changes place; the company takes turns, from board set to board set.

    Raises:
        ScheduleError: on the first reading, if the seats cannot be halved or a bot would meet itself.
    """
    check_seats(seats)
    if seats % 2:
        raise ScheduleError(f"seats = {seats}: a duel gives each bot half of the seats: choose an even number.")
    if first == second:
        raise ScheduleError(f"duel: {first!r} against itself: name two bots, or enter it under two names.")
    if {first, second} & set(company):
        raise ScheduleError(f"duel: {first!r} or {second!r} in its own company: name other bots, or none.")
    between = seats // 2 - 1
    turns = cycle(company)
    for board_set in count() if board_sets is None else range(board_sets):
        others = tuple(islice(turns, between))
        left, right = (others, others) if company else ((first,) * between, (second,) * between)
        yield Seating(board_set, board_set, (first, *left, second, *right))
