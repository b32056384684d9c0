"""Follows a duel in the store and says when its question is answered."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ratings.answer import Answer, DuelResults, Fixed, Question
from referee.cli.tournament_host import Look
from referee.record_json import board_results
from referee.records import BoardResult, MatchRecord
from referee.store.store import Store

Cards = tuple[object, ...]
"""Every decision of a match, by deal, in order: who, what, which cards."""


class DuelWatch:
    """A `Watch` over one duel: collects whole board sets, and asks the question of them after each commit.

    Args:
        store: what an earlier run left is read from it.
        a: the bot that is asked about.
        b: the bot it is held against.
        question: what is asked.
    """

    def __init__(self, store: Store, a: str, b: str, question: Question) -> None:
        self._question = question
        self._results = DuelResults(a, b)
        self._halves: dict[
            int, tuple[list[BoardResult], Cards | None]
        ] = {}  # board sets of which one match is there
        self._other_from: float = math.inf  # board set: behind the first that was played otherwise nobody asks
        self._settled = math.inf if store.events(kind="finished") else 0  # board sets: see `DuelResults.answer`
        for boards, cards in _stored(store):
            self._add(boards, cards)

    @property
    def is_open(self) -> bool:
        """Whether the test decides how much is played."""
        return not isinstance(self._question, Fixed)

    def take(self, records: Sequence[MatchRecord]) -> None:
        """Take note of matches that were stored just now."""
        for record in records:
            self._add(board_results(record), cards_of(record) if record.spec.board_set < self._other_from else None)

    def ahead(self, settled: int) -> None:
        """Let all board sets begin: those behind the answer are played in vain, and do not change it."""

    def look(self, settled: int) -> Look:
        """Say where the test stands."""
        self._settled = settled
        answer = self.answer()
        return Look(answer.progress(), answer.is_final)

    def answer(self) -> Answer:
        """Answer by what is there."""
        return self._results.answer(self._question, self._settled)

    def deals_behind(self, answer: Answer) -> int:
        """How many deals were finished behind those that the answer rests on: under way when it was found."""
        return self._results.deals - answer.deals

    def _add(self, boards: list[BoardResult], cards: Cards | None) -> None:
        board_set = boards[0].round_number  # a round of a duel is a board set
        half = self._halves.pop(board_set, None)
        if half is None or half[0][0].deal_id != boards[0].deal_id:  # the first, or the first after a void
            self._halves[board_set] = boards, cards
            return
        # Of this board set alone, whatever came before it: in which order they end is chance.
        is_same = cards is not None and half[1] == cards
        if not is_same:
            self._other_from = min(self._other_from, board_set)
        self._results.add(board_set, half[0] + boards, is_same=is_same)


def cards_of(record: MatchRecord) -> Cards:
    """Every decision of a match, whoever took it, without times and notes."""
    return tuple((d.seat, d.kind, d.cards, d.moon_choice) for deal in record.deals for d in deal.decisions)


def _stored(store: Store) -> Iterator[tuple[list[BoardResult], Cards | None]]:
    """Walk the matches that count in schedule order.

    Records are opened only while the two sides have taken the same points at each seat: identical play is rare,
    and a record takes a hundred times longer to read than its results.
    """
    matches: dict[str, list[BoardResult]] = {}
    for board in store.results():
        matches.setdefault(board.match_id, []).append(board)
    points_of: dict[int, list[tuple[float, ...]]] = {}
    is_same = True
    for key, boards in matches.items():
        points = [board.points for board in boards]
        is_same = is_same and points_of.setdefault(boards[0].round_number, points) == points
        yield boards, cards_of(store.record(key)) if is_same else None
