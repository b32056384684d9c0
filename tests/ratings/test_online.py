"""Online Elo: bounded, zero-sum, blind to seats; equal to the package where that is installed."""

from collections.abc import Sequence

import numpy as np
import pytest

from ratings.observations import from_boards
from ratings.online import BETA, INITIAL, K_FACTOR, fold, fold_built_in, fold_by, package_rate
from ratings.simulation import simulate
from tests.ratings.boards import board

EIGHT = {name: 40.0 * index for index, name in enumerate("abcdefgh")}
SEED = 11


def by_definition(k_factor: float, rating: float, series: Sequence[tuple[float, float]]) -> float:
    """R + K * sum of (S - E), as Elo wrote it: what the package computes."""
    expected = [1 / (1 + 10 ** ((other - rating) / (2 * BETA))) for _, other in series]
    return rating + k_factor * sum(score - e for (score, _), e in zip(series, expected, strict=True))


@pytest.mark.parametrize("design", ["rotated", "duel"])
def test_both_ways_of_folding_agree_to_a_billionth(design: str) -> None:
    bots = {"a": 0.0, "b": 50.0} if design == "duel" else EIGHT
    results = simulate(bots, 100, np.random.default_rng(SEED), design=design, ties=True)  # type: ignore[arg-type]

    assert fold_built_in(results).rating == pytest.approx(fold_by(by_definition, results).rating, abs=1e-9)


def test_the_package_elo_gives_the_same_numbers() -> None:
    rate = package_rate()
    if rate is None:
        pytest.skip("the package elo is not installed here: pip install 'hearts-arena[elo]' on Python 3.11")
    results = simulate(EIGHT, 100, np.random.default_rng(SEED), ties=True)

    packaged = fold(results)

    assert packaged.source == "the package elo"
    assert packaged.rating == pytest.approx(fold_built_in(results).rating, abs=1e-9)


def test_the_sum_of_all_ratings_never_changes() -> None:
    rounds = fold_built_in(simulate(EIGHT, 200, np.random.default_rng(SEED), seats=3)).rounds

    assert [ratings.sum() for _, ratings in rounds] == pytest.approx([8 * INITIAL] * len(rounds))


def test_one_board_moves_a_bot_by_at_most_k_whatever_the_number_of_seats() -> None:
    first = fold_built_in(from_boards([board(0, "abcdef", (1, 2, 3, 4, 5, 6))]))

    assert first.rating[0] - INITIAL == pytest.approx(K_FACTOR / 2)
    assert first.rating[5] - INITIAL == pytest.approx(-K_FACTOR / 2)


def test_all_seats_are_rated_from_before_the_board_so_that_seats_do_not_matter() -> None:
    here = fold_built_in(from_boards([board(0, "abcd", (1, 2, 3, 4)), board(1, "abcd", (4, 3, 2, 1))]))
    there = fold_built_in(from_boards([board(0, "dcba", (4, 3, 2, 1)), board(1, "bdca", (3, 1, 2, 4))]))

    assert here.rating == pytest.approx(there.rating, abs=1e-12)


def test_boards_are_folded_in_schedule_order_not_in_order_of_arrival() -> None:
    boards = [board(n, "abcd", (1, 2, 3, 4) if n % 3 else (4, 3, 2, 1), round_number=n) for n in range(12)]

    assert np.array_equal(
        fold_built_in(from_boards(boards)).rating, fold_built_in(from_boards(boards[::-1])).rating
    )
    assert [number for number, _ in fold_built_in(from_boards(boards)).rounds] == list(range(12))


def test_beside_an_autopilot_only_the_offender_pays() -> None:
    after = fold_built_in(from_boards([board(0, "abcd", (1, 1, 1, 4), (False, False, False, True))])).rating

    assert after - INITIAL == pytest.approx(np.array([1, 1, 1, -3]) * K_FACTOR / 6)
