"""docs/comparing.md: its commands work, and it names every option."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.main import app

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/comparing.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ hearts (.*)$", PAGE, flags=re.MULTILINE)
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
OUTPUTS = [text for language, text in BLOCKS if not language]


def test_every_command_of_the_page_works_and_prints_the_words_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    monkeypatch.chdir(tmp_path)
    assert len(COMMANDS) >= 6
    printed = ""
    for command in COMMANDS:
        result = CliRunner().invoke(app, shlex.split(command))
        assert result.exit_code == 0, f"{command}: {result.stderr}"
        printed += result.stdout

    # The figures are those of the day when the page was written: the sample bots get better.
    shown = [line.partition(":")[0] for output in OUTPUTS for line in output.splitlines() if line[0] != " "]
    assert len(shown) == 3
    assert [words for words in shown if f"{words}:" not in printed] == []


@pytest.mark.parametrize("command", ["compare", "plan"])
def test_the_page_names_the_options_of_a_command_that_need_a_word(command: str) -> None:
    told_elsewhere = {"--rules", "--set", "--seed", "--turn-ms", "--bank-ms", "--workers", "--quiet", "--help"}
    text = CliRunner().invoke(app, [command, "--help"]).stdout
    options = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, flags=re.MULTILINE)) - told_elsewhere

    assert options
    assert {option for option in options if f"`{option}" not in PAGE and f" {option} " not in PAGE} == set()
