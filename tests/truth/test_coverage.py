"""The short form of `make truth`: intervals hold 95 % where it is hardest, and naive ones would be found out."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.bradley_terry import ELO, fit_bradley_terry
from ratings.clusters import laplacian, laplacian_inverse
from ratings.pairs import placement_pairs
from tests.truth.coverage import Model, counted, coverage, disjoint, gap_to_optimiser, holds, limits, play, truth
from tests.truth.play_bank import play_chunk


@pytest.mark.parametrize("model", ["exact", "alike"])
def test_intervals_hold_the_truth_where_deals_are_repeated(model: Model) -> None:
    found = coverage(model, "repeated", 100, 100)

    print(found)
    assert found.is_within(95 - 3 * found.error - 0.5, 95 + 3 * found.error + 0.5)


def test_intervals_hold_the_truth_after_thirty_deals_of_board_sets() -> None:
    found = coverage("exact", "rotated", 30, 100)

    print(found)
    assert found.is_within(93 - 2 * found.error, 98 + 2 * found.error)


def test_intervals_hold_the_limit_of_boards_that_the_sample_bots_played() -> None:
    boards = play_chunk("rotated", 0, deals=720)

    found = counted(disjoint(boards, 30, 24), limits(boards.observations()))

    print(found)
    assert found.sets == 24
    assert found.is_within(93 - 2 * found.error, 98 + 2 * found.error)
    assert gap_to_optimiser(boards, np.random.default_rng(2)) < 0.01


def test_intervals_that_take_pairs_for_independent_would_be_found_out() -> None:
    rng = np.random.default_rng(1)
    shares = []
    for _ in range(30):
        results = play("alike", "repeated", 100, rng)
        fit, pairs = fit_bradley_terry(results), placement_pairs(results)
        gap = (fit.value[pairs.first_bot] - fit.value[pairs.second_bot]) / ELO
        p = 1 / (1 + np.exp(-gap))
        naive = laplacian_inverse(laplacian(pairs.counts(p * (1 - p)))) * ELO**2
        shares.append(holds(replace(fit, covariance=naive), truth("alike", "repeated")[0]))

    assert np.mean(shares) < 0.8
