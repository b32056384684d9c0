"""What a seating design is worth, on deals played by the sample bots.

`make truth` prints it; docs/statistics.md shows the result. Boards are counted, since boards are what costs time.
"""

import sys
from collections.abc import Iterable
from itertools import combinations

import numpy as np

from ratings.bradley_terry import fit_bradley_terry
from ratings.fit import Fit
from ratings.observations import Observations, merged
from ratings.points import fit_points
from tests.truth.offline_play import duel, first_of_each_deal, play_boards, rotations

POOL = ("counter", "counter-3", "counter-6", "counter-12", "duck")
SEED = 12


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


if __name__ == "__main__":
    kept = print_designs(3000, 6000)
    print("every promise is kept" if kept else "a promise is not kept")
    sys.exit(0 if kept else 1)
