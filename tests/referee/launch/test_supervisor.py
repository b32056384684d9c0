"""The supervisor's corners that real processes meet too rarely to be trusted to them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from referee.launch.messages import Ready
from referee.launch.supervisor import Supervisor

DEADLINE_S = 20.0


@pytest.fixture
def pipes() -> Iterator[tuple[int, int, int, int]]:
    """The reading and writing ends for commands, then for events."""
    ends = (*os.pipe(), *os.pipe())
    yield ends
    for end in ends:
        os.close(end)


def test_a_report_is_dropped_when_the_referee_goes_in_the_same_moment(pipes: tuple[int, int, int, int]) -> None:
    commands, _, reports, events = pipes
    supervisor = Supervisor(commands, events)
    supervisor._selector.register(commands, 1, supervisor._read_commands)
    supervisor._send(Ready(pid=1))

    supervisor._abandon()
    supervisor._flush()
    supervisor._abandon()

    os.set_blocking(reports, False)
    with pytest.raises(BlockingIOError):
        os.read(reports, 1)


def run_supervisor(parent: int, commands: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "referee.launch.supervisor", "--parent", str(parent)],
        input=commands,
        capture_output=True,
        timeout=DEADLINE_S,
    )


def test_it_ends_when_its_commands_end() -> None:
    done = run_supervisor(os.getpid(), b"")

    assert (done.returncode, done.stderr) == (0, b"")


def test_it_starts_nothing_for_a_referee_that_has_died_before() -> None:
    done = run_supervisor(1 << 30, b"")

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_command_it_does_not_understand_ends_it_and_says_so() -> None:
    done = run_supervisor(os.getpid(), b"nonsense\n")

    assert b"ProtocolError: not a message: b'nonsense'" in done.stderr
