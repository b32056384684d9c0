"""`hearts tournament repair`: what it saves, what it keeps, and that a tournament can go on from there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from referee.config import TournamentConfig
from referee.store import Store
from tests.referee.cli.matches import play_match

MATCHES = 30


def repair(place: TournamentFolder, *options: str) -> Result:
    return CliRunner().invoke(app, ["tournament", "repair", str(place.path), *options])


@pytest.fixture
def place(tmp_path: Path) -> TournamentFolder:
    place = TournamentFolder(tmp_path / "cup")
    record = play_match(deals=1)
    specs = [replace(record.spec, key=f"{number:024x}", number=number) for number in range(MATCHES)]
    with place.create(TournamentConfig.from_dict({"seed": 7})) as store:
        store.add_matches([replace(record, spec=spec) for spec in specs])
    return place


def test_a_torn_store_is_replaced_by_what_is_whole_and_kept_aside(place: TournamentFolder) -> None:
    whole = place.store_file.read_bytes()
    place.store_file.write_bytes(whole[: len(whole) * 2 // 3])

    done = repair(place)

    assert done.exit_code == 0, done.stderr
    assert "saved\n" in done.stdout
    assert place.path.joinpath("tournament.db.damaged-1").read_bytes() == whole[: len(whole) * 2 // 3]
    with place.open(place.config()) as store:
        assert done.stdout.startswith(f"{store.finished_count()} match")
    assert "hearts tournament resume" in done.stderr


def test_a_store_that_lost_its_first_pages_belongs_to_the_files_beside_it(place: TournamentFolder) -> None:
    content = bytearray(place.store_file.read_bytes())
    content[:100] = bytes(100)
    place.store_file.write_bytes(content)

    data = json.loads(repair(place, "--json").stdout)

    with place.open(place.config(), read_only=True) as store:
        assert store.finished_count() == data["kept"] > 0
    assert data["dropped"]
    assert Path(data["damaged"]).is_file()


def test_a_sound_store_loses_nothing(place: TournamentFolder) -> None:
    with place.open(place.config(), read_only=True) as store:
        before = list(store.records_json())

    assert repair(place).exit_code == repair(place).exit_code == 0

    with place.open(place.config(), read_only=True) as store:
        assert list(store.records_json()) == before
    assert {path.name for path in place.path.glob("*.damaged-*")} == {
        "tournament.db.damaged-1",
        "tournament.db.damaged-2",
    }


def test_a_store_that_is_being_written_is_left_alone(place: TournamentFolder) -> None:
    with Store.open(place.store_file):
        done = repair(place)

    assert done.exit_code == 2
    assert "is being written by process" in done.stderr
    assert not list(place.path.glob("*.damaged-*"))


def test_nothing_to_repair_is_said(tmp_path: Path) -> None:
    done = repair(TournamentFolder(tmp_path))

    assert done.exit_code == 2
    assert "has no tournament.db, so there is nothing to repair" in done.stderr
