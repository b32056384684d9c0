"""Online Elo: the ticker that moves with every board, and depends on the order of boards.

A table of n is taken as n (n - 1) / 2 games of two: R_i += K / (n - 1) sum over j of (S_ij - E_ij), all from
the ratings before the board, so that a board moves a bot by at most K and the sum of ratings never changes
(Elo 1978; for several players Weng & Lin, JMLR 12, 2011).

Computed by the package `elo` (0.1.1, https://github.com/sublee/elo) where it is installed and by the equal
code here where it is not; `elo` 0.1.1 cannot be built by current installers, hence the extra `[elo]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from ratings.arrays import Floats
from ratings.observations import Observations

K_FACTOR = 10.0
INITIAL = 1200.0
BETA = 200.0  # the scale of 400 Elo for odds of ten to one
PACKAGE_BOARDS_MAX = 50_000  # the package takes about ten times as long; above this the equal code here folds

Rate = Callable[[float, float, Sequence[tuple[float, float]]], float]
"""(K, rating, [(score, rating of the other)]) to the new rating."""

_Pair = tuple[int, int, float]  # bot, other bot, score of the first


@dataclass(frozen=True, slots=True, eq=False)
class OnlineElo:
    """Ratings after the last board, and after each round, in schedule order."""

    bots: tuple[str, ...]
    rating: Floats
    source: str  # "the package elo" or "built in"
    rounds: tuple[tuple[int, Floats], ...]  # (round, ratings after it)


def package_rate() -> Rate | None:
    """The rating function of the package `elo`, or None where it is not installed."""
    if find_spec("elo") is None:
        return None
    import elo

    def rate(k_factor: float, rating: float, series: Sequence[tuple[float, float]]) -> float:
        own = elo.Elo(k_factor=k_factor, rating_class=float, initial=INITIAL, beta=BETA)
        return float(own.rate(rating, series))

    return rate


def fold(results: Observations, *, k_factor: float = K_FACTOR) -> OnlineElo:
    """Fold the boards in schedule order, by the package where it is installed."""
    rate = package_rate() if results.boards <= PACKAGE_BOARDS_MAX else None
    return fold_built_in(results, k_factor=k_factor) if rate is None else fold_by(rate, results, k_factor=k_factor)


def fold_built_in(results: Observations, *, k_factor: float = K_FACTOR) -> OnlineElo:
    """Fold the boards by the code here."""
    rating = [INITIAL] * len(results.bots)
    rounds = []
    for ended, share, pairs in _boards(results):
        changes = []
        for bot, other, score in pairs:
            expected = 1.0 / (1.0 + 10.0 ** ((rating[other] - rating[bot]) / (2 * BETA)))
            changes.append((bot, other, k_factor * share * (score - expected)))
        for bot, other, change in changes:
            rating[bot] += change
            rating[other] -= change
        if ended is not None:
            rounds.append((ended, np.array(rating)))
    return OnlineElo(bots=results.bots, rating=np.array(rating), source="built in", rounds=tuple(rounds))


def fold_by(rate: Rate, results: Observations, *, k_factor: float = K_FACTOR) -> OnlineElo:
    """Fold the boards by a rating function such as the package's."""
    rating = [INITIAL] * len(results.bots)
    rounds = []
    for ended, share, pairs in _boards(results):
        series: dict[int, list[tuple[float, float]]] = {}
        for bot, other, score in pairs:
            series.setdefault(bot, []).append((score, rating[other]))
            series.setdefault(other, []).append((1.0 - score, rating[bot]))
        after = {bot: rate(k_factor * share, rating[bot], own) for bot, own in series.items()}
        for bot, value in after.items():
            rating[bot] = value
        if ended is not None:
            rounds.append((ended, np.array(rating)))
    return OnlineElo(bots=results.bots, rating=np.array(rating), source="the package elo", rounds=tuple(rounds))


def _boards(results: Observations) -> Iterator[tuple[int | None, float, list[_Pair]]]:
    """Each board in schedule order: the round it ends if any, 1 / (seats - 1), its pairs that count."""
    bot, place, autopilot = results.bot.tolist(), results.place.tolist(), results.autopilot.tolist()
    start, mixed, rounds = (
        results.start.tolist(),
        results.has_autopilot.tolist(),
        results.round_number.tolist(),
    )
    order = results.schedule_order.tolist()
    for index, board in enumerate(order):
        low, high = start[board], start[board + 1]
        last = index + 1 == len(order) or rounds[order[index + 1]] != rounds[board]
        pairs = [
            (bot[a], bot[b], 1.0 if place[a] < place[b] else 0.0 if place[a] > place[b] else 0.5)
            for a in range(low, high - 1)
            for b in range(a + 1, high)
            if bot[a] != bot[b] and (not mixed[board] or autopilot[a] != autopilot[b])
        ]
        yield (rounds[board] if last else None), 1.0 / (high - low - 1), pairs
