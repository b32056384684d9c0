"""A hundred thousand boards of a hundred bots: a tenth of what is promised, in a tenth of its time and space."""

import time
import tracemalloc

import numpy as np

from ratings.bradley_terry import fit_bradley_terry
from ratings.points import fit_points
from ratings.simulation import simulate


def test_a_hundred_thousand_boards_of_a_hundred_bots_take_a_second_and_two_hundred_megabytes() -> None:
    strengths = {f"bot{index:02}": 6.0 * index for index in range(100)}
    results = simulate(strengths, 100_000, np.random.default_rng(0), design="random")

    # Time of this process, not of the wall: other tests run beside this one.
    start = time.process_time()
    elo, points = fit_bradley_terry(results), fit_points(results)
    seconds = time.process_time() - start
    tracemalloc.start()
    fit_bradley_terry(results)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    print(f"{seconds:.2f} s, peak {peak / 1e6:.0f} MB")
    assert elo.rated.all()
    assert points.rated.all()
    assert seconds < 2.0
    assert peak < 200e6
