"""The Bradley-Terry maximum found by an optimiser that shares no code with the fit."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_expit

from ratings.bradley_terry import ELO
from ratings.observations import Observations
from ratings.pairs import placement_pairs


def independent_optimum(results: Observations) -> np.ndarray:
    """The likelihood, pair by pair, by a quasi-Newton method: Elo with mean zero."""
    pairs = placement_pairs(results)
    first, second, score = pairs.first_bot, pairs.second_bot, pairs.scores

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        gap = theta[first] - theta[second]
        value = -(score * log_expit(gap) + (1 - score) * log_expit(-gap)).sum()
        slope = 1 / (1 + np.exp(-gap)) - score
        size = len(theta)
        return value, np.bincount(first, slope, size) - np.bincount(second, slope, size)

    found = minimize(loss, np.zeros(len(results.bots)), jac=True, method="BFGS", options={"gtol": 1e-7})
    return np.asarray(found.x - found.x.mean()) * ELO
