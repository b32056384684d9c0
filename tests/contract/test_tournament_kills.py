"""Kill a tournament at random moments, resume it, and find the results of a run that nobody disturbed."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.record_json import comparable
from referee.store.store import Store

ROOT = Path(__file__).parents[2]
HEARTS = str(Path(sys.executable).with_name("hearts"))
KILLS = 5
END_S_MAX = 10.0
RUN_S_MAX = 100.0
NAMES = ("low", "duck", "counter", "moon")  # one table: to start processes takes most of the time here
BOTS = "".join(f'[[bot]]\npath = "{ROOT / "sample_bots/python" / name}"\n' for name in NAMES)


def tournament_file(folder: Path) -> Path:
    file = folder / "cup.toml"
    file.write_text(f'name = "cup"\nboard_sets = 20\nseed = 7\n[clock]\nturn_ms = 20000\n{BOTS}')
    return file


def start(*arguments: str, cwd: Path) -> subprocess.Popen[bytes]:
    """Start a command with a home folder of its own, which marks all it starts: even bots inherit HOME."""
    return subprocess.Popen(
        [HEARTS, "tournament", *arguments],
        cwd=cwd,
        env={**os.environ, "HOME": str(cwd)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def processes_of(home: Path) -> list[str]:
    """Every process whose home folder is this."""
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            environment = (process / "environ").read_bytes().split(b"\0")
            command = (process / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue  # it ended meanwhile
        if f"HOME={home}".encode() in environment:
            found.append(f"{process.name}: {command}")
    return found


def assert_all_end(folder: Path) -> None:
    deadline = time.monotonic() + END_S_MAX
    while left := processes_of(folder):
        assert time.monotonic() < deadline, f"still there after {END_S_MAX} s: {left}"
        time.sleep(0.05)


def wait_for_bots(process: subprocess.Popen[bytes], home: Path) -> None:
    """Wait until bots are running, or everything is played already."""
    deadline = time.monotonic() + RUN_S_MAX
    while process.poll() is None and not any("wire_loop.py" in line for line in processes_of(home)):
        assert time.monotonic() < deadline, f"no bots after {RUN_S_MAX} s"
        time.sleep(0.05)


def results_of(folder: Path) -> tuple[object, list[bytes]]:
    """What has to be equal: the published standings but for times, and every record but for times."""
    standings = json.loads((folder / "standings.json").read_text())
    with Store.open(folder / "tournament.db", read_only=True) as store:
        records = [comparable(record) for record in store.records()]
    return standings, records


def play_to_the_end(command: Sequence[str], cwd: Path) -> None:
    done = subprocess.run(
        [HEARTS, "tournament", *command], cwd=cwd, capture_output=True, text=True, timeout=RUN_S_MAX
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_tournament_killed_five_times_at_random_moments_ends_as_if_it_never_was(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    disturbed, quiet = tmp_path / "disturbed", tmp_path / "quiet"
    for folder in (disturbed, quiet):
        folder.mkdir()
    play_to_the_end(["run", str(tournament_file(quiet))], quiet)
    tournament_file(disturbed)

    command = ["run", "cup.toml"]
    for kill in range(KILLS):
        process = start(*command, cwd=disturbed)
        if kill:  # the first may come before anything is there, the others hit bots at play
            wait_for_bots(process, disturbed)
        time.sleep(chance.uniform(0.0, 2.0))  # the moment is what is random here
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert_all_end(disturbed)
        if (disturbed / "cup/tournament.db").exists():
            command = ["resume", "cup"]
        else:
            shutil.rmtree(disturbed / "cup", ignore_errors=True)
    play_to_the_end(command, disturbed)

    assert results_of(disturbed / "cup") == results_of(quiet / "cup")
