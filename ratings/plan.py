"""How many deals more? Planning from what is known, and the rules that stop a run.

A standard error falls as one over the square root of the number of deals, so a table of D deals tells how many a
narrower interval would need: D (SE now / SE wanted)^2.

What is promised is what the table will mark: two bots are separated there only if they survive Holm's correction
over all pairs, whose first step asks for an error of 5 % over the number of pairs.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri, stdtrit

from ratings.fit import Fit
from ratings.observations import Observations, ResultError
from ratings.superiority import compare_all

_INTERVAL = re.compile(r"interval\s*<\s*(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Sample:
    """How much a fit rests on, as its reader counts: different deals, or different matches to a target score."""

    amount: int
    noun: str = "deals"

    @staticmethod
    def of(results: Observations) -> Sample:
        """The sample that these results are; rotations of a deal, or of a match, count once."""
        if results.unit == "match":
            return Sample(len(results.deal_ids), "matches")
        return Sample(results.deals_played)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealsToGo:
    """How far a goal is. `deals_more` is None where no number of deals is known to reach it."""

    goal: str
    is_reached: bool
    deals_now: int
    deals_more: int | None
    noun: str  # what is counted: "deals", or "matches" where those are to a target score
    slowest: tuple[str, ...]  # the bot or the two bots that need the most

    def __str__(self) -> str:
        if self.is_reached:
            return f"{self.goal}: reached after {self.deals_now:,} {self.noun}"
        who = " and ".join(self.slowest)
        if self.deals_more is None:
            return f"{self.goal}: not in sight after {self.deals_now:,} {self.noun} ({who})"
        return f"{self.goal}: about {self.deals_more:,} {self.noun} to go, mostly for {who}"


def plan_separation(fit: Fit, sample: Sample, difference: float, *, power: float = 0.8) -> DealsToGo:
    """Deals until the table marks any two of the rated bots as separated that differ by `difference`.

    Args:
        fit: of a pilot or of stored results.
        sample: how much is behind it.
        difference: in the fit's unit.
        power: chance that two bots just so far apart are then separated; it errs on the safe side, since only the
            pair that falls first is judged as severely.
    """
    if not difference > 0:
        raise ResultError(f"the difference to be seen is {difference:g}: it must be positive")
    goal = f"any two bots {difference:g} apart separated"
    if not fit.rated.all():
        return _out_of_sight(fit, sample, goal)
    se = fit.difference_se()
    i, j = np.unravel_index(int(np.argmax(se)), se.shape)
    wanted = difference / (_first_quantile(fit) + ndtri(power))
    return _state(goal, sample, sample.amount * ((se[i, j] / wanted) ** 2 - 1), (fit.bots[i], fit.bots[j]))


def _first_quantile(fit: Fit) -> float:
    """Holm's first and most severe step over all pairs of the bots."""
    pairs = len(fit.bots) * (len(fit.bots) - 1) / 2
    return float(ndtri(1 - 0.025 / pairs))


@dataclass(frozen=True, slots=True)
class StopRule:
    """When a run may end before its schedule does: `separated`, or `interval < 15`.

    It is asked at complete board sets only. A run that ends by its own results shows intervals that are meant for a
    number of deals fixed beforehand; the table says that it was stopped.
    """

    interval_max: float | None  # None: until all bots are separated

    @staticmethod
    def parse(text: str) -> StopRule:
        """Read the setting `until`.

        Raises:
            ResultError: it is none of the two forms.
        """
        if text.strip() == "separated":
            return StopRule(None)
        found = _INTERVAL.fullmatch(text.strip())
        if found is None or float(found[1]) <= 0:
            raise ResultError(f"until = {text!r} is not understood; write 'separated' or 'interval < 15' (in Elo)")
        return StopRule(float(found[1]))

    def ask(self, fit: Fit, sample: Sample, *, board_set: int = 1) -> DealsToGo:
        """Whether the goal is reached, and how much is missing, in whole board sets of so many deals or matches."""
        state = self._separated(fit, sample) if self.interval_max is None else self._narrow(fit, sample)
        if state.deals_more is None:
            return state
        return replace(state, deals_more=math.ceil(state.deals_more / board_set) * board_set)

    def _narrow(self, fit: Fit, sample: Sample) -> DealsToGo:
        goal = f"every interval within ± {self.interval_max:g}"
        if not fit.rated.all():
            return _out_of_sight(fit, sample, goal)
        half = stdtrit(fit.freedom, 0.975) * fit.se
        widest = int(np.argmax(half))
        assert self.interval_max is not None
        more = sample.amount * ((half[widest] / self.interval_max) ** 2 - 1)
        return _state(goal, sample, more, (fit.bots[widest],))

    def _separated(self, fit: Fit, sample: Sample) -> DealsToGo:
        goal = "all bots separated"
        if not fit.rated.all():
            return _out_of_sight(fit, sample, goal)
        compared = compare_all(fit)
        missing = ~compared.separated & ~np.eye(len(fit.bots), dtype=np.bool_)
        if not missing.any():
            return _state(goal, sample, 0.0, ())
        gap = np.abs(fit.value[:, None] - fit.value[None, :])
        need = (_first_quantile(fit) * fit.difference_se()) ** 2
        factor = np.divide(need, gap**2, out=np.full(gap.shape, np.inf), where=gap > 0)
        i, j = np.unravel_index(int(np.argmax(np.where(missing, factor, -np.inf))), gap.shape)
        slowest = (fit.bots[i], fit.bots[j])
        if not np.isfinite(factor[i, j]):
            return _to_go(goal, sample, None, slowest)
        return _state(goal, sample, max(1.0, sample.amount * (factor[i, j] - 1)), slowest)


def _state(goal: str, sample: Sample, more: float, slowest: tuple[str, ...]) -> DealsToGo:
    return _to_go(goal, sample, max(0, math.ceil(more)), slowest)


def _out_of_sight(fit: Fit, sample: Sample, goal: str) -> DealsToGo:
    without = tuple(bot for bot, rated in zip(fit.bots, fit.rated, strict=True) if not rated)
    return _to_go(goal, sample, None, without)


def _to_go(goal: str, sample: Sample, more: int | None, slowest: tuple[str, ...]) -> DealsToGo:
    return DealsToGo(
        goal=goal,
        is_reached=more == 0,
        deals_now=sample.amount,
        deals_more=more,
        noun=sample.noun,
        slowest=slowest,
    )
