"""Who is better than whom: marks that survive many questions, rank intervals that hold them all."""

import numpy as np
import pytest

from ratings.bradley_terry import fit_bradley_terry
from ratings.simulation import simulate
from ratings.superiority import compare_all, corrected, holm

SEED = 77


def test_holm_steps_down_and_stops_at_the_first_that_stands() -> None:
    # Holm's own thresholds: 0.05/4, 0.05/3, 0.05/2, 0.05/1.
    assert holm(np.array([0.001, 0.02, 0.03, 0.6]), 0.05).tolist() == [True, False, False, False]
    assert holm(np.array([0.6, 0.012, 0.016, 0.024]), 0.05).tolist() == [False, True, True, True]
    assert holm(np.array([]), 0.05).tolist() == []
    assert corrected(np.array([0.6, 0.01, 0.02, 0.015])) == pytest.approx([0.6, 0.04, 0.045, 0.045])


def test_among_equal_bots_any_pair_is_called_separated_in_one_tournament_of_twenty_at_most() -> None:
    rng = np.random.default_rng(SEED)
    equal = dict.fromkeys("abcdefgh", 0.0)

    wrong = sum(
        bool(compare_all(fit_bradley_terry(simulate(equal, 60, rng, luck=1.0))).separated.any()) for _ in range(100)
    )

    assert wrong <= 5 + 3 * (100 * 0.05 * 0.95) ** 0.5


def test_rank_intervals_hold_the_rank_and_narrow_with_more_deals() -> None:
    strengths = {name: 60.0 * index for index, name in enumerate("abcdef")}
    few, many = (
        compare_all(fit_bradley_terry(simulate(strengths, deals, np.random.default_rng(SEED))))
        for deals in (20, 600)
    )
    true_rank = np.array([6, 5, 4, 3, 2, 1])

    for compared in (few, many):
        assert (compared.rank_low <= true_rank).all()
        assert (true_rank <= compared.rank_high).all()
    assert (many.rank_high - many.rank_low).sum() < (few.rank_high - few.rank_low).sum()


def test_likelihoods_are_complementary_and_have_no_diagonal() -> None:
    los = compare_all(fit_bradley_terry(simulate(dict.fromkeys("abcde", 0.0), 50, np.random.default_rng(SEED)))).los

    off = ~np.eye(5, dtype=np.bool_)
    assert np.isnan(np.diag(los)).all()
    assert (los + los.T)[off] == pytest.approx(np.ones(20))
