"""What a seating design is worth, and how often the sequential test is wrong, on deals played by the sample bots.

`make truth` prints it; docs/statistics.md shows the result. Boards are counted, since boards are what costs time.
"""

import sys
from collections.abc import Iterable
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ratings.bradley_terry import fit_bradley_terry
from ratings.fit import Fit
from ratings.observations import Observations, merged
from ratings.points import fit_points
from ratings.sequential import DEALS_MIN, Hypotheses, Verdict, deal_means
from tests.truth.offline_play import duel, first_of_each_deal, play_boards, rotations

POOL = ("counter", "counter-3", "counter-6", "counter-12", "duck")
SEED = 12
RUN_DEALS_MAX = 10_000


def pool_by_rotation(tables: Iterable[tuple[str, ...]], deals: int) -> Observations:
    """Every table plays its own `deals` deals at every rotation."""
    parts = {}
    for index, table in enumerate(tables):
        numbers = range(1 + index * deals, 1 + (index + 1) * deals)
        parts[f"table {index}"] = play_boards(rotations(table), numbers, seed=SEED)
    return merged(parts)


def cost(fit: Fit, results: Observations, a: str, b: str) -> float:
    """Boards times squared standard error of the difference: what an interval of width one costs."""
    i, j = fit.bots.index(a), fit.bots.index(b)
    return float(fit.difference_se()[i, j] ** 2 * results.boards)


def gain(dear: Observations, cheap: Observations, a: str, b: str) -> tuple[float, float]:
    """How many times fewer boards the second design needs for the same interval: (Elo, points)."""
    return (
        cost(fit_bradley_terry(dear), dear, a, b) / cost(fit_bradley_terry(cheap), cheap, a, b),
        cost(fit_points(dear), dear, a, b) / cost(fit_points(cheap), cheap, a, b),
    )


def verdicts(
    bank: npt.NDArray[np.float64], runs: int, hypotheses: Hypotheses, rng: np.random.Generator
) -> tuple[dict[Verdict, int], float]:
    """Run the test `runs` times on deals drawn from a bank, looking after each; also the mean number of deals."""
    low, high = hypotheses.means
    counts = dict.fromkeys((Verdict.BETTER, Verdict.NOT_BETTER, Verdict.UNDECIDED), 0)
    used = 0
    for _ in range(runs):
        drawn = bank[rng.integers(len(bank), size=RUN_DEALS_MAX)]
        n = np.arange(1, len(drawn) + 1)
        mean = np.cumsum(drawn) / n
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = (np.cumsum(drawn**2) - n * mean**2) / (n - 1)
            llr = n * (high - low) * (2 * mean - low - high) / (2 * variance)
        stop = (n >= DEALS_MIN) & ((llr >= hypotheses.upper) | (llr <= hypotheses.lower))
        at = int(np.argmax(stop)) if stop.any() else len(drawn) - 1
        verdict = Verdict.UNDECIDED
        if stop.any():
            verdict = Verdict.BETTER if llr[at] >= hypotheses.upper else Verdict.NOT_BETTER
        counts[verdict] += 1
        used += at + 1
    return counts, used / runs


def print_designs(deals: int, duel_deals: int) -> bool:
    """The table of designs; whether it keeps its promises."""
    tables = list(combinations(POOL, 4))
    rotated = pool_by_rotation(tables, deals)
    random_deals = first_of_each_deal(rotated)
    print("| A, B | board sets, Elo | board sets, points | AABB duel, Elo | AABB duel, points |")
    print("| --- | --- | --- | --- | --- |")
    sets, promised = [], True
    for a, b in combinations(POOL, 2):
        by_set = gain(random_deals, rotated, a, b)
        both = np.array([{a, b} <= set(table) for table in tables])
        number = np.array([int(name.split("/")[0].split()[1]) for name in random_deals.deal_ids])
        with_both = random_deals.selected(both[number][random_deals.deal])
        mirrored = duel(a, b, range(500_001, 500_001 + duel_deals), seed=SEED)
        by_duel = gain(with_both, mirrored, a, b)
        sets.append(by_set)
        if (a, b) == ("counter", "counter-3"):
            promised &= min(by_duel) >= 8
        print(f"| {a}, {b} | {by_set[0]:.2f} | {by_set[1]:.2f} | {by_duel[0]:.1f} | {by_duel[1]:.1f} |", flush=True)
    mean = 1 / np.mean(1 / np.array(sets), axis=0)
    print(f"| the pool | {mean[0]:.2f} | {mean[1]:.2f} | | |")
    print(f"{rotated.boards} boards in sets, {2 * duel_deals} boards a duel, seed {SEED}")
    return bool(promised and mean.min() >= 1.4)


def print_null(deals: int, runs: int) -> bool:
    """Error of the sequential test where the two bots are the same; whether it keeps its promise."""
    results = duel("counter-12", "counter-12'", range(700_001, 700_001 + deals), seed=SEED)
    means, hypotheses = deal_means(results, "counter-12", "counter-12'", "elo"), Hypotheses()
    counts, used = verdicts(means - means.mean() + 0.5, runs, hypotheses, np.random.default_rng(SEED))
    wrong = counts[Verdict.BETTER] / runs
    print(f"{runs} null runs ({hypotheses}; drawn from {deals} deals of counter-12 against itself):")
    print(f"  better {wrong:.1%}, undecided {counts[Verdict.UNDECIDED]}, {used:.0f} deals on average")
    return wrong <= 0.065


if __name__ == "__main__":
    kept = [print_designs(1000, 2000), print_null(6000, 2000)]
    print("every promise is kept" if all(kept) else "a promise is not kept")
    sys.exit(0 if all(kept) else 1)
