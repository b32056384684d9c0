"""Bot processes killed at random while they play: every match has its result, and the blame is right."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from referee.executors.bot_pool import LOST_RUNNING_MAX
from referee.executors.house import House
from referee.launch.launcher import BotProcess
from referee.records import FaultKind, MatchRecord, MatchSpec, Ruling, TimeControl
from referee.wire.line import Line
from tests.contract.gallery import alive, bot_folder, house_config, spec_of

KILLS = int(os.environ.get("HEARTS_KILLS", "20"))  # `make soak` sets 200
NAMES = ("north", "east", "south", "west")
TABLES = 8
RUNNING_MAX = LOST_RUNNING_MAX - 1  # one more with no match between makes a bot leave the schedule
PATIENT = TimeControl(turn_ms=20_000, bank_ms=0)


@pytest.mark.slow
@pytest.mark.timeout(60 + 10 * KILLS)
@pytest.mark.parametrize("restarts_max", [KILLS, 0], ids=["they come back", "they do not"])
async def test_bots_are_killed_at_random_and_no_match_is_lost(tmp_path: Path, restarts_max: int) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    folders = {name: bot_folder(tmp_path, name, "honest.py") for name in NAMES}
    config = house_config(tmp_path, folders, PATIENT, Ruling.SUBSTITUTE)
    config = replace(config, restarts_max=restarts_max, reconnects_max=10 * KILLS)
    records: list[MatchRecord] = []
    killed: dict[str, int] = dict.fromkeys(NAMES, 0)
    begun: dict[str, tuple[int, int]] = {}  # the line of each bot and its matches, when they were looked at last
    running: dict[str, int] = dict.fromkeys(NAMES, 0)  # kills of a bot with no match of it begun between
    submitted = 0

    async with House(config) as house:
        await asyncio.gather(*(house.ready(name, "r0") for name in NAMES))

        async def play_while_there_are_kills() -> None:
            nonlocal submitted
            while sum(killed.values()) < KILLS:
                submitted += 1
                outcome = await house.play(spec(submitted))
                assert isinstance(outcome, MatchRecord), outcome
                records.append(outcome)

        tables = [asyncio.create_task(play_while_there_are_kills()) for _ in range(TABLES)]
        while sum(killed.values()) < KILLS:
            await asyncio.sleep(chance.uniform(0.05, 0.3))
            for table in tables:
                if table.done():
                    table.result()  # what went wrong there ends the test
            for name, line in seated(house).items():
                if (id(line), line.matches_begun) != begun.get(name):
                    begun[name], running[name] = (id(line), line.matches_begun), 0
            victims = [p for p in house.launcher.processes if p.exit is None and running[bot_of(p)] < RUNNING_MAX]
            if victims and house.floor.runs:
                victim = chance.choice(victims)
                try:
                    os.kill(victim.pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue  # of an earlier kill, of which the launcher does not know yet
                killed[bot_of(victim)] += 1
                running[bot_of(victim)] += 1
        await asyncio.gather(*tables)

    assert len({record.spec.key for record in records}) == len(records) == submitted
    for record in records:
        assert len(record.deals) == record.spec.deals
        for fault in record.faults:
            assert fault.kind in (FaultKind.EXIT, FaultKind.DISCONNECT)
            assert killed[record.spec.bots[fault.seat]], "one is charged that was never killed"
    if restarts_max:
        assert [record.faults for record in records] == [()] * len(records)
    else:
        assert any(record.faults for record in records), "nobody was killed while it was asked"
    assert alive(str(tmp_path)) == []


def seated(house: House) -> dict[str, Line]:
    """Who has a seat in a match, by name."""
    return {bot.name: bot for run in house.floor.runs.values() for bot in run.seats if isinstance(bot, Line)}


def bot_of(process: BotProcess) -> str:
    return process.label.partition("-")[0]


def spec(number: int) -> MatchSpec:
    return replace(spec_of(NAMES, board_set=number), key=f"match-{number}", number=number)
