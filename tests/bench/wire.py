"""Decisions a second of the referee with four Python bots, beside the bare wire in the same run.

Both serve the same four bots (the sample `random`) over a unix socket. The two take turns at each number of tables,
and the median of the ratios counts, so that other work on the machine falls on both alike.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from referee.executors.house import House
from referee.executors.work import BotEntry, HouseConfig
from referee.floor import Voided
from referee.records import MatchRecord, MatchSpec, Ruling, TimeControl
from referee.rules import dealing
from referee.rules.presets import preset
from referee.table import Answer
from referee.table.turns import Turn
from referee.wire.line import Line
from tests.bench.bare_wire import BareWire

PYTHON_BOTS = Path(__file__).parents[2] / "sample_bots" / "python"
TABLES = (1, 16, 64, 256, 1024)
BOTS = 4


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: decisions a second of both, their ratio, and what a decision is charged.

    The referee's own processor time a decision is beside the bare wire's, since it is less noisy than the rates.
    """

    tables: int
    referee_s: float
    bare_s: float
    ratio: float
    charged_us: float
    batch: float  # turns a message
    referee_cpu_us: float
    bare_cpu_us: float


def bot_folder(root: Path) -> Path:
    """Copy the sample so that it asks for as many tables as are measured."""
    folder = root / "python"
    shutil.copytree(PYTHON_BOTS, folder)
    manifest = folder / "random" / "bot.toml"
    text = manifest.read_text()
    manifest.write_text(text.replace("tables_max = 256", f"tables_max = {max(TABLES)}"))
    return folder / "random"


async def referee(folder: Path, tables: int, seconds: float) -> tuple[float, float, float, float]:
    """Play for a while.

    Returns:
        decisions a second, the median charge and the processor time of a decision (both in us), turns a message.
    """
    names = tuple(f"bot{i}" for i in range(BOTS))
    config = HouseConfig(
        rules=preset("american").to_dict(),
        ruling=Ruling.SUBSTITUTE,
        faults_max=3,
        clock=TimeControl(turn_ms=60_000),
        seed=dealing.integer_seed(7).hex(),
        salt="",
        commitment="",
        bots=tuple(BotEntry(name=name, folder=str(folder)) for name in names),
        log_dir=str(folder.parent / "logs"),
    )
    async with House(config) as house:
        for name in names:
            unfit = await house.ready(name, "r0")
            assert unfit is None, unfit
        charged: list[int] = []
        take = house.floor.answered

        def answered(turn: Turn, answer: Answer, elapsed_us: int, lag_us: int) -> None:
            charged.append(elapsed_us)
            take(turn, answer, elapsed_us, lag_us)

        house.floor.answered = answered  # type: ignore[method-assign]
        numbers = itertools.count()

        async def table() -> None:
            while True:
                number = next(numbers)
                spec = MatchSpec(
                    key=str(number), number=number, round_number=0, board_set=number, attempt=0, rotation=0,
                    bots=names, deals=4,
                )  # fmt: skip
                outcome = await house.play(spec)
                assert isinstance(outcome, MatchRecord | Voided)

        batches: list[int] = []
        hand_over = Line.hand_over

        def counting(self: Line, now_ns: int, turns_max: int, handoff_ns: int = 0) -> list[Turn]:
            turns = hand_over(self, now_ns, turns_max, handoff_ns)
            if turns:
                batches.append(len(turns))
            return turns

        Line.hand_over = counting  # type: ignore[method-assign]
        plays = [asyncio.create_task(table()) for _ in range(tables)]
        while not charged:  # noqa: ASYNC110  # a bench, not a test
            await asyncio.sleep(0.05)
        await asyncio.sleep(seconds / 4 + 1)
        charged.clear()
        batches.clear()
        began, cpu = time.perf_counter(), time.process_time()
        await asyncio.sleep(seconds)
        count, elapsed = len(charged), time.perf_counter() - began
        cpu_us = (time.process_time() - cpu) / count * 1e6
        for play in plays:
            play.cancel()
        Line.hand_over = hand_over  # type: ignore[method-assign]
        return count / elapsed, statistics.median(charged), cpu_us, statistics.mean(batches)


async def bare(folder: Path, tables: int, batch: float, seconds: float) -> tuple[float, float]:
    """Serve as many open turns as that many tables would; give decisions a second and processor time of one."""
    root = Path(tempfile.mkdtemp(prefix="hearts-"))
    wire = BareWire(max(1, tables // BOTS), max(1, round(batch)), bots=BOTS, goes_round=tables == 1)
    address = f"unix:{root}/referee"
    server = await wire.serve(address)
    environment = {**os.environ, "HEARTS_REFEREE": address, "HEARTS_TOKEN": "t", "HEARTS_BOT": "b"}
    bots = [
        subprocess.Popen(  # noqa: ASYNC220  # before anything is measured
            [sys.executable, "../wire_loop.py"],
            cwd=folder,
            env=environment,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # as the launcher does: Linux shares a busy machine out by sessions
        )
        for _ in range(BOTS)
    ]
    try:
        while not wire.decisions:  # noqa: ASYNC110  # a bench, not a test: the peer has no events
            await asyncio.sleep(0.05)
        await asyncio.sleep(seconds / 4 + 1)
        before, began, cpu = wire.decisions, time.perf_counter(), time.process_time()
        await asyncio.sleep(seconds)
        played, elapsed = wire.decisions - before, time.perf_counter() - began
        return float(played) / elapsed, (time.process_time() - cpu) / played * 1e6
    finally:
        wire.is_over = True
        await server.stop(1)
        for bot in bots:
            bot.kill()
            bot.wait()
        shutil.rmtree(root)


async def measure(tables: int, *, seconds: float = 3, pairs: int = 3) -> Row:
    """Measure both by turns and give the medians."""
    with tempfile.TemporaryDirectory(prefix="hearts-") as temporary:
        folder = bot_folder(Path(temporary))
        rows = []
        for _ in range(pairs):
            ours, charge, our_cpu, batch = await referee(folder, tables, seconds)
            theirs, their_cpu = await bare(folder, tables, batch, seconds)
            rows.append((ours, theirs, ours / theirs, charge, batch, our_cpu, their_cpu))
    return Row(tables, *(statistics.median(column) for column in zip(*rows, strict=True)))
