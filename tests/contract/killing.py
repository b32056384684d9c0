"""A tournament of real processes that are killed with SIGKILL, at a moment of one's choice."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, Self

from referee.cli.tournament_folder import TournamentFolder

ROOT = Path(__file__).parents[2]
HEARTS = str(Path(sys.executable).with_name("hearts"))
END_S_MAX = 20.0
WAIT_S_MAX = 120.0
LOOK_S = 0.02
NAMES = ("random", "low", "duck", "counter")
# Nobody is late on a slow machine, and a bot may be killed as often as it likes.
TEXT = """
name = "cup"
board_sets = {board_sets}
seed = 7
tables = 4
{more}
[clock]
turn_ms = 60000
[faults]
restarts_max = 1000
reconnects_max = 10000
"""


class Victim(StrEnum):
    """Who is killed."""

    COORDINATOR = "coordinator"
    WORKER = "worker"
    BOT = "bot"


def tournament_file(folder: Path, board_sets: int, more: str = "") -> Path:
    """Write the tournament's file, with more keys if there are any."""
    bots = "".join(f'[[bot]]\npath = "{ROOT / "sample_bots/python" / name}"\n' for name in NAMES)
    file = folder / "cup.toml"
    file.write_text(TEXT.format(board_sets=board_sets, more=more) + bots)
    return file


def play_to_the_end(folder: Path, *command: str) -> None:
    """Give a command that has to end well."""
    done = subprocess.run(
        [HEARTS, "tournament", *command], cwd=folder, capture_output=True, text=True, timeout=2 * WAIT_S_MAX
    )
    assert done.returncode == 0, done.stderr


class Run:
    """One run of the tournament in a folder, which is the home of all its processes: even bots inherit HOME.

    Args:
        folder: with the tournament's file; what was played is in `cup` below it.
        store_url: of PostgreSQL; None for a file.
    """

    def __init__(self, folder: Path, store_url: str | None) -> None:
        self._home = folder
        self.cup = folder / "cup"
        self.watch: Watch = FileWatch(self.cup / "tournament.db") if store_url is None else ServerWatch(store_url)
        self.is_resumed = TournamentFolder(self.cup).is_begun(None)
        store = ["--store", store_url] if store_url else []
        command = ["resume", "cup"] if self.is_resumed else ["run", "cup.toml", *store]
        self._log = folder / "said.log"
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [HEARTS, "tournament", *command, "--workers", "2"],
                cwd=folder,
                env={**os.environ, "HOME": str(folder)},
                stdout=log,
                stderr=log,
            )

    @property
    def is_over(self) -> bool:
        """Whether the run came to its own end, which has to be a good one."""
        code = self.process.poll()
        if code is not None:
            assert code == 0, f"ended with {code}: {self._log.read_text()[-3000:]}"
        return code is not None

    def sleep(self, seconds: float) -> None:
        """Wait for a time, or for the end of the run."""
        end_s = time.monotonic() + seconds
        self.wait_for(lambda: time.monotonic() >= end_s)

    def wait_for(self, what: Callable[[], bool], look_s: float = LOOK_S) -> None:
        """Wait for something, or for the end of the run."""
        deadline_s = time.monotonic() + WAIT_S_MAX
        while not self.is_over and not what():
            assert time.monotonic() < deadline_s, f"nothing for {WAIT_S_MAX} s: {self._log.read_text()[-3000:]}"
            if look_s:
                time.sleep(look_s)

    def kill(self, victim: Victim, choose: Callable[[list[int]], int]) -> bool:
        """Kill one; False where there is none. After the coordinator's end all others have to end, too."""
        pids = self.living(victim)
        if self.is_over or not pids:
            return False
        try:
            os.kill(choose(pids), signal.SIGKILL)
        except ProcessLookupError:
            return False
        if victim is Victim.COORDINATOR:
            self.process.wait()
            assert_all_end(self._home)
        return True

    @property
    def is_killed(self) -> bool:
        """Whether the coordinator was killed."""
        return self.process.returncode == -signal.SIGKILL

    def living(self, victim: Victim) -> list[int]:
        """The processes of a kind."""
        if victim is Victim.COORDINATOR:
            return [] if self.process.poll() is not None else [self.process.pid]
        return [pid for pid, kind in _processes(self._home) if kind is victim]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End it, whatever it does, should a test fail."""
        self.watch.close()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            assert_all_end(self._home)


def assert_all_end(home: Path) -> None:
    """See that nothing is left, soon, of what has this home folder."""
    deadline_s = time.monotonic() + END_S_MAX
    while left := list(_processes(home)):
        assert time.monotonic() < deadline_s, f"still there after {END_S_MAX} s: {left}"
        time.sleep(LOOK_S)


class Watch(Protocol):
    """Looks at a store from outside, as another process wrote it."""

    def matches(self) -> int:
        """How many are finished."""
        ...

    def begins(self) -> Callable[[], bool]:
        """Give what tells whether a commit has begun to be written since now."""
        ...

    def close(self) -> None:
        """End it."""
        ...


class FileWatch:
    """A file of SQLite, whose write-ahead log grows with each commit."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def matches(self) -> int:
        if not self._file.exists():
            return 0
        with closing(sqlite3.connect(f"{self._file.as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
            return int(connection.execute("SELECT count(*) FROM matches").fetchone()[0])

    def begins(self) -> Callable[[], bool]:
        before = self._log()
        return lambda: self._log() != before

    def _log(self) -> tuple[int, int]:
        try:
            seen = Path(f"{self._file}-wal").stat()
        except FileNotFoundError:
            return 0, 0
        return seen.st_size, seen.st_mtime_ns

    def close(self) -> None:
        """Nothing is kept open."""


class ServerWatch:
    """A database of PostgreSQL that nobody else uses: a transaction that writes has a number."""

    def __init__(self, url: str) -> None:
        import psycopg

        self._connection = psycopg.connect(url, autocommit=True)

    def matches(self) -> int:
        schema = self._ask("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'hearts%'")
        if schema is None or not self._ask(f"SELECT to_regclass('{schema}.matches')"):
            return 0
        return int(self._ask(f"SELECT count(*) FROM {schema}.matches"))

    def begins(self) -> Callable[[], bool]:
        writers = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL"
        )
        return lambda: bool(self._ask(writers))

    def _ask(self, query: str) -> Any:
        row = self._connection.execute(query).fetchone()
        return None if row is None else row[0]

    def close(self) -> None:
        self._connection.close()


def _processes(home: Path) -> Iterator[tuple[int, Victim | None]]:
    """Every process whose home folder is this; None for those that are neither worker nor bot."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended meanwhile
        if f"HOME={home}".encode() not in environment:
            continue
        if any(each.startswith(b"HEARTS_BOT=") for each in environment):
            yield int(folder.name), Victim.BOT
        elif b"referee.executors.worker" in command:
            yield int(folder.name), Victim.WORKER
        else:
            yield int(folder.name), None
