"""Who does better in whose company, and who does better when the cards come round again.

Two things that a rating cannot show:

- A takes fewer points from third bots when B sits at the table, more than its rating explains. That may be a style
  that suits it, or a friend who loses on purpose.
- A does better on the later boards of a deal than on the first. In a board set each bot sees other cards of a deal
  at each rotation; a bot that gains has remembered them.

Both are tests on deal means, with Holm's correction over all questions of a kind, at half of `ERROR` each: an
honest table shows nothing at all in 99 of 100 cases. A finding is a question to the author, never a verdict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
from scipy.special import stdtr

from ratings.arrays import Flags, Floats, Ints, ratio, sums
from ratings.fit import Fit
from ratings.observations import Observations
from ratings.pairs import points_pairs
from ratings.superiority import corrected

ERROR = 0.01  # chance that an honest table shows any finding: it reads as an accusation, so 0.05 would be too much
KINDS = 2  # company and memory share it
CHANCE = f"chance does this in 1 of {round(1 / ERROR)} honest tables: a question to the author, not a verdict"
DEALS_MIN = 10  # on each side of a comparison; fewer are no sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that a clean tournament would hardly show."""

    kind: Literal["company", "memory"]
    bot: str
    other: str | None  # whose company
    points: float  # a deal fewer than expected
    p_value: float  # corrected for the number of questions of both kinds: at most `ERROR`
    deals: int

    def __str__(self) -> str:
        chance = f"corrected p = {self.p_value:.2g}, {self.deals} deals"
        if self.kind == "company":
            return (
                f"{self.bot} takes {self.points:.1f} points a deal less from third bots "
                f"when {self.other} sits at the table ({chance})"
            )
        return f"{self.bot} takes {self.points:.1f} points a deal less once it has seen the deal before ({chance})"

    def to_json(self) -> dict[str, object]:
        """Give the finding as JSON values, the sentence among them."""
        return {**asdict(self), "sentence": str(self)}


@dataclass(frozen=True, slots=True)
class _Question:
    """One test: the mean of some deals against another mean."""

    bot: str
    other: str | None
    points: float
    p_value: float  # one-sided, not corrected
    deals: int


@dataclass(frozen=True, slots=True, eq=False)
class _Meetings:
    """One bot's pairs; `surplus` is the points a deal taken less than the other, beyond what ratings explain."""

    board: Ints
    other: Ints
    surplus: Floats


def find_company(results: Observations, fit: Fit) -> tuple[Finding, ...]:
    """Bots that gain from third bots by the presence of another; `fit` is the points fit of the same results."""
    questions: list[_Question] = []
    for index, meetings in _meetings(results, fit):
        boards, local = np.unique(meetings.board, return_inverse=True)
        deal, size = results.deal[boards], len(boards)
        total, pairs = sums(local, meetings.surplus, size), np.bincount(local, minlength=size)
        for other in np.unique(meetings.other):
            his = meetings.other == other
            his_pairs = np.bincount(local[his], minlength=size)
            third = total - sums(local[his], meetings.surplus[his], size)
            value = ratio(third, pairs - his_pairs, otherwise=np.nan)
            present, usable = his_pairs > 0, pairs > his_pairs
            beside = _deal_means(value, deal, present & usable)
            apart = _deal_means(value, deal, ~present & usable)
            if min(len(beside), len(apart)) >= DEALS_MIN:
                gain, p_value = _welch(beside, apart)
                questions.append(_Question(fit.bots[index], fit.bots[other], gain, p_value, len(beside)))
    return _fired(questions, "company")


def find_memory(results: Observations, fit: Fit) -> tuple[Finding, ...]:
    """Bots that do better on the later boards of a deal than on the first; `fit` as above."""
    order = np.lexsort((results.number, results.deal))
    is_first = np.zeros(results.boards, dtype=np.bool_)
    is_first[order[np.diff(results.deal[order], prepend=-1) > 0]] = True
    questions: list[_Question] = []
    for index, meetings in _meetings(results, fit):
        deal, first = results.deal[meetings.board], is_first[meetings.board]
        both = np.intersect1d(deal[first], deal[~first])
        seen = np.isin(deal, both)
        gains = _deal_means(meetings.surplus, deal, seen & ~first) - _deal_means(
            meetings.surplus, deal, seen & first
        )
        if len(gains) >= DEALS_MIN:
            gain, p_value = _student(gains)
            questions.append(_Question(fit.bots[index], None, gain, p_value, len(gains)))
    return _fired(questions, "memory")


def _meetings(results: Observations, fit: Fit) -> Iterator[tuple[int, _Meetings]]:
    """The pairs of each rated bot with rated bots, on boards that all bots played to the end."""
    pairs = points_pairs(results).among(fit.rated)
    expected = fit.value[pairs.first_bot] - fit.value[pairs.second_bot]
    fewer = (results.points[pairs.second] - results.points[pairs.first]) / results.deals[pairs.board]
    surplus = fewer - expected
    for index in np.flatnonzero(fit.rated):
        ahead, behind = pairs.first_bot == index, pairs.second_bot == index
        yield (
            int(index),
            _Meetings(
                board=np.concatenate((pairs.board[ahead], pairs.board[behind])),
                other=np.concatenate((pairs.second_bot[ahead], pairs.first_bot[behind])),
                surplus=np.concatenate((surplus[ahead], -surplus[behind])),
            ),
        )


def _deal_means(value: Floats, deal: Ints, chosen: Flags) -> Floats:
    """The mean of the chosen values of each deal that has any, by deal."""
    _, local = np.unique(deal[chosen], return_inverse=True)
    size = int(local.max()) + 1 if len(local) else 0
    return sums(local, value[chosen], size) / np.bincount(local, minlength=size)


def _welch(here: Floats, there: Floats) -> tuple[float, float]:
    """The difference of two means and the one-sided p-value (Welch, Biometrika 34, 1947)."""
    gain = float(here.mean() - there.mean())
    a, b = float(here.var(ddof=1)) / len(here), float(there.var(ddof=1)) / len(there)
    if a + b == 0:
        return gain, 1.0
    freedom = (a + b) ** 2 / (a**2 / (len(here) - 1) + b**2 / (len(there) - 1))
    return gain, float(stdtr(freedom, -gain / math.sqrt(a + b)))


def _student(gains: Floats) -> tuple[float, float]:
    gain, variance = float(gains.mean()), float(gains.var(ddof=1)) / len(gains)
    return gain, 1.0 if variance == 0 else float(stdtr(len(gains) - 1, -gain / math.sqrt(variance)))


def _fired(questions: Sequence[_Question], kind: Literal["company", "memory"]) -> tuple[Finding, ...]:
    """The questions whose answer survives the correction, strongest first."""
    p_values = KINDS * corrected(np.array([question.p_value for question in questions]))
    fired = [pair for pair in zip(p_values.tolist(), questions, strict=True) if pair[0] <= ERROR]
    return tuple(
        Finding(
            kind=kind,
            bot=question.bot,
            other=question.other,
            points=question.points,
            p_value=p_value,
            deals=question.deals,
        )
        for p_value, question in sorted(fired, key=lambda pair: pair[1].p_value)
    )
