"""The sequential test's ratio and bounds, the deal means it reads, and the interval of a fixed number of deals."""

import numpy as np
import pytest

from ratings.observations import ResultError
from ratings.sequential import (
    Hypotheses,
    Verdict,
    deal_means,
    decide_fixed,
    elo_of,
    log_likelihood_ratio,
    score_of,
)
from ratings.simulation import simulate

SEED = 31


def duel_means(elo: float, deals: int, rng: np.random.Generator) -> np.ndarray:
    results = simulate({"a": elo, "b": 0.0}, deals, rng, design="duel", luck=1.0, unlike=0.5)
    return deal_means(results, "a", "b", "elo")


def test_the_ratio_is_the_formula_and_the_bounds_are_walds() -> None:
    hypotheses = Hypotheses(low=0, high=10)
    means = np.tile([0.4, 0.7], 50)
    s0, s1 = 0.5, 1 / (1 + 10 ** (-10 / 400))

    assert hypotheses.lower == pytest.approx(-2.944, abs=1e-3)
    assert hypotheses.upper == pytest.approx(2.944, abs=1e-3)
    expected = 100 * (s1 - s0) * (2 * 0.55 - s0 - s1) / (2 * means.var(ddof=1))
    assert log_likelihood_ratio(means, hypotheses) == pytest.approx(expected)


def test_a_fixed_number_of_deals_answers_by_the_interval() -> None:
    rng = np.random.default_rng(SEED)

    better = decide_fixed(duel_means(100.0, 100, rng), "elo")
    worse = decide_fixed(1 - duel_means(100.0, 100, rng), "elo")

    assert better.verdict is Verdict.BETTER
    assert worse.verdict is Verdict.NOT_BETTER
    assert better.low is not None
    assert better.low > 0


def test_a_perfect_score_has_no_finite_elo_and_is_still_better() -> None:
    state = decide_fixed(np.array([1.0] * 39 + [0.99]), "elo")

    assert state.verdict is Verdict.BETTER
    assert state.high is None


@pytest.mark.parametrize("elo", [-800.0, -10.0, 0.0, 3.5, 400.0])
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_of(score_of(elo)) == pytest.approx(elo)


def test_deal_means_come_in_schedule_order_and_per_deal() -> None:
    rng = np.random.default_rng(SEED)
    results = simulate({"a": 0.0, "b": 0.0}, 20, rng, design="duel")

    means = deal_means(results, "a", "b", "points")

    assert len(means) == 20
    assert means == pytest.approx(-deal_means(results, "b", "a", "points"))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"low": 5.0, "high": 5.0}, "the bounds of the test are 5 and 5: the first must be less"),
        ({"alpha": 0.7}, "alpha is 0.7: it is the chance of an error, between 0 and 0.5"),
    ],
)
def test_a_senseless_question_is_refused(values: dict[str, float], sentence: str) -> None:
    with pytest.raises(ResultError, match=sentence):
        Hypotheses(**values)  # type: ignore[arg-type]


def test_an_unknown_bot_is_refused_with_the_names_there_are() -> None:
    results = simulate({"a": 0.0, "b": 0.0}, 5, np.random.default_rng(SEED), design="duel")

    with pytest.raises(ResultError, match="there is no result of 'c'; the bots are a, b"):
        deal_means(results, "a", "c", "elo")
