"""Who is better than whom, and how sure that is.

The likelihood of superiority (LOS) of i over j is the chance that a t-distributed error would not have
produced the sign of the difference: T((value_i - value_j) / SE_ij). A table of N bots asks N (N - 1) / 2
such questions at once, so a pair is called separated only if it survives Holm's correction over all of them
(Scand. J. Statistics 6, 1979): with 95 % no pair at all is called wrongly. The rank intervals follow from
the same marks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from ratings.arrays import Flags, Floats, ratio
from ratings.fit import Fit

_NOTHING = 1e-6  # Elo or points: far below any difference, far above rounding


@dataclass(frozen=True, slots=True, eq=False)
class Superiority:
    """The comparisons of all rated bots; NaN (false) for bots without a number and on the diagonal."""

    los: Floats
    separated: Flags
    rank_low: Floats  # best rank that the data allow
    rank_high: Floats  # worst rank


def compare_all(fit: Fit, *, error: float = 0.05) -> Superiority:
    """Compare every rated bot with every other."""
    size = len(fit.bots)
    both = fit.rated[:, None] & fit.rated[None, :] & ~np.eye(size, dtype=np.bool_)
    value = np.where(fit.rated, fit.value, 0.0)
    los = np.where(
        both, _los(value[:, None] - value[None, :], fit.difference_se(), fit.difference_freedom()), np.nan
    )
    upper = np.triu(both)
    p_values = 2 * np.minimum(los[upper], 1 - los[upper])
    separated = np.zeros((size, size), dtype=np.bool_)
    separated[upper] = holm(p_values, error)
    separated |= separated.T
    above = separated & (los > 0.5)
    return Superiority(
        los=los,
        separated=separated,
        rank_low=np.where(fit.rated, 1.0 + above.sum(axis=0), np.nan),
        rank_high=np.where(fit.rated, fit.rated.sum() - above.sum(axis=1), np.nan),
    )


def identical_play(*fits: Fit) -> list[str]:
    """Name the bots that every deal left exactly even in all fits: an interval of nothing is no certainty."""
    even = np.ones((len(fits[0].bots),) * 2, dtype=np.bool_)
    for fit in fits:
        value = np.where(fit.rated, fit.value, np.nan)
        even &= (np.abs(value[:, None] - value[None, :]) < _NOTHING) & (fit.difference_se() < _NOTHING)
    groups: dict[tuple[int, ...], None] = {}
    for row in even:
        if row.sum() > 1:
            groups[tuple(np.flatnonzero(row).tolist())] = None
    return [
        f"identical play: {', '.join(fits[0].bots[index] for index in group)} came out even on every deal, "
        "so that their difference has no interval"
        for group in groups
    ]


def holm(p_values: Floats, error: float) -> Flags:
    """Which hypotheses fall when the chance of even one false fall may be `error`."""
    return corrected(p_values) <= error


def corrected(p_values: Floats) -> Floats:
    """Holm's p-values: each is the least `error` at which its hypothesis falls."""
    order = np.argsort(p_values, kind="stable")
    steps = len(p_values) - np.arange(len(p_values))
    result = np.empty(len(p_values))
    result[order] = np.minimum(np.maximum.accumulate(p_values[order] * steps), 1.0)
    return result


def _los(difference: Floats, se: Floats, freedom: Floats) -> Floats:
    # Without any spread there is no doubt either: identical play gives 1/2, anything else certainty.
    certain = 0.5 + 0.5 * np.sign(difference)
    return np.where(se > 0, stdtr(freedom, ratio(difference, se, otherwise=0.0)), certain)
