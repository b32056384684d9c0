"""A tournament with one bot a language: each is built, started by the launcher, and plays without a fault."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.launch.manifest import load_manifest
from tests.contract.bot_process import COMPILED, SAMPLE_BOTS, built

HEARTS = str(Path(sys.executable).with_name("hearts"))
DUCKS = ("python/duck", "typescript", *COMPILED)
BOARD_SETS = 8  # in which everybody plays at least four


@pytest.mark.toolchain
@pytest.mark.timeout(900)  # builds
@pytest.mark.parametrize("rules", ["american", "five"])
def test_a_bot_of_every_language_plays_a_tournament_without_a_fault(rules: str, tmp_path: Path) -> None:
    folders = [built(SAMPLE_BOTS / folder) for folder in DUCKS]
    bots = "".join(f'[[bot]]\npath = "{folder}"\n' for folder in folders)
    (tmp_path / "cup.toml").write_text(
        f'name = "Languages"\nseed = 7\nrules = "{rules}"\nboard_sets = {BOARD_SETS}\n{bots}'
    )

    run = [HEARTS, "tournament", "run", "cup.toml", "--strict", "--json", "-q"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads(done.stdout)
    assert {bot["bot"] for bot in said["standings"]["bots"]} == {load_manifest(folder).name for folder in folders}
    assert said["faults"] == 0
