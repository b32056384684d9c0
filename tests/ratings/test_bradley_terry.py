"""The Bradley-Terry fit against an independent optimiser, against leaving deals out, and at its edges."""

import numpy as np
import pytest

from ratings.bradley_terry import ELO, fit_bradley_terry
from ratings.observations import ResultError, from_boards
from ratings.pairs import placement_pairs
from ratings.simulation import simulate
from tests.ratings.boards import board
from tests.truth.independent_fit import independent_optimum

EIGHT = {"a": 0.0, "b": 10.0, "c": 25.0, "d": 50.0, "e": 75.0, "f": 150.0, "g": 250.0, "h": 400.0}
SEED = 20260


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seats", [3, 4, 6])
def test_the_fit_equals_an_independent_optimiser_to_a_hundredth_of_an_elo(seats: int, ties: bool) -> None:
    results = simulate(EIGHT, 60, np.random.default_rng(SEED), seats=seats, ties=ties)

    assert fit_bradley_terry(results).value == pytest.approx(independent_optimum(results), abs=0.01)


def test_the_order_in_which_results_arrive_changes_nothing_at_all() -> None:
    rng = np.random.default_rng(SEED)
    boards = [
        board(n, "".join(rng.permutation(list("abcdef"))[:4]), tuple(rng.permutation(4) + 1)) for n in range(80)
    ]
    shuffled = [boards[index] for index in rng.permutation(80)]

    here, there = fit_bradley_terry(from_boards(boards)), fit_bradley_terry(from_boards(shuffled))

    assert np.array_equal(here.value, there.value)
    assert np.array_equal(here.covariance, there.covariance)


def test_the_covariance_is_the_sandwich_written_out_with_full_matrices() -> None:
    results = simulate(EIGHT, 12, np.random.default_rng(SEED), luck=1.0, design="repeated")
    fit = fit_bradley_terry(results)
    pairs, theta, size = placement_pairs(results), fit.value / ELO, len(EIGHT)
    design = np.eye(size)[pairs.first_bot] - np.eye(size)[pairs.second_bot]
    p = 1 / (1 + np.exp(-design @ theta))
    inverse = np.linalg.pinv(design.T @ np.diag(p * (1 - p)) @ design)
    meat = np.zeros((size, size))
    for deal in range(12):
        mine = design[pairs.deal == deal]
        own = (p * (1 - p))[pairs.deal == deal]
        gradient = mine.T @ (pairs.scores - p)[pairs.deal == deal]
        z = np.linalg.solve(np.eye(size) - mine.T @ np.diag(own) @ mine @ inverse, gradient)
        meat += np.outer(z, z)

    assert fit.covariance == pytest.approx(inverse @ meat @ inverse * 11 / 12 * ELO**2, rel=1e-6)


def test_the_interval_is_about_what_leaving_out_one_deal_at_a_time_gives() -> None:
    results = simulate(EIGHT, 100, np.random.default_rng(SEED), luck=1.0, design="repeated")
    fit = fit_bradley_terry(results)
    without = np.array([fit_bradley_terry(results.selected(results.deal != deal)).value for deal in range(100)])
    jackknife = np.sqrt(99 / 100 * ((without - without.mean(axis=0)) ** 2).sum(axis=0))

    assert fit.se == pytest.approx(jackknife, rel=0.05)


def test_an_anchor_is_zero_without_doubt_and_the_others_follow() -> None:
    results = simulate(EIGHT, 60, np.random.default_rng(SEED))
    free, held = fit_bradley_terry(results), fit_bradley_terry(results, anchor="c")

    assert held.value[2] == pytest.approx(0.0, abs=1e-9)
    assert held.se[2] == pytest.approx(0.0, abs=1e-9)
    assert held.value - free.value == pytest.approx(np.full(8, -free.value[2]))
    assert held.difference_se() == pytest.approx(free.difference_se())


def test_an_unknown_anchor_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ResultError, match="'z' is not among the rated bots: a, b"):
        fit_bradley_terry(from_boards([board(0, "ab", (1, 2))]), anchor="z")


def test_a_bot_that_never_lost_gets_a_bound_and_the_others_are_rated_without_it() -> None:
    rng = np.random.default_rng(SEED)
    boards = [board(n, "xabc", (1, *(rng.permutation(3) + 2))) for n in range(40)]

    fit = fit_bradley_terry(from_boards(boards))

    assert np.isnan(fit.value[3])
    assert fit.rated.tolist() == [True, True, True, False]
    assert fit.statements["x"].startswith("above +")
    # Forty deals unbeaten: with this value the chance of that is one in twenty.
    assert 1 / (1 + 10 ** (-fit.low_bound[3] / 400)) == pytest.approx(0.05 ** (1 / 40), abs=0.01)
    assert any("x never lost against the rated bots in 40 deals" in warning for warning in fit.warnings)


