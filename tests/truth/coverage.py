"""Do the 95 % intervals hold 95 % of the truth? `make truth` answers for every model and design.

Eight bots of known strength play many tournaments; for each, the intervals of all 28 differences are compared with
the truth. The truth is what the same estimator gives for 400,000 boards of the same design, since luck of the cards
pulls every placement score towards a half; where the model is exact it is the strengths themselves.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, assert_never, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from ratings.bradley_terry import ELO, fit_bradley_terry
from ratings.fit import Fit
from ratings.observations import Observations
from ratings.points import fit_points
from ratings.simulation import POINTS_PER_NATURAL_UNIT, Design, simulate

STRENGTHS = {"a": 0.0, "b": 10.0, "c": 25.0, "d": 50.0, "e": 75.0, "f": 150.0, "g": 250.0, "h": 400.0}
TRUTH_BOARDS = 400_000
SEED = 6

Model = Literal["exact", "luck", "alike"]
"""Plackett-Luce; the same with luck of the cards; the same with bots that mostly do alike with the same cards."""

Values = npt.NDArray[np.float64]
DESIGNS: tuple[Design, ...] = ("random", "rotated", "repeated")


@dataclass(frozen=True, slots=True)
class Coverage:
    """Share of differences whose interval holds the truth, in per cent, and its Monte Carlo error."""

    elo: float
    points: float
    error: float
    sets: int

    def is_within(self, low: float, high: float) -> bool:
        return all(low <= value <= high for value in (self.elo, self.points))


def play(model: Model, design: Design, deals: int, rng: np.random.Generator) -> Observations:
    """One tournament."""
    match model:
        case "exact":
            return simulate(STRENGTHS, deals, rng, design=design)
        case "luck":
            return simulate(STRENGTHS, deals, rng, design=design, luck=1.0, ties=True)
        case "alike":
            return simulate(STRENGTHS, deals, rng, design=design, luck=1.0, unlike=0.3)
        case _:
            assert_never(model)


@cache
def truth(model: Model, design: Design) -> tuple[Values, Values]:
    """The limits of Elo and of points a deal, each up to a common shift."""
    if model == "exact":
        strength = np.array(list(STRENGTHS.values()))
        return strength, strength / ELO * POINTS_PER_NATURAL_UNIT
    boards_a_deal = 1 if design == "random" else 4
    results = play(model, design, TRUTH_BOARDS // boards_a_deal, np.random.default_rng(SEED))
    return fit_bradley_terry(results).value, fit_points(results).value


def holds(fit: Fit, value: Values) -> float:
    """Share of the differences of rated bots whose interval holds the true one."""
    upper = np.triu(fit.rated[:, None] & fit.rated[None, :], k=1)
    half = stdtrit(fit.difference_freedom(), 0.975) * fit.difference_se()
    seen = fit.value[:, None] - fit.value[None, :]
    return float((np.abs(seen - (value[:, None] - value[None, :])) <= half)[upper].mean())


def coverage(model: Model, design: Design, deals: int, sets: int, *, seed: int = SEED) -> Coverage:
    """Play `sets` tournaments and count."""
    rng = np.random.default_rng([seed, deals])
    elo_value, points_value = truth(model, design)
    elo, points = [], []
    for _ in range(sets):
        results = play(model, design, deals, rng)
        elo.append(holds(fit_bradley_terry(results), elo_value))
        points.append(holds(fit_points(results), points_value))
    error = max(np.std(elo), np.std(points)) / np.sqrt(sets)
    return Coverage(100 * float(np.mean(elo)), 100 * float(np.mean(points)), 100 * float(error), sets)


def main(arguments: Sequence[str]) -> int:
    """Print the coverage table; exit code 1 where it leaves the promised range."""
    sets = int(arguments[0]) if arguments else 1000
    print(f"{sets} tournaments a row, seed {SEED}; per cent of the 28 true differences inside their 95 % interval")
    print("| model | design | deals | Elo | points | Monte Carlo error | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    bad = 0
    for model in get_args(Model):
        for design in DESIGNS:
            for deals, low, high in ((30, 93.0, 98.0), (100, 93.5, 96.5), (400, 93.5, 96.5)):
                start = time.perf_counter()
                found = coverage(model, design, deals, sets)
                mark = "" if found.is_within(low, high) else " **outside**"
                bad += bool(mark)
                print(
                    f"| {model} | {design} | {deals} | {found.elo:.1f} | {found.points:.1f}{mark} "
                    f"| {found.error:.2f} | {time.perf_counter() - start:.0f} |",
                    flush=True,
                )
    print("every row is within its promise" if not bad else f"{bad} rows are outside their promise")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
