"""Entrants that join and leave a round robin that was stopped: the next rounds even the counts out."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.cli.results import publish_results
from referee.cli.site_records import _signed
from referee.cli.tournament_folder import TournamentFolder
from referee.config import TournamentConfig
from tests.contract.gallery import bot_folder
from tests.referee.simulated import BOTS, ordered, play_on

SIGNED = ("--by", "ada", "--why", "it came late")


def hearts(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def bot_at(folder: Path, name: str) -> Path:
    folder.mkdir()
    (folder / "bot.toml").write_text(
        f'name = "{name}"\nversion = "1"\nauthor = "Gus"\nlanguage = "go"\nrun = ["true"]\n'
    )
    return folder


def play(place: TournamentFolder, config: TournamentConfig, *, stop_after: int | None = None) -> None:
    """Play on from the store alone, to the end unless stopped, and publish."""
    with place.open(config) as store:
        asyncio.run(play_on(place, config, store, stop_after=stop_after))
        publish_results(place, config, store)


def board_sets_of(place: TournamentFolder, config: TournamentConfig) -> Counter[str]:
    with place.open(config, read_only=True) as store:
        tables = {(record.spec.board_set, frozenset(record.spec.bots)) for record in store.records()}
    assert len({board_set for board_set, _ in tables}) == len(tables), "a board set was played by two tables"
    return Counter(bot for _, bots in tables for bot in bots)


@pytest.fixture(scope="module")
def began(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round robin of six, stopped after about a third."""
    place = TournamentFolder(tmp_path_factory.mktemp("field") / "cup")
    config = ordered(cycles=1)
    place.create(config).close()
    play(place, config, stop_after=40)
    return place.path


@pytest.fixture
def stopped(began: Path, tmp_path: Path) -> tuple[TournamentFolder, TournamentConfig]:
    shutil.copytree(began, tmp_path / "cup")
    return TournamentFolder(tmp_path / "cup"), ordered(cycles=1)


def test_who_joins_is_evened_out_and_everything_can_be_verified(
    stopped: tuple[TournamentFolder, TournamentConfig], tmp_path: Path
) -> None:
    place, config = stopped
    before = board_sets_of(place, config)

    joined = hearts("tournament", "enter", place.path, bot_at(tmp_path / "gus", "gus"), *SIGNED)
    assert joined.exit_code == 0, joined.stderr
    play(place, config, stop_after=12)
    remote = hearts("tournament", "enter", place.path, "--remote", "hal", *SIGNED, "--json")
    assert remote.exit_code == 0, remote.stderr
    play(place, config)

    after = board_sets_of(place, config)
    assert set(after) == {*BOTS, "gus", "hal"}
    assert all(after[bot] >= before[bot] for bot in BOTS)
    assert max(after.values()) - min(after.values()) <= 1, after
    assert "hal" in (place.path / "standings.csv").read_text()
    for path in (place.path, place.path / "site"):
        done = hearts("verify", path, "--json")
        assert done.exit_code == 0, done.stdout
        assert json.loads(done.stdout)["unchecked"] == []
    ledger = json.loads((place.path / "site/data/tournament.json").read_text())["ledger"]
    assert [event["kind"] for event in ledger["events"]] == ["started", "entered", "entered", "finished"]
    assert str(tmp_path) not in (place.path / "site/data/tournament.json").read_text()
    assert "gus enters before board set" in (place.path / "site/index.html").read_text()
    assert "<dt>Author</dt><dd>Gus</dd>" in (place.path / "site/bots/gus.html").read_text()
    assert "<dt>Author</dt>" not in (place.path / "site/bots/hal.html").read_text(), "it dials in"
    assert_another_change_is_found(place.path / "site")


def assert_another_change_is_found(site: Path) -> None:
    """The event says from which board set on the field is another: the schedule made with it has to fit."""
    file = site / "data/tournament.json"
    content = json.loads(file.read_text())
    event = content["ledger"]["events"][1]
    event["data"] = event["data"].replace('"board_set": ', '"board_set": 1')
    del content["digest"]
    file.write_bytes(_signed(content))

    done = hearts("verify", site)

    assert done.exit_code == 3
    assert "the schedule has " in done.stdout


def test_who_leaves_keeps_its_results_and_plays_no_new_round(
    stopped: tuple[TournamentFolder, TournamentConfig],
) -> None:
    place, config = stopped
    with place.open(config, read_only=True) as store:
        began = max(record.spec.round_number for record in store.records())

    left = hearts("tournament", "leave", place.path, "bob", *SIGNED)
    assert left.exit_code == 0, left.stderr
    play(place, config)

    with place.open(config, read_only=True) as store:
        rounds = {record.spec.round_number for record in store.records() if "bob" in record.spec.bots}
    assert max(rounds) <= began
    others = board_sets_of(place, config)
    assert "bob" in (place.path / "standings.csv").read_text()
    del others["bob"]
    assert max(others.values()) - min(others.values()) <= 1, others
    assert hearts("verify", place.path).exit_code == 0


def test_a_bot_that_joined_is_started_from_its_folder_by_resume(tmp_path: Path) -> None:
    """The first matches are simulated; who joins plays with those that were there, in real processes."""
    bots = [{"path": str(bot_folder(tmp_path / "bots", name, "honest.py"))} for name in BOTS]
    config = ordered(board_sets=6, bot=bots)
    place = TournamentFolder(tmp_path / "cup")
    place.create(config).close()
    play(place, config, stop_after=4)
    late = bot_folder(tmp_path / "bots", "gus", "honest.py")
    assert hearts("tournament", "enter", place.path, late, *SIGNED).exit_code == 0

    program = "from referee.cli.main import run; run()"
    command = [sys.executable, "-c", program, "tournament", "resume", str(place.path), "--workers", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)

    assert done.returncode == 0, done.stderr
    assert "gus" in done.stdout
    assert hearts("verify", place.path).exit_code == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("enter", "CUP"), "give the folder of a bot that is to join, or --remote NAME"),
        (("enter", "CUP", "--remote", "amy", *SIGNED), "amy: is or was in this tournament"),
        (("enter", "CUP", "--remote", "gus"), "--by"),
        (("leave", "CUP", "zoe", *SIGNED), "zoe: is not playing here: the bots are amy, bob"),
        (("leave", "CUP", "bob", "--by", " ", "--why", "x"), "--by and --why: say who decides and why"),
    ],
)
def test_a_change_that_cannot_be_is_refused_with_a_sentence(
    stopped: tuple[TournamentFolder, TournamentConfig], words: tuple[str, ...], sentence: str
) -> None:
    done = hearts("tournament", *[str(stopped[0].path) if word == "CUP" else word for word in words])

    assert done.exit_code == 2
    assert sentence in done.stderr


def test_only_a_round_robin_that_is_not_over_may_change(tmp_path: Path) -> None:
    config = ordered(board_sets=2)
    place = TournamentFolder(tmp_path / "cup")
    place.create(config).close()
    early = hearts("tournament", "enter", place.path, "--remote", "gus", *SIGNED)
    play(place, config)
    late = hearts("tournament", "enter", place.path, "--remote", "gus", *SIGNED)

    assert "nothing was begun: change the bots in the tournament file" in early.stderr
    assert "the tournament is over and its seed is revealed" in late.stderr
    assert (early.exit_code, late.exit_code) == (2, 2)
