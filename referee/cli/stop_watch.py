"""Follows a tournament and ends it when its stop rule is met: `until` in its configuration."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ratings.bradley_terry import fit_bradley_terry
from ratings.observations import from_boards
from ratings.plan import StopRule
from ratings.points import fit_points
from ratings.sequential import DEALS_MIN
from referee.cli.tournament_host import Look
from referee.config.tournament import TournamentConfig
from referee.plan import Plan
from referee.record_json import board_results
from referee.records import BoardResult, MatchRecord
from referee.schedule.pairing import Seating
from referee.store.store import Store

GROWTH = 1.05  # of the whole board sets, between two fits: a fit of many results takes its time


class StopWatch:
    """A `Watch` over a tournament: rates the whole board sets and asks the stop rule.

    Args:
        config: with a stop rule.
        store: what an earlier run left is read from it.
        plan: how many matches make a board set whole.

    Raises:
        ResultError: the stop rule is not understood.
    """

    is_open = True

    def __init__(self, config: TournamentConfig, store: Store, plan: Plan) -> None:
        self._rule = StopRule.parse(config.until or "")
        by_points = config.rank_by == "points" and self._rule.interval_max is None
        self._fit = fit_points if by_points else fit_bradley_terry
        self._deals_a_set = config.deals or 1
        self._plan = plan
        self._begun: dict[str, list[list[BoardResult]]] = {}  # matches of board sets that are not whole yet
        self._whole: list[BoardResult] = []
        self._sets = 0
        self._sets_at_next_fit = 1
        self._look = Look("", is_over=False)
        matches: dict[str, list[BoardResult]] = {}
        for board in store.results():
            matches.setdefault(board.match_id, []).append(board)
        for boards in matches.values():
            self._add(boards)

    def take(self, records: Sequence[MatchRecord]) -> None:
        """Take note of matches that were stored just now."""
        for record in records:
            self._add(board_results(record))

    def look(self) -> Look:
        """Say how far the goal is, by the last fit."""
        if not self._look.is_over and self._sets >= self._sets_at_next_fit:
            self._sets_at_next_fit = math.ceil(GROWTH * self._sets + 0.5)
            self._look = self._ask()
        return self._look

    def _ask(self) -> Look:
        results = from_boards(self._whole)
        deals = len(results.deal_ids)
        if deals < DEALS_MIN:
            return Look(f"first look after {DEALS_MIN} deals", is_over=False)
        state = self._rule.ask(self._fit(results), deals, deals_a_set=self._deals_a_set)
        return Look(str(state), state.is_reached)

    def _add(self, boards: list[BoardResult]) -> None:
        """Keep the boards of one match; those of a whole board set count."""
        board_set = ".".join(boards[0].deal_id.split(".")[:2])  # and attempt
        matches = self._begun.setdefault(board_set, [])
        matches.append(boards)
        if len(matches) == len(self._plan.rotations(Seating(0, 0, boards[0].bots))):
            self._whole += [board for match in self._begun.pop(board_set) for board in match]
            self._sets += 1
