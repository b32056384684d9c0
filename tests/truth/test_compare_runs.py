"""The short form of the runs of `hearts compare` that `make truth` plays: right where it matters, seldom wrong."""

import numpy as np

from ratings.answer import first_decision
from ratings.sequential import Hypotheses, Verdict, deal_means
from tests.truth.compare_runs import CYCLE, Run, run, told
from tests.truth.offline_play import duel

SEED = 3


def test_counter_is_called_better_than_duck_within_three_hundred_deals() -> None:
    runs = [run("counter", "duck", index, Hypotheses(), seed=SEED, deals_max=300) for index in range(3)]

    print(told(runs))
    assert [each.verdict for each in runs] == [Verdict.BETTER] * 3


def test_two_deterministic_copies_come_out_even_at_every_deal() -> None:
    results = duel("duck", "duck'", range(1, 41), seed=SEED)

    assert set(deal_means(results, "duck", "duck'", "elo")) == {0.5}
    assert set(deal_means(results, "duck", "duck'", "points")) == {0.0}
    assert run("duck", "duck'", 0, Hypotheses(), seed=SEED, deals_max=60) == Run(Verdict.UNDECIDED, False, 60)


def test_the_sequential_test_is_wrong_in_about_one_null_run_of_twenty() -> None:
    means = deal_means(
        duel("counter-12", "counter-12'", range(1, 401), seed=SEED), "counter-12", "counter-12'", "elo"
    )
    rng, question, runs = np.random.default_rng(SEED), Hypotheses(high=25.0), 300
    looks = np.arange(CYCLE, 4001, CYCLE)

    # The deals are centred: what is drawn from them is a true null, whatever these 400 happened to show.
    better = 0
    for _ in range(runs):
        drawn = rng.choice(means - means.mean() + 0.5, size=looks[-1])
        at = first_decision(drawn, looks, question)
        assert at is not None
        better += drawn[: looks[at]].mean() > 0.5 * sum(question.means)

    print(f"{better} of {runs}")
    assert better / runs <= 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5
