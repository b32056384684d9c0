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


def test_before_any_match_it_says_how_many_there_will_be_and_how_to_go_on(tmp_path: Path) -> None:
    samples = Path(__file__).parents[3] / "sample_bots/python"
    bots = [{"path": str(samples / name)} for name in ("random", "low", "duck", "counter")]
    place = TournamentFolder(tmp_path / "cup")
    place.create(ordered(board_sets=3, bot=bots)).close()

    assert status(place).stdout.splitlines() == [
        "Cup: stopped, 0 of 12 matches",
        f"`hearts tournament resume {place.path}` goes on",
    ]


def test_a_file_that_names_no_folder_is_said(tmp_path: Path) -> None:
    def run(name: str) -> str:
        done = CliRunner().invoke(app, ["tournament", "run", str(tmp_path / name)])
        assert done.exit_code == 2
        return done.stderr

    (tmp_path / "bots").mkdir()
    assert "bots: is a folder, but a tournament file is needed: `hearts tournament init` writes one" in run("bots")
    (tmp_path / "cup").write_text("")
    assert "cup: its name does not end in .toml, so that it names no folder: give one by --dir" in run("cup")
    (tmp_path / "cup").rename(tmp_path / "cup.toml")
    assert f"cup: is no tournament file: did you mean {tmp_path / 'cup.toml'}?" in run("cup")
    TournamentFolder(tmp_path / "cup").create(ordered()).close()
    assert "cup: is the folder of a tournament: `hearts tournament resume" in run("cup")


def test_while_remote_bots_may_connect_it_says_whom_the_tournament_waits_for(tmp_path: Path) -> None:
    remote = [{"name": name, "remote": True} for name in ("guest", "visitor")]
    samples = Path(__file__).parents[3] / "sample_bots/python"
    config = ordered(board_sets=3, bot=[*remote, *({"path": str(samples / name)} for name in ("duck", "low"))])
    place = TournamentFolder(tmp_path / "cup")
    with place.create(config):
        running = status(place)
        as_json = json.loads(status(place, "--json").stdout)

    assert running.stdout.splitlines()[1] == "waits for remote bots guest, visitor"
    assert as_json["expected"] == ["guest", "visitor"]
    assert "waits for" not in status(place).stdout  # nobody runs it


async def test_all_that_is_read_in_one_moment_agrees_while_matches_are_added(tmp_path: Path) -> None:
    config = ordered(board_sets=3)
    place = TournamentFolder(tmp_path / "cup")
    with place.create(config) as store, place.open(config, read_only=True) as reader:
        with reader.moment():
            before = reader.finished_count()
            await play_on(place, config, store)
            assert (before, reader.finished_count(), reader.reports()) == (0, 0, [])
        assert reader.finished_count() == 12
        assert reader.reports()
