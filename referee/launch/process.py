"""What the launcher is asked for and what it gives: requests, running processes, and how they ended."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from referee.launch.limits import Limits
from referee.launch.process_log import log_position, tail_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchRequest:
    """A process to be started.

    `label` names it in logs and log files. `argv[0]` is looked up on PATH, or below `cwd` where it holds a
    slash. `env` comes on top of the few variables that a bot inherits; see `referee.launch.environment`.
    """

    label: str
    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpawnFailure:
    """A process that was never started: why, in a sentence; `host` tells that it was no doing of it."""

    label: str
    message: str
    host: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessExit:
    """How a process ended.

    `asked` tells that `Launcher.end` or `close` had been called before, so that it is no fault of the bot;
    `host` that it was killed because its supervisor was lost. Processor time and memory are those of the
    process and the children it waited for; Linux counts the memory from the fork on, so 12 MB is the least.
    """

    exit_code: int  # negative: the number of the signal that killed it
    asked: bool
    host: bool = False
    cpu_ms: int = 0
    memory_kb_max: int = 0
    left: tuple[int, ...] = ()  # processes that even SIGKILL did not end in time

    def __str__(self) -> str:
        """Say it in words: "exited with code 3", "was killed by SIGSEGV"."""
        if self.host:
            return "was killed because the supervisor of local bots was lost"
        if self.exit_code >= 0:
            return f"exited with code {self.exit_code}"
        try:
            name = signal.Signals(-self.exit_code).name
        except ValueError:  # a real-time signal
            name = f"signal {-self.exit_code}"
        return f"was killed by {name}"


class BotProcess:
    """A process that was started. Made by `Launcher.launch` only; `log` is its `referee.launch.process_log`."""

    __slots__ = ("_exited", "asked", "id", "label", "log", "pid")

    def __init__(self, id_: int, label: str, pid: int, log: Path) -> None:
        self.id = id_
        self.label = label
        self.pid = pid
        self.log = log
        self.asked = False
        self._exited: asyncio.Future[ProcessExit] = asyncio.get_running_loop().create_future()

    @property
    def exit(self) -> ProcessExit | None:
        """How it ended, None while it runs."""
        return self._exited.result() if self._exited.done() else None

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal, None while it runs."""
        return self.exit.exit_code if self.exit is not None else None

    def set_exit(self, how: ProcessExit) -> None:
        """Tell those who wait for it that it has ended (for the launcher)."""
        self._exited.set_result(how)

    def exited(self) -> asyncio.Future[ProcessExit]:
        """Return what to await for the end of the process and all it had started; its log is complete then.

        Whoever waits may be cancelled without harm to the others.
        """
        return asyncio.shield(self._exited)

    def log_position(self) -> int:
        """Return how far its log has come: `read_log` gives what was written between two such positions.

        While the process runs, what it has just written may still be on its way for some milliseconds.
        """
        return log_position(self.log)

    def stderr_tail(self, count: int = 20) -> list[str]:
        """Return the last lines it wrote to stderr or stdout, safe to print."""
        return tail_lines(self.log, count)

    def __repr__(self) -> str:
        return f"<BotProcess {self.label!r} pid {self.pid} {self.exit or 'running'}>"
