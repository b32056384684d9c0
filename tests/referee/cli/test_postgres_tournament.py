"""A tournament whose matches are in PostgreSQL: every command finds them, and two in one database never mix."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.errors import Failure
from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from referee.cli.tournament_host import Host
from referee.config import ConfigError, TournamentConfig
from referee.store import StoreError
from referee.store.model import UnreachableError
from tests.referee.simulated import ordered, play_cup, play_on

SIGNED = ("--by", "ada", "--why", "it looked at others' cards")


def hearts(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


async def test_every_command_finds_the_matches(tmp_path: Path, postgres_database: str) -> None:
    config = ordered(board_sets=2, store=postgres_database)
    place = TournamentFolder(tmp_path / "cup")
    with place.create(config) as store:
        assert json.loads(hearts("tournament", "status", place.path, "--json").stdout)["state"] == "running"
        await play_on(place, config, store, stop_after=3)
    assert json.loads(hearts("tournament", "status", place.path, "--json").stdout)["state"] == "stopped"
    assert not place.store_file.exists()
    with place.open(place.config()) as store:
        await play_on(place, config, store)

    for words in (
        ("tournament", "status", place.path),
        ("ratings", place.path),
        ("publish", place.path),
        ("replay", place.path, "3"),
        ("tournament", "pause", place.path),
        ("tournament", "continue", place.path),
        ("tournament", "withdraw", place.path, "amy", *SIGNED),
        ("tournament", "reverse", place.path, "1", *SIGNED),
        ("tournament", "annul", place.path, "3", *SIGNED),
        ("tournament", "reverse", place.path, "3", *SIGNED),
        ("tournament", "corrections", place.path),
        ("tournament", "export", place.path, "--out", tmp_path / "cup.jsonl"),
        ("verify", place.path),
        ("verify", place.path / "site"),
    ):
        done = hearts(*words)
        assert done.exit_code == 0, f"{words}: {done.stderr}"
    published = "".join(file.read_text() for file in place.path.glob("**/*") if file.suffix in (".json", ".html"))
    assert postgres_database.partition("?")[0] not in published.replace(place.config_file.read_text(), "")
    repaired = hearts("tournament", "repair", place.path)
    assert (repaired.exit_code, "PostgreSQL is mended by its own means" in repaired.stderr) == (2, True)


async def test_two_tournaments_in_one_database_do_not_mix(tmp_path: Path, postgres_database: str) -> None:
    places = []
    for name, board_sets in (("one", 1), ("two", 2)):
        config = ordered(name=name, board_sets=board_sets, store=postgres_database)
        places.append(await play_cup(tmp_path / name, config))

    for place, matches in zip(places, (4, 8), strict=True):
        assert json.loads(hearts("tournament", "status", place.path, "--json").stdout)["done"] == matches
        assert hearts("verify", place.path).exit_code == 0


def test_a_tournament_is_begun_once(tmp_path: Path, postgres_database: str) -> None:
    config = ordered(store=postgres_database)
    place = TournamentFolder(tmp_path / "cup")
    place.create(config).close()

    with pytest.raises(Failure, match="a tournament is there already: `hearts tournament resume"):
        place.create(config)
    with pytest.raises(StoreError, match="exists already: resume it, or choose another"):
        TournamentFolder(tmp_path / "another").create(config)


def test_a_run_that_was_killed_before_its_store_was_made_may_be_given_again(
    tmp_path: Path, postgres_database: str
) -> None:
    config = ordered(store=postgres_database)
    place = TournamentFolder(tmp_path / "cup")
    store = place.create(config)
    store.discard()

    place.create(config).close()


def test_one_coordinator_at_a_time(tmp_path: Path, postgres_database: str) -> None:
    place = TournamentFolder(tmp_path / "cup")
    with place.create(ordered(store=postgres_database)):
        second = hearts("tournament", "resume", place.path)

    assert second.exit_code == 2
    assert "is being written by another process: wait until it ends, or stop it" in second.stderr


def test_a_server_that_does_not_answer_is_said_with_the_exit_code_of_the_environment(tmp_path: Path) -> None:
    bots = "".join(f'[[bot]]\nname = "{name}"\npath = "bot"\n' for name in "abcd")
    (tmp_path / "cup.toml").write_text(bots)
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot/bot.toml").write_text('name = "low"\nrun = ["true"]\n')

    done = hearts("tournament", "run", tmp_path / "cup.toml", "--store", f"postgresql:///cup?host={tmp_path}")

    assert (done.exit_code, "cannot be reached" in done.stderr) == (4, True), done.stderr
    assert "?" not in done.stderr.partition("cannot be reached")[2], "the library's own question"
    assert "is safe" not in done.stderr, "nothing was committed"
    assert not (tmp_path / "cup").exists(), "the next run may name another store"


def test_a_server_lost_on_the_way_is_said_with_the_command_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lose(_host: Host) -> None:
        raise UnreachableError("store 'cup' cannot be reached")

    monkeypatch.setattr(Host, "run", lose)
    place = TournamentFolder(tmp_path / "cup")
    place.create(ordered()).close()

    done = hearts("tournament", "resume", place.path)

    assert done.exit_code == 4
    assert "all that was committed is safe: `hearts tournament resume " in done.stderr


def test_a_folder_left_for_a_store_that_cannot_be_asked_is_not_taken_for_another(tmp_path: Path) -> None:
    place = TournamentFolder(tmp_path / "cup")
    with place.create(ordered()):
        pass
    place.store_file.unlink()  # as if the run had been killed between the two
    dead = f"postgresql:///cup?host={tmp_path}"
    place.config_file.write_text(json.dumps(ordered(store=dead).to_dict()))

    with pytest.raises(Failure, match=r"config\.json: an earlier run asked for another store, and whether"):
        place.create(ordered(store="postgresql:///other"))
    with pytest.raises(Failure, match="give that one, give another --dir, or delete"):
        place.create(ordered())
    assert place.config().store == dead


@pytest.mark.parametrize("url", ["postgresql://me:secret@db/cup", "postgresql://db/cup?password=secret"])
def test_a_password_does_not_belong_into_the_file_and_is_not_repeated(url: str) -> None:
    with pytest.raises(
        ConfigError, match=r"store = .* has to be the URL of a PostgreSQL database without"
    ) as caught:
        TournamentConfig.from_dict({"store": url})
    assert "secret" not in str(caught.value)


def test_where_the_matches_are_does_not_change_what_is_played() -> None:
    here, there = ordered(), ordered(store="postgresql://[::1]:5432/cup")

    assert here.digest() == there.digest()
