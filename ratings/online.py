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
from math import exp, log

import numpy as np

from ratings.arrays import Floats
from ratings.observations import Observations
from ratings.pairs import placement_pairs

K_FACTOR = 10.0
INITIAL = 1200.0
BETA = 200.0  # the scale of 400 Elo for odds of ten to one
_NATURAL = log(10.0) / (2 * BETA)
_SHARE_OF_FOUR = 1.0 / 3  # of a board's K in each pair, at a table of four
PACKAGE_BOARDS_MAX = 50_000  # the package takes about ten times as long; above this the equal code here folds

Rate = Callable[[float, float, Sequence[tuple[float, float]]], float]
"""(K, rating, [(score, rating of the other)]) to the new rating."""


@dataclass(frozen=True, slots=True, eq=False)
class OnlineElo:
    """Ratings after the last board, and after each round, in schedule order."""

    bots: tuple[str, ...]
    rating: Floats
    source: str  # "the package elo" or "the built-in equal of the package elo"
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
    boards = _Boards.of(results)
    first, second, score = boards.first, boards.second, boards.score  # looked up once, not at each of the pairs
    rating = [INITIAL] * len(results.bots)
    rounds = []
    for ended, share, pairs in boards:
        if len(pairs) == 6 and share == _SHARE_OF_FOUR:
            _rate_four(rating, first[pairs.start], second, score, pairs.start, k_factor * share)
        else:
            changes = []
            for pair in pairs:
                behind = rating[second[pair]] - rating[first[pair]]
                changes.append(k_factor * share * (score[pair] - 1.0 / (1.0 + 10.0 ** (behind / (2 * BETA)))))
            for pair, change in zip(pairs, changes, strict=True):
                rating[first[pair]] += change
                rating[second[pair]] -= change
        if ended is not None:
            rounds.append((ended, np.array(rating)))
    return OnlineElo(
        bots=results.bots,
        rating=np.array(rating),
        source="the built-in equal of the package elo",
        rounds=tuple(rounds),
    )


def _rate_four(rating: list[float], a: int, second: list[int], score: list[float], at: int, k: float) -> None:
    """Move the ratings of a table of four different bots, all six of whose pairs count: most tables, so by hand.

    The chance of one bot before another is the share of its strength 10^(R / 400) in the sum of both.
    """
    b, c, d = second[at], second[at + 1], second[at + 2]
    strength_a, strength_b = exp(_NATURAL * rating[a]), exp(_NATURAL * rating[b])
    strength_c, strength_d = exp(_NATURAL * rating[c]), exp(_NATURAL * rating[d])
    ab = score[at] - strength_a / (strength_a + strength_b)
    ac = score[at + 1] - strength_a / (strength_a + strength_c)
    ad = score[at + 2] - strength_a / (strength_a + strength_d)
    bc = score[at + 3] - strength_b / (strength_b + strength_c)
    bd = score[at + 4] - strength_b / (strength_b + strength_d)
    cd = score[at + 5] - strength_c / (strength_c + strength_d)
    rating[a] += k * (ab + ac + ad)
    rating[b] += k * (bc + bd - ab)
    rating[c] += k * (cd - ac - bc)
    rating[d] -= k * (ad + bd + cd)


def fold_by(rate: Rate, results: Observations, *, k_factor: float = K_FACTOR) -> OnlineElo:
    """Fold the boards by a rating function such as the package's."""
    boards = _Boards.of(results)
    rating = [INITIAL] * len(results.bots)
    rounds = []
    for ended, share, pairs in boards:
        series: dict[int, list[tuple[float, float]]] = {}
        for pair in pairs:
            bot, other, score = boards.first[pair], boards.second[pair], boards.score[pair]
            series.setdefault(bot, []).append((score, rating[other]))
            series.setdefault(other, []).append((1.0 - score, rating[bot]))
        after = {bot: rate(k_factor * share, rating[bot], own) for bot, own in series.items()}
        for bot, value in after.items():
            rating[bot] = value
        if ended is not None:
            rounds.append((ended, np.array(rating)))
    return OnlineElo(bots=results.bots, rating=np.array(rating), source="the package elo", rounds=tuple(rounds))


@dataclass(frozen=True, slots=True)
class _Boards:
    """The pairs that count, in schedule order: plain lists, which a loop reads faster than arrays."""

    first: list[int]
    second: list[int]
    score: list[float]
    end: list[int]  # of each board in the lists above
    share: list[float]  # 1 / (seats - 1) of each board
    round_number: list[int]

    @staticmethod
    def of(results: Observations) -> _Boards:
        pairs, boards = placement_pairs(results), results.schedule_order
        rank = np.empty(results.boards, dtype=np.int64)
        rank[boards] = np.arange(results.boards)
        rank_of_pair = rank[pairs.board]
        order = np.argsort(rank_of_pair, kind="stable")
        return _Boards(
            first=pairs.first_bot[order].tolist(),
            second=pairs.second_bot[order].tolist(),
            score=pairs.scores[order].tolist(),
            end=np.cumsum(np.bincount(rank_of_pair, minlength=results.boards)).tolist(),
            share=(1.0 / (results.seats[boards] - 1)).tolist(),
            round_number=results.round_number[boards].tolist(),
        )

    def __iter__(self) -> Iterator[tuple[int | None, float, range]]:
        """Each board: the round it ends if any, its share, its pairs."""
        start = 0
        following = [*self.round_number[1:], None]
        for end, share, here, after in zip(self.end, self.share, self.round_number, following, strict=True):
            yield (here if after != here else None), share, range(start, end)
            start = end
