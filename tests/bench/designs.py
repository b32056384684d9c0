"""What a seating design is worth over the wire: `make designs` plays and prints a table of docs/statistics.md.

The bots are processes, the referee is the product: one tournament of board sets, and a comparison of each pair.
Boards are counted, since boards are what costs time. `tests/truth/designs.py` measures the same without wire.
"""

import subprocess
import sys
import tempfile
import time
from itertools import combinations
from pathlib import Path

import numpy as np

from ratings.columns import from_columns
from ratings.observations import Observations
from referee.store.store import Store
from tests.bench.noisy import bot_folder
from tests.truth.designs import POOL, SEED, gain
from tests.truth.offline_play import first_of_each_deal

HEARTS = str(Path(sys.executable).with_name("hearts"))
PATCH = ("counter", "counter-3")  # two versions of one program
POOL_GAIN_MIN, PATCH_GAIN_MIN = 1.4, 8.0


def hearts(*words: object) -> str:
    """Run a command and return what it prints."""
    done = subprocess.run([HEARTS, *map(str, words)], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def results_of(folder: Path) -> Observations:
    """The boards of a tournament."""
    with Store.open(folder / "tournament.db", read_only=True) as store:
        return from_columns(store.result_columns())


def pool_by_board_sets(board_sets: int, work: Path) -> Observations:
    """Play the pool against itself, every table in every rotation."""
    file = work / "pool.toml"
    bots = "".join(f'[[bot]]\npath = "{bot_folder(name, work)}"\n' for name in POOL)
    file.write_text(f'name = "pool"\nseed = {SEED}\nboard_sets = {board_sets}\n[clock]\nturn_ms = 20000\n{bots}')
    hearts("tournament", "run", file, "--quiet")
    return results_of(work / "pool")


def pair_by_duel(a: str, b: str, deals: int, work: Path) -> Observations:
    """Play A, A, B, B and again with the seats exchanged."""
    folder = work / f"{a} {b}"
    bots = [bot_folder(name, work) for name in (a, b)]
    hearts(
        *("compare", *bots, "--fixed", deals, "--seed", SEED + 1, "--dir", folder, "--turn-ms", 20_000, "--quiet")
    )
    return results_of(folder)


def with_both(results: Observations, a: str, b: str) -> Observations:
    """The boards at which both bots sat."""
    one, other = (
        np.bincount(results.board_of_row[results.bot == results.bots.index(name)], minlength=results.boards)
        for name in (a, b)
    )
    return results.selected((one > 0) & (other > 0))


def measure(board_sets: int, patch_deals: int, deals: int, work: Path) -> bool:
    """Print the table; whether it keeps its promises."""
    by_set = pool_by_board_sets(board_sets, work)
    random_deals = first_of_each_deal(by_set)
    print("| A, B | board sets, Elo | board sets, points | AABB duel, Elo | AABB duel, points |")
    print("| --- | --- | --- | --- | --- |")
    sets, kept = [], True
    for a, b in combinations(POOL, 2):
        elo, points = gain(random_deals, by_set, a, b)
        sets.append((elo, points))
        duel = pair_by_duel(a, b, patch_deals if (a, b) == PATCH else deals, work)
        by_duel = gain(with_both(random_deals, a, b), duel, a, b)
        if (a, b) == PATCH:
            kept &= min(by_duel) >= PATCH_GAIN_MIN
        print(
            f"| {a}, {b} | {elo:.2f} | {points:.2f} | {by_duel[0]:.1f} | {by_duel[1]:.1f} |",
            flush=True,
        )
    mean = 1 / np.mean(1 / np.array(sets), axis=0)
    print(f"| **the pool** | **{mean[0]:.2f}** | **{mean[1]:.2f}** | | |")
    print(f"{by_set.boards:,} boards in sets, {2 * deals:,} a duel ({2 * patch_deals:,} of {' and '.join(PATCH)})")
    return bool(kept and mean.min() >= POOL_GAIN_MIN)


def main() -> int:
    """Measure, and check what is promised."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="hearts-designs-") as work:
        kept = measure(board_sets=625, patch_deals=1200, deals=400, work=Path(work))
        answer = hearts(
            *("compare", bot_folder("counter", Path(work)), bot_folder("duck", Path(work)), "--quiet"),
            *("--seed", SEED, "--dir", Path(work) / "better", "--turn-ms", 20_000),
        )
    print(answer, end="")
    print(f"seed {SEED}, {time.monotonic() - start:.0f} s")
    print("every promise is kept" if kept else "a promise is not kept")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
