"""Points a deal: how many fewer points a bot takes than the field.

Model: at a table, (mean of the table - points of bot i) = mu_i - mean of mu over the table + error; least
squares, so that a bot is not praised for weak company. Same intervals, clustered by deal, as the Elo.
Observations of several deals enter by their points a deal, weighted by their deals.

Points and places can disagree in sign: a bot that tries to shoot the moon wins deals and pays for it.
"""

from __future__ import annotations

import numpy as np

from ratings.arrays import Floats, ratio, sums
from ratings.bradley_terry import without_single_deals
from ratings.clusters import clustered_covariance, laplacian, laplacian_inverse
from ratings.connection import main_pool, named, pools
from ratings.fit import Fit, centred
from ratings.observations import Observations
from ratings.pairs import points_pairs


def fit_points(results: Observations) -> Fit:
    """Rate by points a deal over the mean of the rated bots; positive takes fewer."""
    warnings: list[str] = []
    statements: dict[str, str] = {}
    pairs = points_pairs(results)
    size = len(results.bots)
    while True:
        pairs, single = without_single_deals(pairs)
        found = pools(pairs.counts())
        pool = main_pool(found)
        group = np.zeros(size, dtype=np.bool_) if pool is None else pool
        inside = pairs.among(group)
        # Least squares on deviations from the table's mean is least squares on all pairs, each with weight 1/seats.
        seats = results.seats[inside.board]
        weight = results.deals[inside.board] / seats
        ahead = (results.points[inside.second] - results.points[inside.first]) / seats
        inverse = np.zeros((size, size))
        if group.any():
            index = np.ix_(group, group)
            inverse[index] = laplacian_inverse(laplacian(inside.counts(weight)[index]))
        value = inverse @ (inside.counts(ahead).sum(axis=1) - inside.counts(ahead).sum(axis=0))
        residual = ahead - weight * (value[inside.first_bot] - value[inside.second_bot])
        sandwich = clustered_covariance(inside, weight, residual, inverse)
        if not sandwich.sole_deals:
            break
        ids = ", ".join(results.deal_ids[deal] for deal in sandwich.sole_deals)
        warnings.append(
            f"left out of the points: deal {ids}, which alone joins some bots, so that no interval exists"
        )
        pairs = pairs.kept(~np.isin(pairs.deal, sandwich.sole_deals))
    covariance = sandwich.covariance
    if group.any():
        value, covariance = centred(value, covariance, group, None)
    if single.any():
        warnings.append(f"no points a deal for bots seen in one deal only: {named(results.bots, single)}")
    for left_out in np.flatnonzero(~group):
        statements[results.bots[left_out]] = "one deal only" if single[left_out] else "never met the others"
    nothing = np.full(size, np.nan)
    return Fit(
        bots=results.bots,
        value=np.where(group, value, np.nan),
        covariance=covariance,
        deals_effective=sandwich.deals_effective,
        rated=group,
        anchor=None,
        low_bound=nothing,
        high_bound=nothing,
        statements=statements,
        warnings=tuple(warnings),
    )


def points_means(results: Observations) -> Floats:
    """Plain mean of the points that each bot took a deal; NaN where no board counts."""
    clean = ~results.has_autopilot[results.board_of_row]
    bot, size = results.bot[clean], len(results.bots)
    taken = sums(bot, results.points[clean], size)
    deals = sums(bot, results.deals[results.board_of_row][clean], size)
    return ratio(taken, deals, otherwise=np.nan)
