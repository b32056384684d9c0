"""The file that tells other terminals what a running tournament waits for."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from referee.cli.waits_file import SAID_MS, WaitsFile
from referee.floor.waits import Wait
from referee.records import TurnKind
from tests.referee.simulated import ordered

SLOW = Wait(bot="slow", match="ab12", seat=2, turn_number=14, turn_kind=TurnKind.PLAY, waited_ms=SAID_MS, matches=3)


def status(place: TournamentFolder, *options: str) -> Result:
    return CliRunner().invoke(app, ["tournament", "status", str(place.path), *options])


def test_status_names_the_bot_that_is_waited_for_while_the_tournament_runs(tmp_path: Path) -> None:
    place = TournamentFolder(tmp_path / "cup")
    with place.create(ordered(board_sets=3)):
        WaitsFile(place.waits_file).write([SLOW])
        text, raw = status(place).stdout, json.loads(status(place, "--json").stdout)
    ended = json.loads(status(place, "--json").stdout)

    assert "waiting for slow in 3 matches, the longest 5 s: match ab12, seat 2, turn 14 (play)\n" in text
    assert raw["waits"] == [
        {
            "bot": "slow",
            "match": "ab12",
            "seat": 2,
            "turn_number": 14,
            "turn_kind": "play",
            "waited_ms": SAID_MS,
            "matches": 3,
        }
    ]
    assert ended["waits"] == [], "what a killed run has left says nothing of now"


async def test_the_file_is_there_while_something_is_waited_for_and_a_long_wait_is_said_once(tmp_path: Path) -> None:
    file, said = WaitsFile(tmp_path / "waits.json"), list[str]()
    looks = iter([[], [SLOW], [SLOW], [], [SLOW]])
    seen: list[list[Wait]] = []

    def look() -> list[Wait]:
        seen.append(file.read())
        now = next(looks, None)
        if now is None:
            keeper.cancel()
        return now or []

    keeper = asyncio.create_task(file.keep(look, said.append, pause_s=0))
    await asyncio.wait({keeper})

    assert seen == [[], [], [SLOW], [SLOW], [], [SLOW]]
    assert said == [str(SLOW)] * 2


async def test_a_folder_that_cannot_be_written_is_said_and_ends_nothing(tmp_path: Path) -> None:
    said: list[str] = []
    await WaitsFile(tmp_path / "gone/waits.json").keep(lambda: [SLOW], said.append)

    why = "cannot be written (No such file or directory), so `status` does not show waits"
    assert said == [f"{tmp_path}/gone/waits.json: {why}"]
