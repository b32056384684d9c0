"""The control variate: fewer deals without rotation, nothing at all with it, and refused without a baseline."""

import numpy as np
import pytest

from ratings.control import beta_of_pilot, with_control_variate
from ratings.observations import Observations, ResultError
from ratings.points import fit_points
from ratings.simulation import simulate

POOL = {"a": 0.0, "b": 50.0, "c": 100.0, "d": 150.0}
SEED = 17


def baseline_of(results: Observations, rng: np.random.Generator) -> dict[str, list[float]]:
    """What equal reference bots took at the same seats: here the seat's points with noise of their own."""
    return {
        results.deal_ids[deal]: list(results.points[results.start[board] :][:4] + rng.normal(0, 3, 4))
        for board, deal in enumerate(results.deal)
    }


def test_without_rotation_the_intervals_get_narrower() -> None:
    rng = np.random.default_rng(SEED)
    results = simulate(POOL, 400, rng, design="random", luck=2.0)

    controlled = with_control_variate(results, baseline_of(results, rng), 0.7)

    assert fit_points(controlled.results).se.max() < 0.75 * fit_points(results).se.max()
    assert controlled.spread_after < controlled.spread_before
    assert str(controlled).startswith("points corrected for the luck of the cards, beta 0.7 fixed beforehand")


def test_in_full_rotations_it_cancels_exactly() -> None:
    rng = np.random.default_rng(SEED)
    results = simulate(POOL, 50, rng, luck=2.0)
    baseline = {deal: list(rng.normal(6.5, 4, 4)) for deal in results.deal_ids}

    corrected = with_control_variate(results, baseline, 0.9).results

    assert fit_points(corrected).value == pytest.approx(fit_points(results).value, abs=1e-9)


def test_the_points_of_a_table_keep_their_sum() -> None:
    rng = np.random.default_rng(SEED)
    results = simulate(POOL, 20, rng, design="random")

    corrected = with_control_variate(results, baseline_of(results, rng), 0.5).results

    assert corrected.points.reshape(-1, 4).sum(axis=1) == pytest.approx(results.points.reshape(-1, 4).sum(axis=1))


def test_beta_comes_from_a_pilot_and_is_zero_where_the_reference_says_nothing() -> None:
    rng = np.random.default_rng(SEED)
    pilot = simulate(dict.fromkeys("abcd", 0.0), 300, rng, design="random", luck=2.0)

    assert 0.5 < beta_of_pilot(pilot, baseline_of(pilot, rng)) < 1.0
    assert beta_of_pilot(pilot, {deal: [6.5] * 4 for deal in pilot.deal_ids}) == 0.0


def test_a_deal_without_a_baseline_is_refused_by_name() -> None:
    results = simulate(POOL, 3, np.random.default_rng(SEED), design="random")

    with pytest.raises(ResultError, match="deal deal-0 has a baseline of 0 seats but was played by 4"):
        with_control_variate(results, {}, 0.5)
