"""How often `hearts compare` says "better" of two equal bots, in runs that are really played.

Each run deals its own cards and draws its own chance; it asks the class that `hearts compare` asks, which looks
after every board set, and plays until it is told to stop or the deals of `--deals-max` are used up. Runs are kept
in `build/truth`, a line each, so that they can be stopped and go on.
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ratings.answer import DuelResults
from ratings.sequential import DEALS_MIN, Hypotheses, Verdict
from tests.truth.offline_play import RULES, Bot, board_result, chance_of, play_deal
from tests.truth.play_bank import folder

RUNS = 2000
DEALS_MAX = 20_000  # as `hearts compare` gives up by default
FIRST_DEAL = 10_000_001
CYCLE = RULES.cycle_length  # deals of a match, and so of a board set
GROWTH = 1.05  # of the board sets between two answers; each answer looks at every board set before it


@dataclass(frozen=True, slots=True)
class Run:
    """What one run said."""

    verdict: Verdict
    is_worse: bool  # A was said to be worse than B
    deals: int  # that the answer rests on


def run(a: str, b: str, index: int, question: Hypotheses, *, seed: int, deals_max: int = DEALS_MAX) -> Run:
    """Compare A and B on cards of their own."""
    results = DuelResults(a, b)
    first = FIRST_DEAL + index * DEALS_MAX
    next_look = -(-DEALS_MIN // CYCLE)
    for board_set in range(deals_max // CYCLE):
        boards = [
            board_result(number, mirror, 0, names, play_deal(number, [Bot.named(name) for name in names], chance))
            for number in range(first + board_set * CYCLE, first + (board_set + 1) * CYCLE)
            for mirror, names in enumerate(((a, a, b, b), (b, b, a, a)))
            for chance in [chance_of(seed, number, mirror)]
        ]
        results.add(board_set, boards, is_same=False)
        if board_set + 1 < next_look and board_set + 1 < deals_max // CYCLE:
            continue
        next_look = int(GROWTH * next_look) + 1
        answer = results.answer(question)
        if answer.is_final:
            break
    return Run(answer.verdict, answer.is_b_better, answer.deals)


def kept_runs(runs: int, *, seed: int) -> list[Run]:
    """Read the runs of `counter-12` against itself that are kept, and play those that are missing."""
    path = folder() / f"null-runs-{seed}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    found = [line.split(",") for line in path.read_text().splitlines()] if path.exists() else []
    done = [Run(Verdict(verdict), worse == "1", int(deals)) for verdict, worse, deals in found]
    with path.open("a") as file:
        for index in range(len(done), runs):
            done.append(run("counter-12", "counter-12'", index, Hypotheses(), seed=seed))
            file.write(f"{done[-1].verdict.value},{int(done[-1].is_worse)},{done[-1].deals}\n")
            file.flush()
            print(f"\rnull run {index + 1} of {runs} ", end="", file=sys.stderr, flush=True)
    return done[:runs]


def shares(runs: Iterable[Run]) -> str:
    """The errors and the deals, in words."""
    runs = list(runs)
    deals = np.array([each.deals for each in runs])
    better = sum(each.verdict is Verdict.BETTER for each in runs)
    worse = sum(each.is_worse for each in runs)
    undecided = sum(each.verdict is Verdict.UNDECIDED for each in runs)
    return (
        f'"better" {better} ({better / len(runs):.1%}), "worse" {worse} ({worse / len(runs):.1%}), undecided '
        f"{undecided}; deals: mean {deals.mean():.0f}, median {np.median(deals):.0f}, 95th per cent "
        f"{np.quantile(deals, 0.95):.0f}, most {deals.max()}, in all {deals.sum()}"
    )


def main(arguments: Sequence[str]) -> int:
    """Print the errors; exit code 1 where there are more than promised."""
    runs = kept_runs(int(arguments[0]) if arguments else RUNS, seed=6)
    print(f"{len(runs)} null runs of counter-12 against itself ({Hypotheses()}):")
    print(f"  {shares(runs)}")
    return 0 if sum(each.verdict is Verdict.BETTER for each in runs) <= 0.065 * len(runs) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
