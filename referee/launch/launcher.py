"""The launcher: starts local bots, knows when they end, and ends them.

It is the referee's end of the supervisor (`referee.launch.supervisor`), which does the work in a process of
its own. A bot that cannot be started is data (`SpawnFailure`), as is every way in which a process ends
(`ProcessExit`).
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import assert_never

from referee.launch.environment import run_environment
from referee.launch.limits import Limits
from referee.launch.messages import (
    LINE_BYTES_MAX,
    Close,
    Command,
    End,
    Event,
    Exited,
    Launch,
    ProtocolError,
    Ready,
    Refused,
    Started,
    decode,
    encode,
)
from referee.launch.process_log import log_position, tail_lines

_READY_S_MAX = 20.0
_KILL_S_MAX = 15.0  # beyond the grace; the supervisor itself reports what SIGKILL does not end after five seconds
_logger = logging.getLogger(__name__)


class LauncherError(Exception):
    """The supervisor could not be started: the environment is unfit, no bot is to blame."""


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
    process and the children it waited for.
    """

    exit_code: int  # negative: the number of the signal that killed it
    asked: bool
    host: bool = False
    wall_ms: int = 0
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
    """A process that was started. Made by `Launcher.launch` only."""

    __slots__ = ("_exited", "_started_s", "asked", "id", "label", "log", "pid")

    def __init__(self, id_: int, label: str, pid: int, log: Path) -> None:
        self.id = id_
        self.label = label
        self.pid = pid
        self.log = log
        self.asked = False
        self._started_s = time.monotonic()
        self._exited: asyncio.Future[ProcessExit] = asyncio.get_running_loop().create_future()

    @property
    def exit(self) -> ProcessExit | None:
        """How it ended, None while it runs."""
        return self._exited.result() if self._exited.done() else None

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal, None while it runs."""
        return self.exit.exit_code if self.exit is not None else None

    def age_ms(self) -> int:
        """Return for how long it has been running."""
        return round((time.monotonic() - self._started_s) * 1000)

    def set_exit(self, how: ProcessExit) -> None:
        """Tell those who wait for it that it has ended (for the launcher)."""
        self._exited.set_result(how)

    async def exited(self) -> ProcessExit:
        """Wait until the process and all it had started has ended and its log is complete."""
        return await asyncio.shield(self._exited)

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


class _Pending:
    """A launch that the supervisor has not answered yet."""

    __slots__ = ("answer", "label", "log")

    def __init__(self, label: str, log: Path) -> None:
        self.label = label
        self.log = log
        self.answer: asyncio.Future[BotProcess | SpawnFailure] = asyncio.get_running_loop().create_future()


Enclosure = Callable[[LaunchRequest], LaunchRequest]
"""Turns a request into one that runs the same command in a sandbox: where a sandbox is to be joined in."""


class Launcher:
    """Starts and ends processes through one supervisor. Belongs to the event loop that called `start`.

    `on_exit` is called in that loop for each process that has ended, before those who wait for it are woken.
    """

    def __init__(
        self,
        log_dir: Path,
        *,
        on_exit: Callable[[BotProcess, ProcessExit], None] | None = None,
        enclosure: Enclosure = lambda request: request,
    ) -> None:
        self._log_dir = log_dir.absolute()
        self._on_exit = on_exit
        self._enclosure = enclosure
        self._ids = itertools.count(1)
        self._processes: dict[int, BotProcess] = {}
        self._pending: dict[int, _Pending] = {}
        self._supervisor: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[None] | None = None

    @property
    def processes(self) -> tuple[BotProcess, ...]:
        """The processes that run."""
        return tuple(self._processes.values())

    @property
    def is_up(self) -> bool:
        """Whether processes can be started."""
        return self._reader is not None and not self._reader.done()

    async def start(self) -> None:
        """Start the supervisor.

        Call it from the thread that runs the event loop for good: the supervisor ends with it.

        Raises:
            LauncherError: it does not come up.
        """
        if self.is_up:
            return
        # grpc, where it is imported after this, then leaves forking alone; the command line sets it earlier.
        os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
        try:
            self._log_dir.mkdir(parents=True, exist_ok=True)
            with (self._log_dir / "supervisor.log").open("ab") as errors:
                supervisor = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-P", "-m", "referee.launch.supervisor", "--parent", str(os.getpid())),
                    env=run_environment(os.environ) | _import_path(),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=errors,
                    limit=LINE_BYTES_MAX,
                    start_new_session=True,
                )
        except OSError as error:
            raise LauncherError(f"the supervisor of local bots cannot be started: {error}") from error
        self._supervisor = supervisor
        self._ready = asyncio.get_running_loop().create_future()
        self._reader = asyncio.create_task(self._read(supervisor), name="launcher reader")
        await asyncio.wait({self._ready, self._reader}, timeout=_READY_S_MAX, return_when=asyncio.FIRST_COMPLETED)
        if not self._ready.done():
            await self.close(grace_s=0)
            where = self._log_dir / "supervisor.log"
            raise LauncherError(f"the supervisor of local bots did not come up; {where} says why")

    async def launch(self, request: LaunchRequest) -> BotProcess | SpawnFailure:
        """Start a process; it runs when this returns a `BotProcess`."""
        if not self.is_up:
            return _lost(request.label)
        request = self._enclosure(request)
        id_ = next(self._ids)
        pending = _Pending(request.label, self._log_path(request.label, id_))
        command = Launch(
            id=id_,
            argv=request.argv,
            cwd=str(request.cwd.absolute()),
            env={**run_environment(os.environ), **request.env},
            log=str(pending.log),
            limits=request.limits,
        )
        try:
            self._send(command)
        except ProtocolError as error:
            return SpawnFailure(label=request.label, message=f"the command is too long: {error}")
        self._pending[id_] = pending
        return await pending.answer

    async def end(self, process: BotProcess, grace_s: float = 2.0) -> ProcessExit:
        """End a process and all it has started: SIGTERM, `grace_s` to obey, SIGKILL. Harmless again."""
        if process.exit is None and self.is_up:
            process.asked = True
            self._send(End(id=process.id, grace_ms=round(grace_s * 1000)))
        return await process.exited()

    async def close(self, grace_s: float = 2.0) -> None:
        """End every process and the supervisor. Harmless where that has been done."""
        if self._supervisor is None or self._reader is None:
            return
        if self.is_up:
            for process in self._processes.values():
                process.asked = True
            self._send(Close(grace_ms=round(grace_s * 1000)))
        try:
            await asyncio.wait_for(asyncio.shield(self._reader), grace_s + _KILL_S_MAX)
        except TimeoutError:
            _logger.error("the supervisor of local bots hangs and is killed; see %s", self._log_dir)  # noqa: TRY400
            self._supervisor.kill()
            await self._reader

    def _send(self, command: Command) -> None:
        assert self._supervisor is not None
        assert self._supervisor.stdin is not None
        self._supervisor.stdin.write(encode(command))

    async def _read(self, supervisor: asyncio.subprocess.Process) -> None:
        """Take the supervisor's reports until it has ended, and report what it cannot any more."""
        assert supervisor.stdin is not None
        assert supervisor.stdout is not None
        try:
            while line := await supervisor.stdout.readline():
                self._receive(decode(line))
        except ValueError:  # a line too long or no message
            _logger.exception("the supervisor of local bots is not understood")
        finally:
            supervisor.stdin.close()  # if it should still run, it ends everything now
            await supervisor.wait()
            self._report_lost()

    def _receive(self, message: Event | Command) -> None:
        match message:
            case Ready():
                assert self._ready is not None
                self._ready.set_result(None)
            case Started():
                self._started(message)
            case Refused():
                pending = self._pending.pop(message.id)
                failure = SpawnFailure(label=pending.label, message=message.message, host=message.host)
                if not pending.answer.done():
                    pending.answer.set_result(failure)
            case Exited():
                process = self._processes.pop(message.id)
                self._report(process, message.exit_code, message)
            case Launch() | End() | Close():
                raise ProtocolError(f"not an event: {message!r}")
            case _:
                assert_never(message)

    def _started(self, message: Started) -> None:
        pending = self._pending.pop(message.id)
        process = BotProcess(message.id, pending.label, message.pid, pending.log)
        self._processes[message.id] = process
        if pending.answer.done():  # its caller was cancelled, so nobody would ever end it
            process.asked = True
            self._send(End(id=message.id, grace_ms=0))
        else:
            pending.answer.set_result(process)

    def _report(self, process: BotProcess, exit_code: int, details: Exited | None) -> None:
        how = ProcessExit(
            exit_code=exit_code,
            asked=process.asked,
            host=details is None and not process.asked,
            wall_ms=process.age_ms(),
            cpu_ms=details.cpu_ms if details else 0,
            memory_kb_max=details.memory_kb_max if details else 0,
            left=details.left if details else (),
        )
        try:
            if self._on_exit is not None:
                self._on_exit(process, how)
        except Exception:  # a caller's mistake must not leave the other processes unwatched
            _logger.exception("on_exit failed for %r", process)
        finally:
            process.set_exit(how)

    def _report_lost(self) -> None:
        """Report the processes that were killed with their supervisor."""
        for process in list(self._processes.values()):
            self._report(process, -signal.SIGKILL, None)
        self._processes.clear()
        for pending in self._pending.values():
            if not pending.answer.done():
                pending.answer.set_result(_lost(pending.label))
        self._pending.clear()

    def _log_path(self, label: str, id_: int) -> Path:
        """Return a log that is not there yet, named after the label, this process and a number."""
        name = re.sub(r"[^\w.-]+", "_", label)[:60].lstrip(".") or "process"
        path = self._log_dir / f"{name}-{os.getpid()}-{id_}.log"
        while path.exists():  # left by an earlier run that had our process id
            path = path.with_stem(path.stem + "x")
        return path


def _lost(label: str) -> SpawnFailure:
    return SpawnFailure(label=label, message="the supervisor of local bots does not run", host=True)


def _import_path() -> dict[str, str]:
    """Return what lets the supervisor import the referee where this process finds it only by PYTHONPATH."""
    return {"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}
