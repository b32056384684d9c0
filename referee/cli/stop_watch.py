"""Follows a tournament and ends it when its stop rule is met: `until` in its configuration."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ratings.bradley_terry import fit_bradley_terry
from ratings.fit import Fit
from ratings.observations import Observations, from_boards
from ratings.plan import Sample, StopRule
from ratings.points import fit_points
from ratings.sequential import DEALS_MIN
from referee.cli.luck import controlled_of
from referee.cli.tournament_host import Look
from referee.config.tournament import TournamentConfig
from referee.plan import Plan
from referee.record_json import board_results
from referee.records import BoardResult, MatchRecord
from referee.schedule.pairing import Seating
from referee.store.store import Store

GROWTH = 1.05  # of the whole board sets, between two fits: a fit of many results takes its time
AHEAD = 8  # board sets that may be begun beyond the whole ones, at least
AHEAD_SHARE = 8  # and one more for so many that are whole


class StopWatch:
    """A `Watch` over a tournament: rates the board sets at the schedule's beginning and asks the stop rule.

    The rule is asked when the first 1, 2, 3, ..., 11, 13, 15, ... board sets of the schedule are whole, later in
    steps of a twentieth: the numbers are the same in every run. It is not asked before 30 deals. When it says yes,
    the board sets that may have begun by then are played to their end.
    So where a tournament ends depends on its results alone: not on which match ended first, on workers or on kills.

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
        self._fit = self._points if by_points else fit_bradley_terry
        self._config = config
        self._store = store
        self._luck: dict[str, list[float]] = {}  # by deal, where a control variate is configured
        self._plan = plan
        self._begun: dict[tuple[int, int], list[list[BoardResult]]] = {}  # by board set and attempt; not whole yet
        self._whole: dict[int, list[BoardResult]] = {}
        self._next = 1  # board sets, to be asked of
        self._look = Look("", is_over=False)
        matches: dict[str, list[BoardResult]] = {}
        for board in store.results():
            matches.setdefault(board.match_id, []).append(board)
        for boards in matches.values():
            self._add(boards)

    def ahead(self, settled: int) -> int:
        """Let some board sets begin beyond those that are whole, and more of them as results grow."""
        return settled + AHEAD + settled // AHEAD_SHARE

    def take(self, records: Sequence[MatchRecord]) -> None:
        """Take note of matches that were stored just now."""
        for record in records:
            self._add(board_results(record))

    def look(self, settled: int) -> Look:
        """Say how far the goal is, by the last fit."""
        while not self._look.is_over and self._next <= settled:
            self._look = self._ask(self._next)
            self._next = math.ceil(GROWTH * self._next + 0.5)
        return self._look

    def _ask(self, board_sets: int) -> Look:
        results = from_boards(board for n in range(board_sets) for board in self._whole.get(n, ()))
        sample = Sample.of(results)
        if sample.amount < DEALS_MIN:
            return Look(f"first look after {DEALS_MIN} {sample.noun}", is_over=False)
        state = self._rule.ask(self._fit(results), sample, board_set=self._config.deals or 1)
        return Look(str(state), state.is_reached, self.ahead(board_sets) if state.is_reached else None)

    def _points(self, results: Observations) -> Fit:
        """What the table will say: with the control variate where one is configured."""
        controlled = controlled_of(self._config, self._store, results, self._luck)
        return fit_points(results if controlled is None else controlled.results)

    def _add(self, boards: list[BoardResult]) -> None:
        """Keep the boards of one match; those of a whole board set count."""
        board_set, attempt = map(int, boards[0].deal_id.split(".")[:2])
        matches = self._begun.setdefault((board_set, attempt), [])
        matches.append(boards)
        if len(matches) == len(self._plan.rotations(Seating(0, 0, boards[0].bots))):
            del self._begun[board_set, attempt]
            self._whole[board_set] = [board for match in matches for board in match]
