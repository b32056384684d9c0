"""A tournament that waits for a bot says for which one: on its screen, and to any other terminal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.main import app
from tests.contract.gallery import bot_folder
from tests.contract.killing import HEARTS, WAIT_S_MAX, assert_all_end

HONEST = ("north", "east", "west")


@pytest.mark.slow
def test_the_bot_that_is_waited_for_is_named_with_its_match_seat_and_turn(tmp_path: Path) -> None:
    folders = [bot_folder(tmp_path, name, "honest.py") for name in HONEST]
    folders.append(bot_folder(tmp_path, "silent", "decides.py", "silent"))
    bots = "".join(f'[[bot]]\npath = "{folder}"\n' for folder in folders)
    (tmp_path / "cup.toml").write_text(f'name = "cup"\nboard_sets = 2\nseed = 7\n[clock]\nturn_ms = 60000\n{bots}')
    waits: list[dict[str, object]] = []
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen(
            [HEARTS, "tournament", "run", "cup.toml"],
            cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path)},
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        deadline = time.monotonic() + WAIT_S_MAX
        while not waits or "waiting for silent in" not in (tmp_path / "said").read_text():
            assert process.poll() is None, (tmp_path / "said").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.2)
            if (tmp_path / "cup/waits.json").exists():
                status = CliRunner().invoke(app, ["tournament", "status", str(tmp_path / "cup"), "--json"])
                waits = json.loads(status.stdout)["waits"]
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)  # a person's second Ctrl-C comes a moment after the first
        assert process.wait(timeout=WAIT_S_MAX) == 130

    (wait,) = waits
    assert (wait["bot"], wait["turn_kind"], wait["turn_number"]) == ("silent", "pass", 1 + int(str(wait["seat"])))
    assert int(str(wait["waited_ms"])) >= 1_000
    assert not (tmp_path / "cup/waits.json").exists()
    assert_all_end(tmp_path)
