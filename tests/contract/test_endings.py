"""However a tournament ends, nothing is left of it ten seconds later. That it can go on is tested beside this."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.contract.test_tournament_kills import (
    NAMES,
    RUN_S_MAX,
    assert_all_end,
    play_to_the_end,
    processes_of,
    results_of,
    start,
    tournament_file,
    wait_for_bots,
)

STOP_S_MAX = 60


def short(file: Path) -> None:
    """Make a tournament one that is over soon."""
    file.write_text(file.read_text().replace("board_sets = 20", "board_sets = 6"))


def endless(file: Path, *, matches: bool) -> None:
    """Make a tournament one that is not over while the test lasts; nor are its matches, if asked for."""
    length = '\nmatch = "target"\nrules = { base = "american", target = 1_000_000 }' if matches else ""
    file.write_text(file.read_text().replace("board_sets = 20", f"board_sets = 5000{length}"))


def wait_for_matches(process: subprocess.Popen[bytes], home: Path) -> None:
    """Wait until more processes were started than at the muster, so that matches are being played."""
    deadline = time.monotonic() + RUN_S_MAX
    while len(list((home / "cup/logs").glob("*-r*.log"))) <= len(NAMES):
        assert process.poll() is None, "it has ended"
        assert time.monotonic() < deadline, "no bot has been started"
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("signals", "code"),
    [
        ([], 0),
        ([signal.SIGINT], 5),
        ([signal.SIGTERM], 5),
        ([signal.SIGINT, signal.SIGINT], 130),
        ([signal.SIGTERM, signal.SIGTERM], 130),
    ],
    ids=["normal end", "Ctrl-C once", "SIGTERM once", "Ctrl-C twice", "SIGTERM twice"],
)
def test_nothing_is_left_after(tmp_path: Path, signals: list[signal.Signals], code: int) -> None:
    file = tournament_file(tmp_path)
    if signals:
        endless(file, matches=len(signals) > 1)
    else:
        short(file)
    process = start("run", "cup.toml", cwd=tmp_path)
    wait_for_bots(process, tmp_path)
    wait_for_matches(process, tmp_path)
    for number in signals:
        assert process.poll() is None
        process.send_signal(number)
        time.sleep(0.5)  # a person's second Ctrl-C comes a moment after the first

    assert process.wait(timeout=RUN_S_MAX if not signals else STOP_S_MAX) == code
    assert_all_end(tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_tournament_goes_on_when_its_workers_are_killed(tmp_path: Path) -> None:
    quiet, disturbed = tmp_path / "quiet", tmp_path / "disturbed"
    for folder in (quiet, disturbed):
        folder.mkdir()
        short(tournament_file(folder))
    play_to_the_end(["run", "cup.toml"], quiet)

    process = start("run", "cup.toml", cwd=disturbed)
    wait_for_bots(process, disturbed)
    wait_for_matches(process, disturbed)
    workers = [
        int(line.partition(":")[0]) for line in processes_of(disturbed) if "referee.executors.worker" in line
    ]
    assert workers
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    assert process.wait(timeout=RUN_S_MAX) == 0
    assert_all_end(disturbed)

    assert results_of(disturbed / "cup") == results_of(quiet / "cup")
