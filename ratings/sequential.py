"""Is A better than B? The ratio of a sequential test, and the interval of a fixed number of deals.

The observation is one deal: the mean over its boards of A's score against B (1 for the better place, 1/2 for a
shared one), or of the points that A took less. Deals are independent; boards of a deal are not, and never count
apart.

The test is the generalised sequential probability ratio test on deal means: with n deals, mean m and variance v,

    LLR = n (s1 - s0) (2 m - s0 - s1) / (2 v)

is compared with ln(beta / (1 - alpha)) and ln((1 - beta) / alpha) (Wald 1945; the normal approximation with the
variance estimated, Van den Bergh, "A practical introduction to the GSPRT", 2020). s0 and s1 are the scores that
belong to `low` and `high`. The variance of a few deals is worth nothing, hence `DEALS_MIN`. When it is looked at
and what is said then stands in `ratings.answer`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import numpy as np
from scipy.special import stdtrit

from ratings.arrays import Floats, sums
from ratings.bradley_terry import ELO
from ratings.observations import Observations, ResultError
from ratings.pairs import Pairs, placement_pairs, points_pairs

DEALS_MIN = 30  # before the first look
BOUND_MAX = 1000.0  # of a hypothesis, either way: beyond it no two scores and no points of a deal can be told apart
ERROR_MIN = 1e-6  # of alpha and beta

Unit = Literal["elo", "points"]
"""Elo of the placement score at the table played, or points a deal."""


class Verdict(StrEnum):
    """What the deals so far say."""

    BETTER = "better"
    NOT_BETTER = "not better"
    IDENTICAL = "identical play"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypotheses:
    """The question put to the deals: is A better than B by `high` rather than by `low`, in `unit`."""

    low: float = 0.0
    high: float = 10.0
    unit: Unit = "elo"
    alpha: float = 0.05  # chance to say "better" when the truth is `low`
    beta: float = 0.05  # chance to say "not better" when the truth is `high`

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ResultError(f"the bounds of the test are {self.low:g} and {self.high:g}: the first must be less")
        if self.low < -BOUND_MAX or self.high > BOUND_MAX:
            raise ResultError(
                f"the bounds of the test are {self.low:g} and {self.high:g}: "
                f"give two between {-BOUND_MAX:g} and {BOUND_MAX:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ResultError(f"{name} is {value:g}: it is the chance of an error, between 0 and 0.5")
            if value < ERROR_MIN:
                raise ResultError(f"{name} is {value:g}: nobody plays so many deals: give {ERROR_MIN:.6f} or more")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which the answer is "not better"."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which the answer is "better"."""
        return math.log((1 - self.beta) / self.alpha)

    @property
    def means(self) -> tuple[float, float]:
        """The deal means that belong to `low` and `high`."""
        if self.unit == "points":
            return self.low, self.high
        return score_of(self.low), score_of(self.high)

    def __str__(self) -> str:
        unit = "Elo of the placement score at this table" if self.unit == "elo" else "points a deal"
        return (
            f"{self.low:+g} against {self.high:+g} {unit}, errors {100 * self.alpha:g} % and {100 * self.beta:g} %"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedResult:
    """What deals say whose number was fixed beforehand."""

    deals: int
    difference: float | None  # the mean in the unit asked for; None for a score of 0 or 1, which is no finite Elo
    low: float | None  # 95 % interval of the difference
    high: float | None
    verdict: Verdict


def score_of(elo: float) -> float:
    """The placement score that an Elo difference means."""
    return float(1.0 / (1.0 + 10.0 ** (-elo / 400.0)))


def elo_of(score: float) -> float | None:
    """The Elo difference of a placement score; None where there is no finite one."""
    return ELO * math.log(score / (1 - score)) if 0 < score < 1 else None


def deal_means(results: Observations, a: str, b: str, unit: Unit) -> Floats:
    """The mean of each deal in schedule order: A's score against B, or the points that A took less.

    Raises:
        ResultError: A or B is none of the bots.
    """
    for bot in (a, b):
        if bot not in results.bots:
            raise ResultError(f"there is no result of {bot!r}; the bots are {', '.join(results.bots)}")
    one, other = results.bots.index(a), results.bots.index(b)
    pairs = placement_pairs(results) if unit == "elo" else points_pairs(results)
    forward = (pairs.first_bot == one) & (pairs.second_bot == other)
    backward = (pairs.first_bot == other) & (pairs.second_bot == one)
    pairs = pairs.kept(forward | backward)
    value = _values(pairs, unit, one)
    size = len(results.deal_ids)
    met = np.bincount(pairs.deal, minlength=size)
    total = sums(pairs.deal, value, size)
    first_number = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(first_number, results.deal, results.number)
    order = np.argsort(first_number, kind="stable")
    order = order[met[order] > 0]
    return np.asarray(total[order] / met[order])


def _values(pairs: Pairs, unit: Unit, one: int) -> Floats:
    ahead = pairs.first_bot == one
    if unit == "elo":
        return np.where(ahead, pairs.scores, 1.0 - pairs.scores)
    points = pairs.source.points
    fewer = (points[pairs.second] - points[pairs.first]) / pairs.source.deals[pairs.board]
    return np.where(ahead, fewer, -fewer)


def log_likelihood_ratio(means: Floats, hypotheses: Hypotheses) -> float:
    """The evidence for `high` against `low`; 0 while there is none."""
    variance = float(means.var(ddof=1)) if len(means) > 1 else 0.0
    s0, s1 = hypotheses.means
    if variance == 0.0:
        return 0.0
    return float(len(means) * (s1 - s0) * (2 * means.mean() - s0 - s1) / (2 * variance))


def decide_fixed(means: Floats, unit: Unit) -> FixedResult:
    """The answer after a number of deals that was fixed beforehand: by the 95 % interval."""
    low, high = _interval(means)
    even = 0.5 if unit == "elo" else 0.0
    verdict = Verdict.UNDECIDED
    if len(means) >= 2:
        if (means == even).all():
            verdict = Verdict.IDENTICAL
        elif low > even:
            verdict = Verdict.BETTER
        elif high < even:
            verdict = Verdict.NOT_BETTER
    mean = float(means.mean()) if len(means) else math.nan
    # The interval is taken where the data are, then carried over: exact also for large differences.
    difference, low_end, high_end = (
        elo_of(x) if unit == "elo" else (x if math.isfinite(x) else None) for x in (mean, low, high)
    )
    return FixedResult(deals=len(means), difference=difference, low=low_end, high=high_end, verdict=verdict)


def _interval(means: Floats) -> tuple[float, float]:
    if len(means) < 2:
        return -math.inf, math.inf
    half = float(stdtrit(len(means) - 1, 0.975)) * float(means.std(ddof=1)) / math.sqrt(len(means))
    return float(means.mean()) - half, float(means.mean()) + half
