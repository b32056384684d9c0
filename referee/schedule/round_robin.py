"""Round robin: every entrant meets every other equally often, beside and across, as nearly as numbers allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.schedule.cyclic import BaseRound, Clock, Differences, find_base_round
from referee.schedule.pairing import Entrant, Seating, field_of
from referee.schedule.shuffle import Shuffler


def round_robin(entrants: Sequence[Entrant], seats: int, seed: str, cycles: int | None = 1) -> Iterator[Seating]:
    """Yield the tables of a balanced round robin, round by round.

    What the cycles before have left uneven is evened out by the next one. The schedule depends on the names, their
    order, `seats` and `seed` alone, and is made as it is read.

    Args:
        entrants: who plays; house bots sit only where there are fewer others than seats.
        seats: of one table, 3..11.
        seed: any text that was fixed before, such as the tournament's id.
        cycles: how many to play; None for no end.

    Raises:
        ScheduleError: on the first reading, if no table can be filled.
    """
    field = field_of(entrants, seats)
    shuffler = Shuffler(f"round robin {seats} {seed}")
    names = [entrant.name for entrant in shuffler.shuffled(field)]
    board_set = 0
    for round_number, tables in enumerate(_rounds(len(names), seats, shuffler, cycles)):
        for table in tables:
            yield Seating(round_number, board_set, tuple(names[number] for number in table))
            board_set += 1


def _rounds(entrants: int, seats: int, shuffler: Shuffler, cycles: int | None) -> Iterator[BaseRound]:
    """Yield rounds of tables of numbers."""
    clock = Clock.of(entrants, seats)
    differences = Differences(clock, seats)
    cycle = 0
    while cycles is None or cycle < cycles:
        yield from clock.develop(find_base_round(differences, clock, seats, shuffler))
        cycle += 1
