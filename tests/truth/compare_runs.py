"""What `hearts compare` says of two equal bots, and of two that are not, in runs that are really played.

Each run deals its own cards and draws its own chance; it asks the class that `hearts compare` asks, which looks
after every board set, and plays until it is told to stop or the deals of `--deals-max` are used up. Runs are kept
in `build/truth`, a line each, so that they can be stopped and go on.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings.answer import DuelResults
from ratings.sequential import DEALS_MIN, Hypotheses, Verdict
from tests.truth.offline_play import RULES, Bot, board_result, chance_of, play_deal
from tests.truth.play_bank import folder

SEED = 6
NULL_RUNS = 2000
SURE_RUNS = 200
COPY = "'"  # behind the name of a bot that plays against itself
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


def kept_runs(a: str, b: str, runs: int, *, seed: int) -> list[Run]:
    """Read the runs of two bots that are kept, and play those that are missing."""
    path = folder() / f"runs-{a}-{b.rstrip(COPY)}-{seed}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    found = [line.split(",") for line in path.read_text().splitlines()] if path.exists() else []
    done = [Run(Verdict(verdict), worse == "1", int(deals)) for verdict, worse, deals in found]
    with path.open("a") as file:
        for index in range(len(done), runs):
            done.append(run(a, b, index, Hypotheses(), seed=seed))
            file.write(f"{done[-1].verdict.value},{int(done[-1].is_worse)},{done[-1].deals}\n")
            file.flush()
            print(f"\r{a} against {b}: {index + 1} of {runs} ", end="", file=sys.stderr, flush=True)
    return done[:runs]


def told(runs: Sequence[Run]) -> str:
    """What the runs said and how many deals they took, in words."""
    deals = np.array([each.deals for each in runs])
    better, worse = better_share(runs), sum(each.is_worse for each in runs) / len(runs)
    undecided = sum(each.verdict is Verdict.UNDECIDED for each in runs)
    low, middle, high = np.quantile(deals, (0.05, 0.5, 0.95))
    return (
        f'"better" {better:.1%}, "worse" {worse:.1%}, undecided {undecided}; deals: mean {deals.mean():.0f}, '
        f"5th, 50th and 95th per cent {low:.0f}, {middle:.0f} and {high:.0f}, most {deals.max()}, "
        f"in all {deals.sum()}"
    )


def better_share(runs: Sequence[Run]) -> float:
    """Share of the runs that said "better"."""
    return sum(each.verdict is Verdict.BETTER for each in runs) / len(runs)


def main(arguments: Sequence[str]) -> int:
    """Print what the runs said; exit code 1 where a promise is not kept."""
    print(f"`hearts compare`, {Hypotheses()}, a look after each board set from {DEALS_MIN} deals on:")
    sure = kept_runs("counter", "duck", SURE_RUNS, seed=SEED)
    print(f"{len(sure)} runs of counter against duck: {told(sure)}")
    early = sum(each.verdict is Verdict.BETTER and each.deals <= 300 for each in sure)
    print(f'  "better" within 300 deals in {early}')
    null = kept_runs("counter-12", "counter-12" + COPY, int(arguments[0]) if arguments else NULL_RUNS, seed=SEED)
    print(f"{len(null)} null runs of counter-12 against itself: {told(null)}")
    return 0 if better_share(null) <= 0.065 and better_share(sure) > 0.95 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
