"""Round robin: every entrant meets every other equally often, beside and across, as nearly as numbers allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from referee.schedule.cyclic import BaseRound, Clock, Differences, find_base_round
from referee.schedule.designs import exact_design
from referee.schedule.evening import Evening
from referee.schedule.pairing import Entrant, Seating, field_of
from referee.schedule.shuffle import Shuffler

if TYPE_CHECKING:
    from collections.abc import Iterable


def round_robin(
    entrants: Sequence[Entrant],
    seats: int,
    seed: str,
    cycles: int | None = 1,
    *,
    played: Sequence[Seating] = (),
    owners_apart: bool = False,
) -> Iterator[Seating]:
    """Yield the tables of a balanced round robin, round by round, as they are read.

    In a cycle every entrant plays `boards_a_cycle` board sets. What the cycles before have left uneven is evened
    out by the next one. The schedule depends on the arguments alone. To resume a tournament whose field is as it
    was, make the schedule again and leave out what is done; `played` is for a field that changed.

    Args:
        entrants: who plays; house bots sit only where there are fewer others than seats.
        seats: of one table, 3..11.
        seed: any text that was fixed before, such as the tournament's id.
        cycles: how many to play; None for no end.
        played: what was played before somebody joined or left. Newcomers then play most until they have caught
            up, rounds and board sets are numbered on, and the end comes when everybody has played `cycles`, and
            nobody lags behind any more.
        owners_apart: seat bots of one owner together only where there is no other way (`balance` says where).

    Raises:
        ScheduleError: on the first reading, if no table can be filled.
    """
    field = field_of(entrants, seats)
    shuffler = Shuffler(f"round robin {seats} {len(played)} {seed}")
    field = tuple(shuffler.shuffled(field))
    rounds: Iterator[BaseRound]
    if played or (owners_apart and _share_an_owner(field)):
        evening = Evening(field, seats, shuffler, played, owners_apart=owners_apart)
        rounds = evening.rounds(None if cycles is None else cycles * boards_a_cycle(len(field), seats))
    else:
        rounds = chain.from_iterable(islice(_cycles(len(field), seats, shuffler), cycles))
    board_set = 1 + max((seating.board_set for seating in played), default=-1)
    first_round = 1 + max((seating.round_number for seating in played), default=-1)
    for round_number, tables in enumerate(rounds, first_round):
        for table in tables:
            yield Seating(round_number, board_set, tuple(field[number].name for number in table))
            board_set += 1


def boards_a_cycle(entrants: int, seats: int) -> int:
    """Count the board sets that each entrant plays in one cycle: N-1, less what does not divide, or a multiple."""
    if design := exact_design(entrants, seats):
        return design.boards
    remainder = entrants % seats
    return entrants - remainder if remainder else entrants - 1


def _cycles(entrants: int, seats: int, shuffler: Shuffler) -> Iterator[Iterator[BaseRound]]:
    """Yield cycles without end, each as its rounds: exact ones where they are known, else searched ones."""
    if design := exact_design(entrants, seats):
        yield from design.cycles(shuffler)
    clock = Clock.of(entrants, seats)
    differences = Differences(clock, seats)
    while True:
        yield clock.develop(find_base_round(differences, clock, seats, shuffler))


def _share_an_owner(field: Iterable[Entrant]) -> bool:
    owners = [entrant.owner for entrant in field if entrant.owner]
    return len(set(owners)) < len(owners)
