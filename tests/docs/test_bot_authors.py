"""docs/bot-authors.md says what works: its commands are run, and its tables are complete."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.assets import bundled_bots
from referee.cli.main import app

PAGE = (Path(__file__).parents[2] / "docs/bot-authors.md").read_text()


@pytest.mark.slow
def test_the_commands_of_the_page_work_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = [
        line.removeprefix("$ ")
        for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
        for line in block.splitlines()
    ]

    assert len(commands) >= 9
    for command in commands:
        program, *words = shlex.split(command)
        done = CliRunner().invoke(app, words, prog_name="hearts")
        assert (program, done.exit_code) == ("hearts", 0), f"{command}: {done.output}"


def test_the_page_names_the_bots_that_travel_along() -> None:
    assert set(re.findall(r"`(\w+)`", PAGE)) >= set(bundled_bots())
