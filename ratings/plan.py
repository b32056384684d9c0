"""How many deals more? Planning from what is known, and the rules that stop a run.

A standard error falls as one over the square root of the number of deals, so a table of D deals tells how many a
narrower interval would need: D (SE now / SE wanted)^2.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from ratings.fit import Fit
from ratings.observations import ResultError
from ratings.superiority import compare_all

_INTERVAL = re.compile(r"interval\s*<\s*(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class DealsToGo:
    """How far a goal is. `deals_more` is None where no number of deals is known to reach it."""

    goal: str
    is_reached: bool
    deals_now: int
    deals_more: int | None
    slowest: tuple[str, ...]  # the bot or the two bots that need the most

    def __str__(self) -> str:
        if self.is_reached:
            return f"{self.goal}: reached after {self.deals_now} deals"
        who = " and ".join(self.slowest)
        if self.deals_more is None:
            return f"{self.goal}: not in sight after {self.deals_now} deals ({who})"
        return f"{self.goal}: about {self.deals_more} deals to go, mostly for {who}"


def deals_for_difference(deviation: float, difference: float, *, error: float = 0.05, power: float = 0.8) -> int:
    """Deals needed to tell `difference` from zero.

    Args:
        deviation: standard deviation of one deal's mean (`ratings.sequential.deal_means` of a pilot).
        difference: the true difference, in the same unit.
        error: chance of a false alarm, both sides together.
        power: chance to see the difference.
    """
    if not difference > 0:
        raise ResultError(f"the difference to be seen is {difference:g}: it must be positive")
    return max(2, math.ceil(((ndtri(1 - error / 2) + ndtri(power)) * deviation / difference) ** 2))


def plan_separation(fit: Fit, deals: int, difference: float, *, power: float = 0.8) -> DealsToGo:
    """Deals until any two of the rated bots that differ by `difference` are told apart with 95 %.

    Args:
        fit: of a pilot or of stored results.
        deals: the number of different deals behind it.
        difference: in the fit's unit.
        power: chance that the two are then told apart.
    """
    if not difference > 0:
        raise ResultError(f"the difference to be seen is {difference:g}: it must be positive")
    goal = f"any two bots {difference:g} apart told apart with 95 %"
    wanted = difference / (ndtri(0.975) + ndtri(power))
    return _by_widest_difference(fit, deals, wanted, goal)


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

    def ask(self, fit: Fit, deals: int, *, deals_a_set: int = 1) -> DealsToGo:
        """Whether the goal is reached, and how many deals are missing, in whole board sets."""
        state = self._separated(fit, deals) if self.interval_max is None else self._narrow(fit, deals)
        if state.deals_more is None:
            return state
        return DealsToGo(
            goal=state.goal,
            is_reached=state.is_reached,
            deals_now=state.deals_now,
            deals_more=math.ceil(state.deals_more / deals_a_set) * deals_a_set,
            slowest=state.slowest,
        )

    def _narrow(self, fit: Fit, deals: int) -> DealsToGo:
        goal = f"every interval within ± {self.interval_max:g}"
        if not fit.rated.all():
            return _out_of_sight(fit, deals, goal)
        half = stdtrit(fit.freedom, 0.975) * fit.se
        widest = int(np.argmax(half))
        assert self.interval_max is not None
        more = deals * ((half[widest] / self.interval_max) ** 2 - 1)
        return _state(goal, deals, more, (fit.bots[widest],))

    def _separated(self, fit: Fit, deals: int) -> DealsToGo:
        goal = "all bots separated"
        if not fit.rated.all():
            return _out_of_sight(fit, deals, goal)
        compared = compare_all(fit)
        missing = ~compared.separated & ~np.eye(len(fit.bots), dtype=np.bool_)
        if not missing.any():
            return _state(goal, deals, 0.0, ())
        pairs = len(fit.bots) * (len(fit.bots) - 1) / 2
        gap = np.abs(fit.value[:, None] - fit.value[None, :])
        # The last pair to fall is judged by Holm's largest quantile at worst.
        need = (ndtri(1 - 0.025 / pairs) * fit.difference_se()) ** 2
        factor = np.divide(need, gap**2, out=np.full(gap.shape, np.inf), where=gap > 0)
        i, j = np.unravel_index(int(np.argmax(np.where(missing, factor, -np.inf))), gap.shape)
        slowest = (fit.bots[i], fit.bots[j])
        if not np.isfinite(factor[i, j]):
            return DealsToGo(goal=goal, is_reached=False, deals_now=deals, deals_more=None, slowest=slowest)
        return _state(goal, deals, max(1.0, deals * (factor[i, j] - 1)), slowest)


def _by_widest_difference(fit: Fit, deals: int, wanted_se: float, goal: str) -> DealsToGo:
    if not fit.rated.all():
        return _out_of_sight(fit, deals, goal)
    se = fit.difference_se()
    i, j = np.unravel_index(int(np.argmax(se)), se.shape)
    return _state(goal, deals, deals * ((se[i, j] / wanted_se) ** 2 - 1), (fit.bots[i], fit.bots[j]))


def _state(goal: str, deals: int, more: float, slowest: tuple[str, ...]) -> DealsToGo:
    missing = max(0, math.ceil(more))
    return DealsToGo(goal=goal, is_reached=missing == 0, deals_now=deals, deals_more=missing, slowest=slowest)


def _out_of_sight(fit: Fit, deals: int, goal: str) -> DealsToGo:
    without = tuple(bot for bot, rated in zip(fit.bots, fit.rated, strict=True) if not rated)
    return DealsToGo(goal=goal, is_reached=False, deals_now=deals, deals_more=None, slowest=without)
