"""Which tables may run at once: those that share no entrant."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def pack_rounds(tables: Iterable[tuple[T, ...]], tables_max: int) -> list[tuple[tuple[T, ...], ...]]:
    """Put each table into the first round where all its entrants are free, at most `tables_max` in a round."""
    rounds: list[list[tuple[T, ...]]] = []
    busy: list[set[T]] = []
    first_open = 0
    for table in tables:
        open_rounds = range(first_open, len(rounds))
        free = (place for place in open_rounds if len(rounds[place]) < tables_max and busy[place].isdisjoint(table))
        place = next(free, len(rounds))
        if place == len(rounds):
            rounds.append([])
            busy.append(set())
        rounds[place].append(table)
        busy[place].update(table)
        while first_open < len(rounds) and len(rounds[first_open]) >= tables_max:
            first_open += 1
    return [tuple(tables) for tables in rounds]
