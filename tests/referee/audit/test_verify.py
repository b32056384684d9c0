"""`hearts verify`: a whole tournament is confirmed, and any changed byte of it is found."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from referee.cli.verify_command import verified
from tests.referee.simulated import ordered, play_cup

SEED = 5


def hearts(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> TournamentFolder:
    folder = tmp_path_factory.mktemp("verify") / "cup"
    place = asyncio.run(play_cup(folder, ordered(board_sets=6)))
    assert hearts("tournament", "export", folder, "--out", folder / "cup.jsonl", "--quiet").exit_code == 0
    return place


@pytest.fixture
def copy(cup: TournamentFolder, tmp_path: Path) -> TournamentFolder:
    shutil.copytree(cup.path, tmp_path / "cup")
    return TournamentFolder(tmp_path / "cup")


def test_folder_site_and_export_are_confirmed_with_one_root(cup: TournamentFolder) -> None:
    roots = set()
    for path in (cup.path, cup.path / "site", cup.path / "cup.jsonl"):
        done = hearts("verify", path)
        assert done.exit_code == 0, done.stdout
        assert done.stdout.startswith("verified: 24 matches, 24 deals, 1,248 decisions; root ")
        roots.add(done.stdout.split()[-1])

    (root,) = roots
    assert hearts("verify", cup.path / "site", "--root", root).exit_code == 0
    other = hearts("verify", cup.path / "cup.jsonl", "--root", "00" * 32)
    assert other.exit_code == 2
    assert f"root: they have {root}, published was {'00' * 32}" in other.stdout


def dumped(file: Path) -> list[str] | None:
    """Every value that a database holds, None where it cannot be read."""
    try:
        with sqlite3.connect(file) as connection:
            return [line for line in connection.iterdump() if line.startswith("INSERT")]
    except (sqlite3.Error, UnicodeDecodeError):
        return None


def changed_bytes(
    file: Path, draw: random.Random, wanted: int, counts: Callable[[Path], bool], check: Callable[[], bool]
) -> None:
    """Change a byte, ask whether it is found, and change it back."""
    whole = file.read_bytes()
    found = 0
    while found < wanted:
        place = draw.randrange(len(whole))
        bit = 1 << draw.randrange(8)
        file.write_bytes(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
        if counts(file):
            assert check(), f"seed {SEED}: bit {bit} of byte {place} of {file.name} was changed unnoticed"
            found += 1
    file.write_bytes(whole)


def differs(path: Path, scratch: Path) -> bool:
    scratch.mkdir()
    try:
        return bool(verified(path, "", None, scratch).differences)
    finally:
        shutil.rmtree(scratch)


def test_each_changed_bit_of_the_store_that_changes_any_value_is_found(
    copy: TournamentFolder, tmp_path: Path
) -> None:
    """A database has bytes that hold no value, such as free space: they are told by all its rows as text."""
    whole = dumped(copy.store_file)

    changed_bytes(
        copy.store_file,
        random.Random(SEED),
        34,
        lambda file: dumped(file) != whole,
        lambda: differs(copy.path, tmp_path / "scratch"),
    )


def test_each_changed_bit_of_an_export_is_found(copy: TournamentFolder, tmp_path: Path) -> None:
    file = copy.path / "cup.jsonl"
    changed_bytes(file, random.Random(SEED), 33, lambda _: True, lambda: differs(file, tmp_path / "scratch"))


def test_each_changed_bit_of_a_site_is_found(copy: TournamentFolder, tmp_path: Path) -> None:
    """Pages take longest, since they are made again from the records: so they are fewer here."""
    draw = random.Random(SEED)
    site = copy.path / "site"
    evidence = [site / "data/records.jsonl", site / "data/tournament.json"]
    pages = sorted(path for path in site.rglob("*") if path.is_file() and path not in evidence)
    for file in (*draw.choices(evidence, k=23), *draw.sample(pages, 10)):
        changed_bytes(file, draw, 1, lambda _: True, lambda: differs(site, tmp_path / "scratch"))


@pytest.mark.parametrize("name", ["standings.json", "standings.csv", "standings.txt", "site/index.html"])
def test_a_changed_rating_is_named_with_its_file_and_line(copy: TournamentFolder, name: str) -> None:
    file = copy.path / name
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("amy", "amx", 1), encoding="utf-8")

    done = hearts("verify", copy.path)

    assert done.exit_code == 2
    assert f"differs: {file}: line " in done.stdout
    assert "amx" in done.stdout
