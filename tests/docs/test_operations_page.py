"""docs/operations.md: its commands work in the order in which they stand, on a tournament of simulated bots."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from tests.referee.simulated import ordered, play_cup

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
TABLES = PAGE.partition("## Running")[2]
PLAYED = "hearts tournament run cup.toml"  # here by simulated bots
COMMITTING, SALTING = "hearts tournament commit", "hearts tournament salt"  # before the first deal: both at once
ELSEWHERE = {
    "hearts tournament run cup.toml --store postgresql://me@db.example/hearts": "test_postgres_tournament.py",
    "hearts tournament close cup": "test_organiser.py: for a tournament that is not at its end",
}


def commands() -> list[str]:
    """The commands of the page's blocks and of its tables, in order."""
    found = []
    for line in TABLES.splitlines():
        if line.startswith("    hearts "):
            found.append(re.sub(r"\s+#.*", "", line).strip())
        elif line.startswith("| "):
            found += [f"hearts {words}" for words in re.findall(r"`hearts (tournament [^`]*)`", line)]
    return found


def test_every_command_of_the_page_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    for name, bot in (("one", "low"), ("two", "random")):
        (tmp_path / "bots" / name).symlink_to(ROOT / "sample_bots/python" / bot)
    known: dict[str, str] = {}
    failed = []
    for command in commands():
        if command == PLAYED:
            known = _played(tmp_path)
        elif command.startswith(COMMITTING):
            _committed(tmp_path, monkeypatch, command)
        elif command not in ELSEWHERE and not command.startswith(SALTING):
            words = [known.get(word, word) for word in shlex.split(command)[1:]]
            if "--root" in words:
                words[-1] = known["ROOT"]
            done = CliRunner().invoke(app, words)
            if done.exit_code != 0:
                failed.append(f"{command}: {done.stdout}{done.stderr}")

    assert failed == []
    assert len(commands()) >= 20
    assert set(ELSEWHERE) < set(commands())


def _played(folder: Path) -> dict[str, str]:
    """Play it, and give what stands for the words that the page leaves open."""
    place = asyncio.run(play_cup(folder / "cup", ordered(board_sets=6, seed=None)))
    with place.read() as store:
        fault = next(fault for fault in store.faults() if fault.bot == "fay")
    root = json.loads((place.path / "site/data/tournament.json").read_text(encoding="utf-8"))["root"]
    open_words = {"BOT": "amy", "MATCH": fault.key, "FAULT": str(fault.position + 1), "NUMBER": "1"}
    return {**open_words, "NAME": "ada", "TEXT": "it was so", "HEX": place.seed().hex(), "ROOT": root}


def _committed(folder: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """Commit, and salt, where no tournament has begun."""
    salting = next(each for each in commands() if each.startswith(SALTING))
    (folder / "salted").mkdir()
    (folder / "salted/cup.toml").write_text(
        (folder / "cup.toml").read_text(encoding="utf-8").replace("bots/", "../bots/"), encoding="utf-8"
    )
    monkeypatch.chdir(folder / "salted")
    for each in (command, salting):
        done = CliRunner().invoke(app, shlex.split(each)[1:])
        assert done.exit_code == 0, f"{each}: {done.stderr}"
    assert TournamentFolder(folder / "salted/cup").seed_file.is_file()
    monkeypatch.chdir(folder)
