"""The pairs of a table: what Bradley-Terry and the points fit both sum over.

A table of four holds six pairs. Two pairs of one table, and of one deal, are not independent; the point
estimates may ignore that, the intervals must not (`ratings.clusters`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from ratings.arrays import Flags, Floats, Ints, sums
from ratings.observations import Observations


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of seats that say something about two different bots, sorted by deal."""

    source: Observations
    first: Ints  # row of one seat
    second: Ints  # row of the other

    @cached_property
    def first_bot(self) -> Ints:
        """The bot at the first seat of each pair."""
        return self.source.bot[self.first]

    @cached_property
    def second_bot(self) -> Ints:
        """The bot at the second seat of each pair."""
        return self.source.bot[self.second]

    @cached_property
    def board(self) -> Ints:
        """The board of each pair."""
        return self.source.board_of_row[self.first]

    @cached_property
    def deal(self) -> Ints:
        """The deal of each pair, not decreasing."""
        return self.source.deal[self.board]

    def kept(self, keep: Flags) -> Pairs:
        """The pairs where `keep` is true."""
        return self if keep.all() else Pairs(self.source, self.first[keep], self.second[keep])

    def among(self, bots: Flags) -> Pairs:
        """The pairs of which both bots are among `bots`."""
        return self.kept(bots[self.first_bot] & bots[self.second_bot])

    @cached_property
    def scores(self) -> Floats:
        """1 where the first seat has the better place, 1/2 for a shared place, else 0."""
        place = self.source.place
        score: Floats = 0.5 + 0.5 * np.sign(place[self.second] - place[self.first])
        return score

    def counts(self, weights: Floats | None = None) -> Floats:
        """Matrix of the pairs met, or of the first seats' `weights` summed, by (first bot, second bot)."""
        size = len(self.source.bots)
        flat = self.first_bot.astype(np.int64) * size + self.second_bot
        amount = np.ones(len(flat)) if weights is None else weights
        matrix: Floats = sums(flat, amount, size * size).reshape(size, size)
        return matrix

    def deals_of_bots(self) -> Ints:
        """The number of different deals in which each bot is part of a pair."""
        entries = self.source.entries
        present = np.zeros(len(entries.bot), dtype=np.bool_)
        present[entries.of_row[self.first]] = True
        present[entries.of_row[self.second]] = True
        return np.bincount(entries.bot[present], minlength=len(self.source.bots))


@lru_cache(maxsize=1)
def placement_pairs(results: Observations) -> Pairs:
    """The pairs whose places count.

    On a board with a seat on autopilot only the pairs of one autopilot and one bot count, as the offender's
    loss; the others say nothing about anybody (docs/statistics.md). Two copies of one bot say nothing either.
    """
    pairs = _seat_pairs(results)
    mixed = results.autopilot[pairs.first] != results.autopilot[pairs.second]
    counts = mixed | ~results.has_autopilot[pairs.board]
    return pairs.kept(counts & (pairs.first_bot != pairs.second_bot))


@lru_cache(maxsize=1)
def points_pairs(results: Observations) -> Pairs:
    """The pairs whose points count: of boards that were played by their bots to the end."""
    pairs = _seat_pairs(results)
    return pairs.kept(~results.has_autopilot[pairs.board] & (pairs.first_bot != pairs.second_bot))


@lru_cache(maxsize=1)
def _seat_pairs(results: Observations) -> Pairs:
    """All pairs of seats of all boards, in board order."""
    first, second = [], []
    for seats in np.unique(results.seats):
        start = results.start[:-1][results.seats == seats].astype(np.int32)
        a, b = np.triu_indices(int(seats), k=1)
        first.append((start[:, None] + a.astype(np.int32)).ravel())
        second.append((start[:, None] + b.astype(np.int32)).ravel())
    if not first:
        return Pairs(results, np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32))
    pairs = Pairs(results, np.concatenate(first), np.concatenate(second))
    if len(first) == 1:
        return pairs
    order = np.argsort(pairs.board, kind="stable")
    return Pairs(results, pairs.first[order], pairs.second[order])
