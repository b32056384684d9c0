"""Our own mistakes end every match of a house: nothing waits for ever."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from referee.executors.house import House
from referee.records import Ruling, TimeControl
from tests.contract.gallery import bot_folder, house_config, spec_of

NAMES = ("north", "east", "south", "west")
PATIENCE_S = 60.0


async def test_a_mistake_in_the_timekeeper_is_raised_by_every_match_and_by_those_that_come_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = {name: bot_folder(tmp_path / "bots", name, "honest.py") for name in NAMES}
    async with House(house_config(tmp_path, folders, TimeControl(), Ruling.SUBSTITUTE)) as house:

        def broken() -> None:
            if len(house.floor.runs) == 2:
                raise ZeroDivisionError("a bug")

        monkeypatch.setattr(house.floor, "sweep", broken)
        specs = [replace(spec_of(NAMES, board_set=number), key=str(number), deals=10_000) for number in range(2)]
        plays = [asyncio.create_task(house.play(spec)) for spec in specs]
        done, _ = await asyncio.wait(plays, timeout=PATIENCE_S)
        errors = [play.exception() for play in done]
        with pytest.raises(ZeroDivisionError):
            await house.play(specs[0])

    assert [type(error) for error in errors] == [ZeroDivisionError, ZeroDivisionError]
