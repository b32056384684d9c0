"""Rounds that even out what was played: for fields that change, and for owners whose bots are kept apart.

A cyclic schedule needs the whole field from the first round to the last. Where that is not given, each round
seats those who have played least and then looks for the tables that repeat least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from referee.schedule.costs import Costs, cheapest_tables

if TYPE_CHECKING:
    from referee.schedule.pairing import Entrant, Seating
    from referee.schedule.shuffle import Shuffler


class Evening:
    """The counts of a field, and the rounds that they lead to."""

    __slots__ = ("_boards", "_costs", "_owners", "_seats", "_shuffler")

    def __init__(
        self,
        field: Sequence[Entrant],
        seats: int,
        shuffler: Shuffler,
        played: Iterable[Seating],
        *,
        owners_apart: bool,
    ) -> None:
        self._seats = seats
        self._shuffler = shuffler
        self._boards = [0] * len(field)
        self._costs = Costs(len(field))
        number_of = {entrant.name: number for number, entrant in enumerate(field)}
        for seating in played:
            self._count([number_of.get(name) for name in seating.bots])
        self._owners = [entrant.owner for entrant in field] if owners_apart else []
        if owners_apart:
            self._costs.keep_owners_apart(self._owners)

    def rounds(self, boards_goal: int | None) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Yield rounds until every entrant has played `boards_goal` board sets; None for no end.

        Whoever lags behind the others then plays on until it has caught up, too.
        """
        while boards_goal is None or min(self._boards) < max(boards_goal, max(self._boards) - 1):
            tables = cheapest_tables(self._costs, self._sitters(), self._seats, self._shuffler)
            for table in tables:
                self._count(table)
            yield tables

    def _sitters(self) -> list[int]:
        """Choose who plays the next round: those who have played least."""
        order = self._shuffler.shuffled(range(len(self._boards)))
        order.sort(key=self._boards.__getitem__)
        tables = self._tables()
        if self._owners:
            return self._apart(order, tables)
        return order[: self._seats * tables]

    def _apart(self, order: list[int], tables: int) -> list[int]:
        """Choose who plays, and among equals no more bots of one owner than there are tables."""
        sitters: list[int] = []
        sitting: Counter[str] = Counter()
        while len(sitters) < self._seats * tables:
            equals = list(takewhile(lambda number: self._boards[number] == self._boards[order[0]], order))
            number = next((each for each in equals if sitting[self._owners[each]] < tables), equals[0])
            order.remove(number)
            sitters.append(number)
            if self._owners[number]:
                sitting[self._owners[number]] += 1
        return sitters

    def _tables(self) -> int:
        """Choose how many tables to play at once: all, or fewer while somebody lags behind.

        If everybody played, a newcomer would never catch up. So newcomers get about half the seats.
        """
        tables = len(self._boards) // self._seats
        behind = sum(boards < max(self._boards) - 1 for boards in self._boards)
        if behind in (0, len(self._boards)):
            return tables
        enough = max(1, -(-2 * behind // self._seats))
        everybody = tables * self._seats == len(self._boards)
        return max(1, min(enough, tables - 1 if everybody else tables))

    def _count(self, table: Sequence[int | None]) -> None:
        self._costs.add(table)
        for number in table:
            if number is not None:
                self._boards[number] += 1
