"""What a bot is charged that thinks 2 ms, at many tables on one stream: `python -m tests.bench.thinking`.

The bot is the sample loop with a strategy that looks at the clock until 2 ms have passed; the other seats are taken
by the sample `random`. It answers the turns of a message together, as the sample loop does, or each by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import statistics
import tempfile
from pathlib import Path

from referee.executors.house import House
from referee.executors.work import BotEntry, HouseConfig
from referee.executors.worker import calm_collector
from referee.records import DecidedBy, MatchRecord, MatchSpec, Ruling, TimeControl
from referee.rules import dealing
from referee.rules.presets import preset
from tests.bench.wire import PYTHON_BOTS

TABLES = {1: 16, 64: 4, 256: 2}  # and the deals of each
NAMES = ("thinker", "east", "south", "west")
THINKING = """
from time import perf_counter_ns


def thinking(choose):
    def chosen(turn):
        until = perf_counter_ns() + 2_000_000
        while perf_counter_ns() < until:
            pass
        return choose(turn)

    return chosen


choose_pass, choose_card, choose_moon = map(thinking, (choose_pass, choose_card, choose_moon))
"""


def thinker(root: Path, decisions_max: int) -> tuple[Path, Path]:
    """Make the thinking bot, and give its folder and that of `random`."""
    folder = root / f"python-{decisions_max}"
    shutil.copytree(PYTHON_BOTS, folder)
    loop = folder / "wire_loop.py"
    text = loop.read_text()
    assert "DECISIONS_MAX = 128 " in text
    loop.write_text(text.replace("DECISIONS_MAX = 128 ", f"DECISIONS_MAX = {decisions_max} "))
    shutil.copytree(folder / "random", folder / "thinker")
    with (folder / "thinker/strategy.py").open("a") as strategy:
        strategy.write(THINKING)
    return folder / "thinker", folder / "random"


async def charges(root: Path, tables: int, decisions_max: int) -> list[int]:
    """Play one match at each table; give the charge of each decision of the thinker, in us."""
    own, other = thinker(root, decisions_max)
    config = HouseConfig(
        rules=preset("american").to_dict(),
        ruling=Ruling.SUBSTITUTE,
        faults_max=3,
        clock=TimeControl(turn_ms=60_000),
        seed=dealing.integer_seed(7).hex(),
        salt="",
        commitment="",
        bots=tuple(BotEntry(name=name, folder=str(own if name == "thinker" else other)) for name in NAMES),
        log_dir=str(root / "logs"),
    )
    async with House(config) as house:
        await asyncio.gather(*(house.ready(name, "r0") for name in NAMES))

        async def play(number: int) -> MatchRecord:
            spec = MatchSpec(
                key=str(number), number=number, round_number=0, board_set=number, attempt=0, rotation=0,
                bots=NAMES, deals=TABLES[tables],
            )  # fmt: skip
            while not isinstance(outcome := await house.play(spec), MatchRecord):
                print(f"played again: {outcome}", flush=True)
            return outcome

        records = await asyncio.gather(*(play(number) for number in range(tables)))
    return [
        decision.elapsed_us
        for record in records
        for deal in record.deals
        for decision in deal.decisions
        if decision.seat == 0 and decision.decided_by is DecidedBy.BOT
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="*", choices=TABLES, default=list(TABLES))
    calm_collector()
    print("tables  answers    decisions   p1      p10     median  p90     p99     max (ms)")
    for tables in parser.parse_args().tables:
        for how, decisions_max in (("together", 128), ("each", 1)):
            with tempfile.TemporaryDirectory(prefix="hearts-bench-") as root:
                charged = asyncio.run(charges(Path(root), tables, decisions_max))
            cuts = statistics.quantiles(charged, n=100)
            shown = (cuts[0], cuts[9], statistics.median(charged), cuts[89], cuts[98], max(charged))
            times = "  ".join(f"{us / 1000:6.2f}" for us in shown)
            print(f"{tables:6}  {how:9} {len(charged):9}  {times}", flush=True)


if __name__ == "__main__":
    main()
