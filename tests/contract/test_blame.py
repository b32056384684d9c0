"""Who is to blame, with real processes at more than one table: what is no fault of the host's voids nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from referee.executors.house import House
from referee.records import Blame, MatchRecord, Ruling, TimeControl
from tests.contract.gallery import BOARD_SET, HONEST, bot_folder, fault_text, house_config, spec_of, until_it_counts

CLOCK = TimeControl(turn_ms=2_000, bank_ms=0)


async def records_of(house: House, *tables: tuple[str, ...]) -> list[MatchRecord]:
    """Play a match at each table, all at the same time, each with deals of its own."""
    specs = [replace(spec_of(bots, board_set=BOARD_SET + n), key=f"match-{n}") for n, bots in enumerate(tables)]
    names = {name for bots in tables for name in bots}
    await asyncio.gather(*(house.ready(name, "r0") for name in names))
    outcomes = await asyncio.gather(*(until_it_counts(house, spec) for spec in specs))
    assert all(isinstance(outcome, MatchRecord) for outcome in outcomes), outcomes
    return [outcome for outcome in outcomes if isinstance(outcome, MatchRecord)]


@pytest.mark.slow
async def test_bots_that_stall_together_are_all_charged_be_they_of_one_owner_or_of_two(tmp_path: Path) -> None:
    folders = {name: bot_folder(tmp_path, name, "honest.py") for name in HONEST}
    stalling = {"one": "a club", "two": "a club", "three": "ann", "four": "bob"}
    for name, owner in stalling.items():
        folders[name] = bot_folder(tmp_path, name, "decides.py", "silent", owner=owner)
    async with House(house_config(tmp_path, folders, CLOCK, Ruling.SUBSTITUTE)) as house:
        records = await records_of(house, ("one", "two", *HONEST[:2]), ("three", "four", *HONEST[:2]))

    for record in records:
        assert sorted(fault.seat for fault in record.faults) == [0, 0, 0, 1, 1, 1]
        assert {fault.blame for fault in record.faults} == {Blame.BOT}
        assert record.places[:2] == (3, 3)


@pytest.mark.slow
async def test_an_answer_with_the_turn_id_of_another_table_is_judged_at_that_table(tmp_path: Path) -> None:
    folders = {name: bot_folder(tmp_path, name, "honest.py") for name in HONEST}
    folders["mixed-up"] = bot_folder(tmp_path, "mixed-up", "decides.py", "another-tables-turn")
    async with House(house_config(tmp_path, folders, CLOCK, Ruling.SUBSTITUTE)) as house:
        records = await records_of(house, ("mixed-up", *HONEST), ("mixed-up", *HONEST))

    assert [[fault_text(fault) for fault in record.faults] for record in records] == [
        ["breach:CARD_NOT_HELD/bot/substitute"]
    ] * 2
    assert [record.faults[0].seat for record in records] == [0, 0]
