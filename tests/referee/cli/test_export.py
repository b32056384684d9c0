"""`hearts tournament export`: the same bytes on a pipe and in a file, readable by replay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.cli.replay_text import render
from referee.cli.tournament_folder import TournamentFolder
from referee.config import TournamentConfig
from tests.referee.cli.matches import play_match


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    with TournamentFolder(tmp_path / "cup").create(TournamentConfig.from_dict({"seed": 7})) as store:
        store.add_matches([play_match(number=number, deals=1) for number in range(3)])
    return tmp_path / "cup"


def hearts(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def test_file_and_pipe_carry_the_same_lines(cup: Path, tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"

    piped = hearts("tournament", "export", cup)
    filed = hearts("tournament", "export", cup, "--out", file, "--json", "--quiet")

    assert piped.exit_code == filed.exit_code == 0
    assert file.read_bytes() == piped.stdout_bytes
    assert len(piped.stdout.splitlines()) == 5
    summary = json.loads(filed.stdout)
    assert (summary["matches"], filed.stderr) == (3, "")
    assert summary["root"] in piped.stdout.splitlines()[-1]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_replay_reads_an_export(cup: Path, tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    hearts("tournament", "export", cup, "--out", file)

    assert hearts("replay", file, "2").stdout == render(play_match(number=2, deals=1))


def test_a_summary_does_not_mix_with_the_records(cup: Path) -> None:
    done = hearts("tournament", "export", cup, "--json")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "--json: needs --out FILE" in done.stderr


def test_an_export_tells_nothing_of_the_machine(tmp_path: Path) -> None:
    raw = {"seed": 7, "bot": [{"path": str(tmp_path / "bots/mine")}], "house": {"bots": [str(tmp_path / "duck")]}}
    with TournamentFolder(tmp_path / "cup").create(TournamentConfig.from_dict(raw)) as store:
        store.add_matches([play_match(deals=1)])

    done = hearts("tournament", "export", tmp_path / "cup")

    assert str(tmp_path) not in done.stdout
    assert '\\"path\\": \\"mine\\"' in done.stdout.splitlines()[0]
