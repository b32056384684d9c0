"""The short form of the measurements on real deals: the sample bots' own strategies, without wire."""

import numpy as np

from ratings.sequential import Hypotheses, Verdict, deal_means, decide_sequentially
from tests.truth.designs import gain, verdicts
from tests.truth.offline_play import duel, play_boards

SEED = 3


def test_counter_is_called_better_than_duck_within_three_hundred_deals() -> None:
    means = deal_means(duel("counter", "duck", range(1, 301), seed=SEED), "counter", "duck", "elo")

    states = [decide_sequentially("counter", "duck", means[:deals], Hypotheses()) for deals in range(30, 301)]

    verdict = next(state for state in states if state.verdict is not Verdict.UNDECIDED)
    print(verdict)
    assert verdict.verdict is Verdict.BETTER


def test_two_deterministic_copies_play_identically() -> None:
    results = duel("duck", "duck'", range(1, 41), seed=SEED)

    for unit in ("elo", "points"):
        means = deal_means(results, "duck", "duck'", unit)
        state = decide_sequentially("duck", "duck'", means, Hypotheses(unit=unit))

        assert state.verdict is Verdict.IDENTICAL


def test_a_duel_needs_several_times_fewer_boards_than_random_deals_for_a_patch_of_one_bot() -> None:
    mirrored = duel("counter", "counter-3", range(1, 201), seed=SEED)
    random_deals = play_boards([("counter", "duck", "counter-3", "counter-6")], range(1, 401), seed=SEED)

    elo, points = gain(random_deals, mirrored, "counter", "counter-3")

    print(f"Elo {elo:.1f}, points {points:.1f} times fewer")
    assert elo > 4
    assert points > 4


def test_the_sequential_test_is_wrong_in_about_one_null_run_of_twenty() -> None:
    results = duel("counter-12", "counter-12'", range(1, 401), seed=SEED)
    means = deal_means(results, "counter-12", "counter-12'", "elo")

    # The bank is centred: what is drawn from it is a true null, whatever these 400 deals happened to show.
    counts, _ = verdicts(means - means.mean() + 0.5, 300, Hypotheses(high=25.0), np.random.default_rng(SEED))

    assert counts[Verdict.UNDECIDED] == 0
    assert counts[Verdict.BETTER] / 300 <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5
