"""Every bot against every other, as plain sums: what happened, before any model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratings.arrays import Floats, ratio
from ratings.observations import Observations
from ratings.pairs import placement_pairs, points_pairs


@dataclass(frozen=True, slots=True, eq=False)
class Crosstable:
    """Matrices by (bot, other bot), in the order of `bots`; NaN where two never met."""

    bots: tuple[str, ...]
    met: Floats  # pairs of seats that count
    score: Floats  # share of them in which the row's bot had the better place, a shared place as half
    points: Floats  # points a deal that the row's bot took less than the column's at the same boards


def crosstable(results: Observations) -> Crosstable:
    """Sum up the meetings of all bots."""
    places = placement_pairs(results)
    met = places.counts() + places.counts().T
    score = places.scores
    wins = places.counts(score) + places.counts(1.0 - score).T
    points = points_pairs(results)
    deals = points.counts(results.deals[points.board].astype(np.float64))
    fewer = points.counts(results.points[points.second] - results.points[points.first])
    return Crosstable(
        bots=results.bots,
        met=met,
        score=ratio(wins, met, otherwise=np.nan),
        points=ratio(fewer - fewer.T, deals + deals.T, otherwise=np.nan),
    )
