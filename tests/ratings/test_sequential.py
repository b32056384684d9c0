"""The sequential test: honest errors, no look before thirty deals, answers in words."""

import numpy as np
import pytest

from ratings.observations import ResultError, from_boards
from ratings.sequential import (
    DEALS_MIN,
    Hypotheses,
    Verdict,
    deal_means,
    decide_fixed,
    decide_sequentially,
    elo_of,
    log_likelihood_ratio,
    score_of,
)
from ratings.simulation import simulate
from referee.records import BoardResult

SEED = 31


def run_until_verdict(means: np.ndarray, hypotheses: Hypotheses) -> tuple[Verdict, int]:
    """Look after every deal, as a live run does."""
    for deals in range(DEALS_MIN, len(means) + 1):
        verdict = decide_sequentially("a", "b", means[:deals], hypotheses).verdict
        if verdict is not Verdict.UNDECIDED:
            return verdict, deals
    return Verdict.UNDECIDED, len(means)


def duel_means(elo: float, deals: int, rng: np.random.Generator) -> np.ndarray:
    results = simulate({"a": elo, "b": 0.0}, deals, rng, design="duel", luck=1.0, unlike=0.5)
    return deal_means(results, "a", "b", "elo")


def test_an_equal_bot_is_called_better_in_one_run_of_twenty_at_most() -> None:
    rng = np.random.default_rng(SEED)
    hypotheses = Hypotheses(low=0, high=50)

    verdicts = [run_until_verdict(duel_means(0.0, 400, rng), hypotheses)[0] for _ in range(300)]

    # Three standard deviations above the nominal five per cent.
    assert verdicts.count(Verdict.BETTER) / 300 <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5
    assert verdicts.count(Verdict.UNDECIDED) == 0


def test_a_better_bot_is_found_and_long_before_a_fixed_number_of_deals_would() -> None:
    rng = np.random.default_rng(SEED)
    hypotheses = Hypotheses(low=0, high=50)

    runs = [run_until_verdict(duel_means(50.0, 400, rng), hypotheses) for _ in range(100)]

    assert [verdict for verdict, _ in runs].count(Verdict.BETTER) >= 85
    assert np.mean([deals for _, deals in runs]) < 150


def test_nothing_is_said_before_thirty_deals() -> None:
    state = decide_sequentially("a", "b", np.linspace(0.9, 1.0, DEALS_MIN - 1), Hypotheses())

    assert state.verdict is Verdict.UNDECIDED
    assert state.llr is None
    assert str(state).startswith("a and b are not told apart after 29 deals: ")


def test_two_deterministic_copies_play_identically_and_get_no_number() -> None:
    boards = [
        BoardResult(
            match_id=f"m{n}",
            deal_id=f"d{n // 2}",
            number=n,
            round_number=0,
            unit="board",
            rules="r",
            bots=("a", "a", "b", "b") if n % 2 else ("b", "b", "a", "a"),
            points=(0.0, 3.0, 10.0, 13.0),
            places=(1, 2, 3, 4),
            autopilot=(False,) * 4,
        )
        for n in range(80)
    ]
    means = deal_means(from_boards(boards), "a", "b", "points")

    state = decide_sequentially("a", "b", means, Hypotheses(unit="points", high=0.5))

    assert state.verdict is Verdict.IDENTICAL
    assert str(state) == "identical play: a and b did exactly the same in 40 deals"


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

    better = decide_fixed("a", "b", duel_means(100.0, 100, rng), "elo")
    worse = decide_fixed("b", "a", 1 - duel_means(100.0, 100, rng), "elo")

    assert better.verdict is Verdict.BETTER
    assert worse.verdict is Verdict.NOT_BETTER
    assert better.low is not None
    assert better.low > 0
    assert better.llr is None


def test_a_perfect_score_has_no_finite_elo_and_is_still_better() -> None:
    state = decide_fixed("a", "b", np.array([1.0] * 39 + [0.99]), "elo")

    assert state.verdict is Verdict.BETTER
    assert state.high is None
    assert "no bound" in str(state)


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
