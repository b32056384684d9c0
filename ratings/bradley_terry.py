"""The headline rating: Bradley-Terry strengths in Elo units, from places.

Model: at a table, bot i is placed before bot j with probability p = 1 / (1 + 10^((R_j - R_i) / 400)). All
pairs of all tables enter with equal weight, a shared place as half a win each (Bradley & Terry, Biometrika
39, 1952; as a composite likelihood over the pairs of a table). The maximum is found by Newton's method with
step halving: an undamped step can leave for infinity. The intervals are clustered by deal
(`ratings.clusters`).

Every result counts the same whenever it was played, so the order of results has no influence at all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit

from ratings.arrays import Flags, Floats, Ints
from ratings.clusters import clustered_covariance, laplacian, laplacian_inverse
from ratings.connection import main_pool, named, pools, strong_groups
from ratings.fit import Fit, centred
from ratings.observations import Observations, ResultError
from ratings.pairs import Pairs, placement_pairs

ELO = 400.0 / math.log(10.0)  # Elo points of one natural unit of log-odds
BOUND_MISS = 0.05  # chance at which a bound such as "above +350" is wrong
_STEP_MIN = 1e-10  # natural units: far below 0.01 Elo
_STEPS_MAX = 200


def fit_bradley_terry(results: Observations, *, anchor: str | None = None) -> Fit:
    """Rate by places, in Elo; zero is the mean of the rated bots, or the bot `anchor`.

    Raises:
        ResultError: the anchor is not among the bots.
    """
    if anchor is not None and anchor not in results.bots:
        raise ResultError(f"the anchor {anchor!r} is not among the rated bots: {', '.join(results.bots)}")
    notes = _Notes({}, [])
    pairs = placement_pairs(results)
    while True:
        pairs, single = without_single_deals(pairs)
        found = pools(pairs.counts())
        pool = main_pool(found)
        wins = _scores(pairs)
        groups = strong_groups(_among(wins, pool)) if pool is not None else []
        group = groups[0] if groups and groups[0].sum() > 1 else np.zeros(len(results.bots), dtype=np.bool_)
        inside = pairs.among(group)
        theta = _maximum(_among(wins, group), group)
        probability = expit(theta[inside.first_bot] - theta[inside.second_bot])
        weight, residual = probability * (1 - probability), inside.scores - probability
        inverse = _embedded_inverse(inside.counts(weight), group)
        sandwich = clustered_covariance(inside, weight, residual, inverse)
        if not sandwich.sole_deals:
            break
        ids = ", ".join(results.deal_ids[deal] for deal in sandwich.sole_deals)
        notes.warnings.append(
            f"left out of the Elo: deal {ids}, which alone joins some bots, so that no interval exists"
        )
        pairs = pairs.kept(~np.isin(pairs.deal, sandwich.sole_deals))
    position = None if anchor is None else results.bots.index(anchor)
    if position is not None and not group[position]:
        notes.warnings.append(f"the anchor {anchor} has no number of its own: zero is the mean of the rated bots")
        position = None
    value, covariance = centred(theta, sandwich.covariance, group, position) if group.any() else (theta, inverse)
    in_pool = np.zeros(len(results.bots), dtype=np.bool_) if pool is None else pool
    low, high = _bounds(pairs.among(in_pool), group, np.where(group, value, 0.0))
    _state_pools(notes, results, found, pool)
    _state_single(notes, results, single)
    _state_groups(notes, results, pool, group, pairs, low, high)
    return Fit(
        bots=results.bots,
        value=np.where(group, value * ELO, np.nan),
        covariance=covariance * ELO**2,
        deals_effective=sandwich.deals_effective,
        rated=group,
        anchor=None if position is None else anchor,
        low_bound=np.where(group, np.nan, low * ELO),
        high_bound=np.where(group, np.nan, high * ELO),
        statements=notes.statements,
        warnings=tuple(notes.warnings),
    )


def without_single_deals(pairs: Pairs) -> tuple[Pairs, Flags]:
    """Leave out bots seen in one deal only, since one deal is no sample; also say which they are."""
    single = np.zeros(len(pairs.source.bots), dtype=np.bool_)
    while True:
        deals = pairs.deals_of_bots()
        more = (deals == 1) & ~single
        if not more.any():
            return pairs, single
        single |= more
        pairs = pairs.among(~single)


def _scores(pairs: Pairs) -> Floats:
    """Matrix of what each bot scored against each other: a win 1, a shared place 1/2."""
    score = pairs.scores
    matrix: Floats = pairs.counts(score) + pairs.counts(1.0 - score).T
    return matrix


def _among(matrix: Floats, group: Flags) -> Floats:
    inside: Floats = np.where(group[:, None] & group[None, :], matrix, 0.0)
    return inside


def _embedded_inverse(met: Floats, group: Flags) -> Floats:
    """H+ of the group, as a matrix over all bots."""
    inverse = np.zeros(met.shape)
    if group.any():
        index = np.ix_(group, group)
        inverse[index] = laplacian_inverse(laplacian(met[index]))
    return inverse


def _maximum(wins: Floats, group: Flags) -> Floats:
    """The strengths of the group in natural units, mean zero, zero outside the group."""
    theta = np.zeros(len(wins))
    if not group.any():
        return theta
    best = _log_likelihood(wins, theta)
    for _ in range(_STEPS_MAX):
        probability = expit(theta[:, None] - theta[None, :])
        met = wins + wins.T
        gradient = (wins - met * probability).sum(axis=1)
        step: Floats = _embedded_inverse(met * probability * (1 - probability) / 2, group) @ gradient
        if np.abs(step).max() < _STEP_MIN:
            return np.asarray(theta + step)
        for _ in range(60):
            tried = _log_likelihood(wins, theta + step)
            if tried >= best - 1e-13 * abs(best):
                break
            step = step / 2
        theta, best = theta + step, tried
    raise ArithmeticError(f"the Bradley-Terry fit has not settled after {_STEPS_MAX} steps; last step {step!r}")


def _log_likelihood(wins: Floats, theta: Floats) -> float:
    return float((wins * log_expit(theta[:, None] - theta[None, :])).sum())


def _bounds(pairs: Pairs, group: Flags, value: Floats) -> tuple[Floats, Floats]:
    """Bounds, in natural units, of bots outside the group that never lost (never won) against it; else NaN.

    With value r the chance to be seen unbeaten in D deals is at most the product over deals of the mean
    pair's chance; the bound is the r at which it is `BOUND_MISS`. Pairs of one deal count as one trial,
    which errs on the safe side. Where there is no rated group, opponents stand for zero.
    """
    size = len(value)
    low, high = np.full(size, np.nan), np.full(size, np.nan)
    score = pairs.scores
    known = group if group.any() else np.ones(size, dtype=np.bool_)
    for bot in np.flatnonzero(~group):
        ahead = (pairs.first_bot == bot) & known[pairs.second_bot]
        behind = (pairs.second_bot == bot) & known[pairs.first_bot]
        own = np.concatenate((score[ahead], 1.0 - score[behind]))
        if not len(own) or 0 < own.mean() < 1:
            continue
        rivals = value[np.concatenate((pairs.second_bot[ahead], pairs.first_bot[behind]))]
        _, deal = np.unique(np.concatenate((pairs.deal[ahead], pairs.deal[behind])), return_inverse=True)
        if own[0] == 1.0:
            low[bot] = _unbeaten_bound(rivals, deal)
        else:
            high[bot] = -_unbeaten_bound(-rivals, deal)
    return low, high


def _unbeaten_bound(rivals: Floats, deal: Ints) -> float:
    from scipy.optimize import brentq  # takes as long to import as all the rest, and is rarely needed

    share = 1.0 / np.bincount(deal)[deal]

    def excess(r: float) -> float:
        return float((share * log_expit(r - rivals)).sum()) - math.log(BOUND_MISS)

    return float(brentq(excess, rivals.min() - 20.0, rivals.max() + 40.0))


@dataclass(slots=True)
class _Notes:
    statements: dict[str, str]
    warnings: list[str]


def _state_pools(notes: _Notes, results: Observations, found: list[Flags], pool: Flags | None) -> None:
    if len(found) > 1:
        listed = " | ".join(named(results.bots, group) for group in found)
        end = "only the first is rated" if pool is not None else "no single list exists, rate each pool by itself"
        notes.warnings.append(f"{len(found)} pools of bots never met ({listed}): {end}")
    for number, group in enumerate(found, start=1):
        if group is not pool:
            for index in np.flatnonzero(group):
                notes.statements[results.bots[index]] = f"pool {number} of {len(found)}"


def _state_single(notes: _Notes, results: Observations, single: Flags) -> None:
    if single.any():
        notes.warnings.append(
            f"no Elo for bots seen in one deal only, which is no sample: {named(results.bots, single)}"
        )
    for index in np.flatnonzero(single):
        notes.statements[results.bots[index]] = "one deal only"


def _state_groups(
    notes: _Notes,
    results: Observations,
    pool: Flags | None,
    group: Flags,
    pairs: Pairs,
    low: Floats,
    high: Floats,
) -> None:
    """Say of each bot of the pool outside the rated group what is known."""
    deals = pairs.deals_of_bots()
    against = "the rated bots" if group.any() else "the bots it met"
    for index, bot in enumerate(results.bots):
        if bot in notes.statements or group[index]:
            continue
        if pool is None or not pool[index]:
            notes.statements[bot] = "no results"
            continue
        if not math.isnan(low[index]):
            notes.statements[bot] = f"above {math.floor(low[index] * ELO):+d}"
            did = "never lost"
        elif not math.isnan(high[index]):
            notes.statements[bot] = f"below {math.ceil(high[index] * ELO):+d}"
            did = "never won"
        else:
            notes.statements[bot] = "not comparable"
            notes.warnings.append(f"{bot} has no Elo: no chain of results leads from it to {against} and back")
            continue
        notes.warnings.append(
            f"{bot} {did} against {against} in {deals[index]} deals: "
            f"its Elo is {notes.statements[bot]} (95 %), no number"
        )
