"""Places: who stands where on the table, and who has none because the results do not say.

A bot that never lost has no number, only a bound. Two lucky boards are enough for that, so a bound alone puts
nobody above the others: it has to lie above the interval of every rated bot. The mirror holds for bots that
never won.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratings.arrays import Floats, Ints
from ratings.fit import Fit
from ratings.superiority import Superiority

_DIGITS = 9  # values that agree so far are equal


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The order of the table, and by bot its place and its rank interval; None where there is none.

    Ranks count the bots that have a place: those with a number, and those whose bound is clear of all numbers.
    """

    order: tuple[int, ...]
    place: tuple[int | None, ...]
    rank_low: tuple[int | None, ...]
    rank_high: tuple[int | None, ...]


def find_places(ranking: Fit, compared: Superiority, win_share: Floats) -> Places:
    """Order and number the bots: equal values share a place, bots that can't be ranked come last without one.

    Args:
        ranking: the fit by which the table is ordered.
        compared: its comparisons.
        win_share: of each bot, by which bots without a number are ordered among themselves.
    """
    clear = _clear(ranking)

    def key(index: int) -> tuple[int, float]:
        if ranking.rated[index]:
            return 1, -round(float(ranking.value[index]), _DIGITS)
        return {1: 0, -1: 2, 0: 3}[int(clear[index])], -float(win_share[index])

    order = sorted(range(len(ranking.bots)), key=lambda index: (key(index), ranking.bots[index]))
    place: list[int | None] = [None] * len(order)
    for position, index in enumerate(order):
        before = order[position - 1] if position else None
        if key(index)[0] != 3:
            shared = before is not None and key(before) == key(index)
            place[index] = place[before] if shared and before is not None else position + 1
    above = int((clear > 0).sum())
    return Places(
        order=tuple(order),
        place=tuple(place),
        rank_low=_ranks(compared.rank_low, above),
        rank_high=_ranks(compared.rank_high, above),
    )


def _clear(ranking: Fit) -> Ints:
    """1 for bots without a number that are above every rated bot, -1 for those below, 0 for the others.

    Asked about the mean of the rated bots, so that the choice of an anchor moves nobody. Where nobody is rated, the
    bounds were reckoned against bots at zero.
    """
    fit = ranking.about_mean()
    low, high = fit.interval()
    best, worst = (high[fit.rated].max(), low[fit.rated].min()) if fit.rated.any() else (0.0, 0.0)
    return (fit.low_bound > best).astype(np.int64) - (fit.high_bound < worst).astype(np.int64)


def _ranks(ranks: Floats, above: int) -> tuple[int | None, ...]:
    return tuple(None if np.isnan(rank) else int(rank) + above for rank in ranks)