def test_a_bot_that_never_won_gets_a_bound_from_above() -> None:
    rng = np.random.default_rng(SEED)
    boards = [board(n, "xabc", (4, *(rng.permutation(3) + 1))) for n in range(40)]

    fit = fit_bradley_terry(from_boards(boards))

    assert fit.statements["x"].startswith("below -")
    assert np.isnan(fit.value[3])


def test_two_bots_of_which_one_always_wins_get_two_statements_and_no_number() -> None:
    fit = fit_bradley_terry(from_boards([board(n, "ab", (1, 2)) for n in range(30)]))

    assert not fit.rated.any()
    assert fit.statements["a"].startswith("above +")
    assert fit.statements["b"].startswith("below -")


def test_pools_that_never_met_are_named_and_not_put_into_one_list() -> None:
    rng = np.random.default_rng(SEED)
    boards = [board(n, "abcd" if n % 2 else "efgh", tuple(rng.permutation(4) + 1)) for n in range(80)]

    fit = fit_bradley_terry(from_boards(boards))

    assert not fit.rated.any()
    assert fit.statements["a"] == "pool 1 of 2"
    assert fit.warnings == (
        "2 pools of bots never met (a, b, c, d | e, f, g, h): no single list exists, rate each pool by itself",
    )


def test_a_small_pool_beside_a_large_one_does_not_stop_the_large_one() -> None:
    rng = np.random.default_rng(SEED)
    boards = [board(n, "xy" if n % 2 else "abcd", tuple(rng.permutation(2 if n % 2 else 4) + 1)) for n in range(80)]

    fit = fit_bradley_terry(from_boards(boards))

    assert [bot for bot, rated in zip(fit.bots, fit.rated, strict=True) if rated] == ["a", "b", "c", "d"]
    assert fit.statements["x"] == "pool 2 of 2"


def test_a_bot_with_one_deal_gets_a_statement_and_leaves_the_others_as_they_were() -> None:
    rng = np.random.default_rng(SEED)
    boards = [board(n, "abcd", tuple(rng.permutation(4) + 1)) for n in range(40)]
    alone = board(40, "abcx", (1, 2, 3, 3))

    fit = fit_bradley_terry(from_boards([*boards, alone]))

    assert fit.statements == {"x": "one deal only"}
    assert fit.rated.tolist() == [True, True, True, True, False]


def test_one_deal_in_all_rates_nobody() -> None:
    fit = fit_bradley_terry(from_boards([board(0, "abcd", (1, 1, 3, 4))]))

    assert not fit.rated.any()
    assert set(fit.statements.values()) == {"one deal only"}


def test_a_deal_that_alone_joins_two_groups_gives_no_interval_and_is_left_out() -> None:
    rng = np.random.default_rng(SEED)
    boards = [board(n, "abcd" if n % 2 else "wxyz", tuple(rng.permutation(4) + 1)) for n in range(80)]
    bridge = [board(80, "abwx", (1, 3, 2, 4)), board(81, "wxab", (1, 3, 2, 4), deal_id="d80")]

    fit = fit_bradley_terry(from_boards([*boards, *bridge]))

    assert not fit.rated.any()
    assert "left out of the Elo: deal d80, which alone joins some bots, so that no interval exists" in fit.warnings


def test_beside_an_autopilot_only_the_offenders_losses_count() -> None:
    rng = np.random.default_rng(SEED)
    boards = [board(n, "abcd", tuple(rng.permutation(4) + 1)) for n in range(40)]
    fault = board(40, "abcd", (1, 1, 1, 4), autopilot=(False, False, False, True))

    clean, charged = fit_bradley_terry(from_boards(boards)), fit_bradley_terry(from_boards([*boards, fault]))

    assert len(placement_pairs(from_boards([fault])).first) == 3
    assert charged.value[3] < clean.value[3]
    assert charged.value[0] - charged.value[1] == pytest.approx(clean.value[0] - clean.value[1], abs=0.5)


def test_identical_bots_are_equal_within_the_interval() -> None:
    fit = fit_bradley_terry(simulate(dict.fromkeys("abcd", 0.0), 200, np.random.default_rng(SEED)))

    low, high = fit.interval()
    assert (low < 0).all()
    assert (high > 0).all()


def test_bots_that_always_tie_are_equal_and_certain() -> None:
    fit = fit_bradley_terry(from_boards([board(n, "abc", (1, 1, 1)) for n in range(10)]))

    assert fit.value == pytest.approx(np.zeros(3), abs=1e-9)
    assert fit.se == pytest.approx(np.zeros(3), abs=1e-9)


def test_a_far_apart_field_of_forty_does_not_run_away() -> None:
    strengths = {f"bot{index:02}": 30.0 * index for index in range(40)}

    fit = fit_bradley_terry(simulate(strengths, 1000, np.random.default_rng(SEED)))

    assert fit.rated.sum() >= 38
    assert np.nanmax(np.abs(fit.value)) < 1500
