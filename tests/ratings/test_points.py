"""Points a deal: least squares on the table, blind to company, with intervals by deal."""

import numpy as np
import pytest

from ratings.observations import Observations, from_boards
from ratings.points import fit_points, points_means
from ratings.simulation import POINTS_PER_NATURAL_UNIT, simulate
from tests.ratings.boards import board

POOL = {"a": 0.0, "b": 50.0, "c": 100.0, "d": 200.0, "e": 400.0}
SEED = 8


def by_least_squares(results: Observations) -> np.ndarray:
    """The model written out: one row a seat, deviations from the table's mean, numpy's own solver."""
    rows, values = [], []
    for index in range(results.boards):
        seats = slice(results.start[index], results.start[index + 1])
        design = np.eye(len(results.bots))[results.bot[seats]]
        rows.append(design - design.mean(axis=0))
        values.append(results.points[seats].mean() - results.points[seats])
    found = np.linalg.lstsq(np.concatenate(rows), np.concatenate(values), rcond=None)[0]
    return np.asarray(found - found.mean())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_fit_is_ordinary_least_squares(seats: int) -> None:
    results = simulate(POOL, 50, np.random.default_rng(SEED), seats=seats)

    assert fit_points(results).value == pytest.approx(by_least_squares(results), abs=1e-9)


def test_the_truth_lies_in_the_intervals_of_a_long_run() -> None:
    fit = fit_points(simulate(POOL, 2000, np.random.default_rng(SEED), luck=1.0))
    strength = np.array([POOL[bot] for bot in fit.bots]) * np.log(10) / 400 * POINTS_PER_NATURAL_UNIT

    low, high = fit.interval(0.999)
    assert (low < strength - strength.mean()).all()
    assert (strength - strength.mean() < high).all()


def test_a_bot_is_not_praised_for_weak_company() -> None:
    rng = np.random.default_rng(SEED)
    noise = rng.normal(0, 0.1, (60, 4))
    level = {"a": 5.0, "b": 5.0, "c": 9.0, "d": 9.0, "e": 1.0, "f": 1.0}
    tables = ["acdb" if n % 3 == 0 else "acdc" if n % 3 == 1 else "befe" for n in range(60)]
    boards = [
        board(n, table, tuple(level[bot] + noise[n][seat] for seat, bot in enumerate(table)))
        for n, table in enumerate(tables)
    ]

    fit = fit_points(from_boards(boards))

    assert abs(fit.value[0] - fit.value[1]) < 0.2


def test_negative_scores_are_scores() -> None:
    rng = np.random.default_rng(SEED)
    boards = [board(n, "abcd", (-26.0 + rng.normal(), 0.0, rng.normal(), 0.5)) for n in range(20)]

    fit = fit_points(from_boards(boards))

    assert fit.value[0] == pytest.approx(19.6, abs=1)
    assert points_means(from_boards(boards))[0] == pytest.approx(-26, abs=1)


def test_a_board_with_an_autopilot_does_not_enter() -> None:
    rng = np.random.default_rng(SEED)
    boards = [board(n, "ab", (float(rng.integers(13)), 6.5)) for n in range(20)]
    spoilt = board(20, "ab", (1000.0, 0.0), (True, False))

    assert fit_points(from_boards([*boards, spoilt])).value == pytest.approx(fit_points(from_boards(boards)).value)
    assert points_means(from_boards([*boards, spoilt]))[0] < 13


def test_a_bot_that_always_wins_has_points_though_it_has_no_elo() -> None:
    fit = fit_points(from_boards([board(n, "ab", (float(n % 3), 10.0)) for n in range(30)]))

    assert fit.rated.all()
    assert fit.value[0] > 3
