"""`hearts tournament status`: where a tournament stands, from any terminal."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from tests.referee.simulated import ordered, play_on


def status(place: TournamentFolder, *options: str) -> Result:
    return CliRunner().invoke(app, ["tournament", "status", str(place.path), *options])


async def test_every_state_has_its_word(tmp_path: Path) -> None:
    config = ordered(board_sets=3)
    place = TournamentFolder(tmp_path / "cup")
    with place.create(config) as store:
        assert status(place).stdout == "Cup: running\n"
        place.pause_file.touch()
        assert status(place).stdout == "Cup: paused\n"
        await play_on(place, config, store, stop_after=1)
    stopped = json.loads(status(place, "--json").stdout)
    with place.open(config) as store:
        await play_on(place, config, store)
    finished = json.loads(status(place, "--json", "--follow").stdout)

    assert (stopped["state"], stopped["total"], 0 < stopped["done"] <= 12) == ("stopped", 12, True)
    assert (finished["state"], finished["done"], finished["left_s"]) == ("finished", 12, None)
    assert finished["standings"]["bots"]
