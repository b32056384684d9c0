"""What a fit hands back, and the questions that tables ask of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import stdtrit

from ratings.arrays import Flags, Floats


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Ratings with their covariance, over all bots of the observations.

    `value` is NaN for a bot that has no number; `statement` then says what is known in a few words, and
    `bound` the value below (above) which it does not lie, if there is one. Zero is the mean of the rated
    bots, or the anchor.
    """

    bots: tuple[str, ...]
    value: Floats
    covariance: Floats
    deals_effective: Floats
    rated: Flags
    anchor: str | None
    low_bound: Floats  # for a bot that never lost: rated above this with 95 %
    high_bound: Floats  # for a bot that never won
    statements: dict[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def se(self) -> Floats:
        """Standard error of each value, NaN where there is none."""
        return np.where(self.rated, np.sqrt(np.maximum(np.diag(self.covariance), 0.0)), np.nan)

    @property
    def freedom(self) -> Floats:
        """Degrees of freedom of each value's t quantile: the bot's effective number of deals less one.

        Where an anchor is zero each value is a difference from it, and takes the smaller of the two.
        """
        own = self._own_freedom()
        return own if self.anchor is None else np.minimum(own, own[self.bots.index(self.anchor)])

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Lower and upper end of each value's interval."""
        half = stdtrit(self.freedom, 0.5 + level / 2) * self.se
        return self.value - half, self.value + half

    def about_mean(self) -> Fit:
        """The same ratings with zero at the mean of the rated bots, whatever zero is here."""
        if self.anchor is None:
            return self
        mean = self.value[self.rated].mean()
        value, covariance = centred(self.value, self.covariance, self.rated, None)
        return replace(
            self,
            value=value,
            covariance=covariance,
            anchor=None,
            low_bound=self.low_bound - mean,
            high_bound=self.high_bound - mean,
        )

    def difference_se(self) -> Floats:
        """Matrix of the standard errors of value[i] - value[j]."""
        variance = np.diag(self.covariance)
        return np.sqrt(np.maximum(variance[:, None] + variance[None, :] - 2 * self.covariance, 0.0))

    def difference_freedom(self) -> Floats:
        """Degrees of freedom of each difference: those of the bot with fewer deals."""
        own = self._own_freedom()
        return np.minimum(own[:, None], own[None, :])

    def _own_freedom(self) -> Floats:
        return np.maximum(self.deals_effective - 1.0, 1.0)


def centred(value: Floats, covariance: Floats, rated: Flags, anchor: int | None) -> tuple[Floats, Floats]:
    """Shift values so that the rated bots' mean, or the anchor, is zero, and their covariance with them."""
    size = len(value)
    reference = np.zeros(size)
    if anchor is None:
        reference[rated] = 1.0 / rated.sum()
    else:
        reference[anchor] = 1.0
    shift = np.eye(size) - reference[None, :]
    shift[~rated] = 0.0
    filled = np.where(rated, value, 0.0)
    return np.where(rated, shift @ filled, np.nan), shift @ covariance @ shift.T
