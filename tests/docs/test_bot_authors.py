"""docs/bot-authors.md says what works: its commands are run, and its tables are complete."""

from __future__ import annotations

import dataclasses
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.assets import bundled_bots
from referee.cli.main import app
from referee.launch.content import IGNORED_FOLDERS
from referee.launch.limits import Limits
from referee.launch.manifest import ManifestError, load_manifest

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


def keys_known(tmp_path: Path, table: str) -> set[str]:
    """The keys that the loader of bot.toml knows, as it tells them to one who misspells a key."""
    (tmp_path / "bot.toml").write_text(f'name = "x"\nrun = ["python"]\n{table}\nqqqqq = 1\n')
    with pytest.raises(ManifestError) as refused:
        load_manifest(tmp_path)
    return set(str(refused.value).partition("known are ")[2].split(", "))


def test_the_page_names_every_key_of_a_manifest_with_its_default(tmp_path: Path) -> None:
    rows = [[cell.strip() for cell in line.split("|")] for line in PAGE.splitlines() if line.startswith("| `")]
    defaults = {row[1].strip("`"): row[2] for row in rows}
    keys, limits = keys_known(tmp_path, ""), keys_known(tmp_path, "[limits]")

    assert keys >= {"name", "run", "limits"}
    assert keys | limits <= set(defaults)
    assert {key: defaults[key] for key in limits} == {
        field.name: str(field.default) for field in dataclasses.fields(Limits)
    }


def test_the_page_names_every_folder_that_the_content_hash_leaves_out() -> None:
    assert set(re.findall(r"`(\w+)`", PAGE)) >= IGNORED_FOLDERS
