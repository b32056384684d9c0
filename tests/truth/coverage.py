"""Do the 95 % intervals hold 95 % of the truth? `make truth` answers for every model and design.

Eight bots play many tournaments; for each, the intervals of all 28 differences are compared with the truth. That is
what the same estimator gives for 400,000 boards of the same design, since luck of the cards pulls every placement
score towards a half; where the model is exact it is the strengths themselves.

The bots are simulated, or they are sample bots and the boards were really played (`play_bank.py`). Tournaments of
simulated bots are played one by one. Those of played boards are disjoint: each takes the next deals of the 400,000
boards that give the truth, as many tournaments as there are deals for, at most as many as are asked for.
"""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
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
from tests.truth.independent_fit import independent_optimum
from tests.truth.play_bank import Boards, bank, firsts

STRENGTHS = {"a": 0.0, "b": 10.0, "c": 25.0, "d": 50.0, "e": 75.0, "f": 150.0, "g": 250.0, "h": 400.0}
TRUTH_BOARDS = 400_000
SEED = 6

Model = Literal["exact", "luck", "alike", "played"]
"""Plackett-Luce; with luck of the cards; with bots that mostly do alike with the same cards; really played."""

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
        case "played":
            raise ValueError("what was played is read from the bank")
        case _:
            assert_never(model)


@cache
def truth(model: Model, design: Design) -> tuple[Values, Values]:
    """The limits of Elo and of points a deal, each up to a common shift."""
    if model == "exact":
        strength = np.array(list(STRENGTHS.values()))
        return strength, strength / ELO * POINTS_PER_NATURAL_UNIT
    if model == "played":
        return limits(played(design).observations())
    boards_a_deal = 1 if design == "random" else 4
    return limits(play(model, design, TRUTH_BOARDS // boards_a_deal, np.random.default_rng(SEED)))


def limits(results: Observations) -> tuple[Values, Values]:
    """Elo and points a deal of very many results."""
    return fit_bradley_terry(results).value, fit_points(results).value


@cache
def played(design: Design) -> Boards:
    """400,000 boards that the sample bots played in a design."""
    match design:
        case "rotated" | "repeated":
            return bank(design)
        case "random":
            return firsts()
        case _:
            raise ValueError(f"the bank has no boards of the design {design}")


def disjoint(boards: Boards, deals: int, sets: int) -> Iterator[Observations]:
    """Tournaments of `deals` deals each, none of which is in two of them."""
    numbers = np.unique(boards.deal)
    for first in range(0, min(sets * deals, len(numbers) - deals + 1), deals):
        start = np.searchsorted(boards.deal, numbers[first])
        end = np.searchsorted(boards.deal, numbers[first + deals - 1], side="right")
        yield boards.between(int(start), int(end)).observations()


def tournaments(model: Model, design: Design, deals: int, sets: int, seed: int) -> Iterator[Observations]:
    """Tournaments that have nothing to do with each other."""
    if model == "played":
        yield from disjoint(played(design), deals, sets)
        return
    rng = np.random.default_rng([seed, deals])
    for _ in range(sets):
        yield play(model, design, deals, rng)


def holds(fit: Fit, value: Values) -> float:
    """Share of the differences of rated bots whose interval holds the true one."""
    upper = np.triu(fit.rated[:, None] & fit.rated[None, :], k=1)
    half = stdtrit(fit.difference_freedom(), 0.975) * fit.difference_se()
    seen = fit.value[:, None] - fit.value[None, :]
    return float((np.abs(seen - (value[:, None] - value[None, :])) <= half)[upper].mean())


def coverage(model: Model, design: Design, deals: int, sets: int, *, seed: int = SEED) -> Coverage:
    """Play `sets` tournaments and count."""
    return counted(tournaments(model, design, deals, sets, seed), truth(model, design))


def counted(results: Iterable[Observations], values: tuple[Values, Values]) -> Coverage:
    """How often the intervals of each tournament hold the true differences of Elo and of points."""
    elo, points = [], []
    for each in results:
        elo.append(holds(fit_bradley_terry(each), values[0]))
        points.append(holds(fit_points(each), values[1]))
    error = max(np.std(elo), np.std(points)) / np.sqrt(len(elo))
    return Coverage(100 * float(np.mean(elo)), 100 * float(np.mean(points)), 100 * float(error), len(elo))


def gap_to_optimiser(boards: Boards, rng: np.random.Generator) -> float:
    """Largest difference, in Elo, between the fit of boards in any order and an independent optimiser's."""
    value = fit_bradley_terry(boards.shuffled(rng).observations()).value
    return float(np.abs(value - independent_optimum(boards.observations())).max())


def main(arguments: Sequence[str]) -> int:
    """Print the coverage table; exit code 1 where it leaves the promised range."""
    sets = int(arguments[0]) if arguments else 1000
    print(f"seed {SEED}; per cent of the 28 true differences inside their 95 % interval")
    print("| model | design | deals | tournaments | Elo | points | Monte Carlo error | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    bad = 0
    for model in get_args(Model):
        for design in DESIGNS:
            for deals, low, high in ((30, 93.0, 98.0), (100, 93.5, 96.5), (400, 93.5, 96.5)):
                start = time.perf_counter()
                found = coverage(model, design, deals, sets)
                mark = "" if found.is_within(low, high) else " **outside**"
                bad += bool(mark)
                print(
                    f"| {model} | {design} | {deals} | {found.sets} | {found.elo:.1f} | {found.points:.1f}{mark} "
                    f"| {found.error:.2f} | {time.perf_counter() - start:.0f} |",
                    flush=True,
                )
    gap = max(gap_to_optimiser(played(design), np.random.default_rng(SEED)) for design in DESIGNS)
    print(f"at most {gap:.1e} Elo between the fit of 400,000 played boards, rows shuffled, and another optimiser's")
    bad += gap > 0.01
    print("every row is within its promise" if not bad else f"{bad} rows are outside their promise")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
