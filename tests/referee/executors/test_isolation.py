"""How many bot processes are alive, and how many matches one of them serves: with real processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from referee.executors.house import House
from referee.launch.launcher import LaunchRequest
from referee.records import MatchRecord, MatchSpec, Ruling, TimeControl
from tests.contract.gallery import alive, bot_folder, house_config, spec_of

NAMES = ("north", "east", "south", "west")


@asynccontextmanager
async def house_at(root: Path, **settings: object) -> AsyncIterator[tuple[House, list[str]]]:
    """A house of four bots, and the labels of the processes that it starts."""
    folders = {name: bot_folder(root / "bots", name, "honest.py") for name in NAMES}
    config = house_config(root, folders, TimeControl(turn_ms=20_000), Ruling.SUBSTITUTE)
    async with House(replace(config, **settings)) as house:  # type: ignore[arg-type]
        started: list[str] = []
        launch = house.launcher.launch

        async def noted(request: LaunchRequest) -> object:
            started.append(request.label)
            running = [process for process in house.launcher._processes.values() if process.exit is None]
            assert len(running) < house.config.processes_max, "one more is started than may be alive"
            return await launch(request)

        house.launcher.launch = noted  # type: ignore[method-assign, assignment]
        yield house, started


def rotations(*numbers: int) -> list[MatchSpec]:
    return [replace(spec_of(NAMES, rotation=n), key=f"match-{n}", number=n, deals=1) for n in numbers]


async def play(house: House, specs: list[MatchSpec]) -> list[MatchRecord]:
    outcomes = await asyncio.wait_for(asyncio.gather(*(house.play(spec) for spec in specs)), 60)
    records = [outcome for outcome in outcomes if isinstance(outcome, MatchRecord)]
    assert len(records) == len(specs), outcomes
    return records


async def test_idle_processes_are_ended_for_others(tmp_path: Path) -> None:
    async with house_at(tmp_path, processes_max=4) as (house, started):
        records = await play(house, rotations(0, 1))
        records += await play(house, rotations(1))

        assert [record.faults for record in records] == [()] * 3
        assert sorted(started) == sorted(f"{name}-r{rotation}" for name in NAMES for rotation in (0, 1))
        assert len(alive(str(tmp_path))) == 4


async def test_in_isolation_each_match_has_fresh_processes_which_end_with_it(tmp_path: Path) -> None:
    async with house_at(tmp_path, isolation="match") as (house, started):
        await play(house, rotations(0))
        await play(house, rotations(0))

        assert sorted(started) == sorted([f"{name}-m0.0" for name in NAMES] * 2)
        assert alive(str(tmp_path)) == []
