"""A bot that floods its log waits for its own output, so that reading it takes nothing from the others."""

from __future__ import annotations

import os
import selectors
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from referee.launch import supervised
from referee.launch.process_log import ProcessLog
from referee.launch.supervised import Supervised

CHUNK = (63 * b"x" + b"\n") * 512  # 32 KiB, which a pipe holds; a stamp of 27 bytes comes to each line
CHUNK_IN_LOG = len(CHUNK) + 512 * 27


class FakeTime:
    """Stands in for the module `time`."""

    now_s = 100.0

    def monotonic(self) -> float:
        return self.now_s

    def time(self) -> float:
        return 1796040000.0 + self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    clock = FakeTime()
    monkeypatch.setattr(supervised, "time", clock)
    return clock


class Flood:
    """A process whose output the test writes itself."""

    def __init__(self, folder: Path) -> None:
        reading, self._writing = os.pipe()
        os.set_blocking(reading, False)
        self.selector = selectors.DefaultSelector()
        self._process = Popen([sys.executable, "-c", ""])  # any that has a number
        self._process.wait()
        self.log = folder / "bot.log"
        self.supervised = Supervised(1, "mark", self._process, reading, ProcessLog(self.log), self.selector)

    def write(self) -> bool:
        """Write a chunk and have it read; False if the supervisor does not read now."""
        if not self.selector.get_map():
            return False
        os.write(self._writing, CHUNK)
        for key, _ in self.selector.select(0):
            key.data()
        return True

    def close(self) -> None:
        os.close(self._writing)
        self.supervised.finish(())
        self.selector.close()


@pytest.fixture
def flood(clock: FakeTime, tmp_path: Path) -> Iterator[Flood]:
    flood = Flood(tmp_path)
    yield flood
    flood.close()


def test_eight_megabytes_at_once_are_read_and_no_more(flood: Flood) -> None:
    count = 0
    while flood.write():
        count += 1
        assert count < 1000, "it is never stopped"

    assert 8 << 20 < count * CHUNK_IN_LOG <= (8 << 20) + CHUNK_IN_LOG


def test_reading_goes_on_at_the_rate_allowed(flood: Flood, clock: FakeTime) -> None:
    while flood.write():
        pass
    due_s = flood.supervised.due_s
    assert due_s is not None

    clock.now_s = due_s - 0.01
    flood.supervised.tend()
    assert not flood.write()

    count = 0
    while clock.now_s < 110.0:
        clock.now_s = flood.supervised.due_s or 110.0
        flood.supervised.tend()
        while flood.write():
            count += 1

    assert count * CHUNK_IN_LOG == pytest.approx(10 * (2 << 20), rel=0.1)


def test_a_bot_that_writes_little_is_never_made_to_wait(flood: Flood, clock: FakeTime) -> None:
    for _ in range(1000):
        assert flood.write()
        clock.now_s += CHUNK_IN_LOG / (2 << 20)
