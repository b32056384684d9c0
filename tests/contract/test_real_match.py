"""Bots of every language, as processes, in matches of the real referee."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.records import DecidedBy
from referee.rules.presets import preset
from referee.table.turns import Turn
from referee.wire.line import Line
from tests.contract.bot_process import COMPILED, ROOT, BotProcess, built
from tests.contract.cuttable import relay
from tests.contract.real_referee import real_referee
from tests.sample_bots.positions import played_deal, strategy

PYTHON = ROOT / "sample_bots/python"
TYPESCRIPT = ROOT / "sample_bots/typescript"
RUBY = ROOT / "tests/contract/ruby_bot"
DUCKS = [pytest.param(ROOT / "sample_bots" / name, marks=pytest.mark.toolchain, id=name) for name in COMPILED]
MONTECARLO = pytest.param(ROOT / "sample_bots/montecarlo", marks=pytest.mark.toolchain, id="montecarlo")
NAMES = ("north", "east", "south", "west")
DEALS = 4


@pytest.mark.parametrize("folder", [TYPESCRIPT, RUBY, *DUCKS, MONTECARLO], ids=lambda folder: folder.name)
async def test_a_bot_in_another_language_plays_a_match_among_python_bots(folder: Path, tmp_path: Path) -> None:
    folders = [built(folder), PYTHON / "duck", PYTHON / "counter", PYTHON / "moon"]
    names = ["guest", "duck", "counter", "moon"]

    async with real_referee(names, f"unix:{tmp_path}/referee") as referee:
        with ExitStack() as stack:
            for name, path in zip(names, folders, strict=True):
                stack.enter_context(BotProcess(path, referee.address, HEARTS_TOKEN=name))
            record = await referee.play(preset("spruce"), deals=4)

    assert record.faults == ()
    assert {decision.decided_by for deal in record.deals for decision in deal.decisions} == {DecidedBy.BOT}


@pytest.mark.parametrize("folder", [PYTHON / "duck", TYPESCRIPT, *DUCKS], ids=lambda folder: folder.name)
async def test_bots_that_are_killed_and_cut_off_in_mid_deal_come_back_and_play_on_as_if_nothing_had_happened(
    folder: Path, tmp_path: Path
) -> None:
    near, far = tmp_path / "near", tmp_path / "far"
    built(folder)
    async with real_referee(NAMES, f"unix:{far}") as referee, relay(near, far) as network:
        with ExitStack() as stack:

            def start(name: str) -> BotProcess:
                return stack.enter_context(BotProcess(folder, f"unix:{near}", HEARTS_TOKEN=name))

            def kill_and_start_again() -> None:
                bots["north"].kill()
                start("north")

            bots = {name: start(name) for name in NAMES}
            north, east = referee.lines[:2]
            before_ask(north, 20, kill_and_start_again)
            before_ask(east, 34, network.cut)
            record = await referee.play(preset("american"), deals=DEALS)

    assert record.faults == ()
    assert [(d.seat, list(d.cards)) for deal in record.deals for d in deal.decisions] == expected_decisions()
    assert (north.connects, east.connects) == (3, 2)


def expected_decisions() -> list[tuple[int, list[int]]]:
    """What four ducks decide in that match, worked out without a referee."""
    ducks = [strategy("duck")] * len(NAMES)
    deals = [played_deal(preset("american"), ducks, 0, number)[1] for number in range(1, DEALS + 1)]
    return [(turn.seat, list(decision.cards)) for asked in deals for turn, decision in asked]


def before_ask(line: Line, number: int, act: Callable[[], object]) -> None:
    """Do something just before the bot on the line is asked for the so manieth time."""
    ask, count = line.ask, itertools.count(1)

    def counted(turn: Turn) -> None:
        if next(count) == number:
            act()
        ask(turn)

    line.ask = counted  # type: ignore[method-assign]
