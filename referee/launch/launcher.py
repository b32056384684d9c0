"""The launcher: starts local bots, knows when they end, and ends them.

It is the referee's end of the supervisor (`referee.launch.supervisor`), which does the work in a process of
its own. A bot that cannot be started is data (`SpawnFailure`), as is every way in which a process ends
(`ProcessExit`).
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, assert_never

from referee.launch.environment import run_environment
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
from referee.launch.process import BotProcess, LaunchRequest, ProcessExit, SpawnFailure

__all__ = ["BotProcess", "Enclosure", "LaunchRequest", "Launcher", "LauncherError", "ProcessExit", "SpawnFailure"]

# A supervisor that needs longer than these hangs: it is killed, which the kernel has its bots follow.
_READY_S_MAX = 20.0
_LAUNCH_S_MAX = 60.0
_END_S_MAX = 15.0  # beyond the grace; what SIGKILL does not end is reported by the supervisor after five seconds
_CLEAN_S_MAX = 15.0
_logger = logging.getLogger(__name__)


class LauncherError(Exception):
    """The supervisor could not be started: the environment is unfit, no bot is to blame."""


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

    `async with Launcher(...) as launcher:` starts and closes it.

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
        self._ready: asyncio.Future[int] | None = None  # the supervisor's process id

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
        if not hasattr(os, "waitid"):  # Windows, and macOS before Python 3.13
            raise LauncherError(
                "local bots need Linux, or macOS with Python 3.13; connect them as remote bots here"
            )
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
        ready = self._ready = asyncio.get_running_loop().create_future()
        self._reader = asyncio.create_task(self._read(supervisor), name="launcher reader")
        either: set[asyncio.Future[Any]] = {ready, self._reader}
        await asyncio.wait(either, timeout=_READY_S_MAX, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            await self.close(grace_s=0)
            where = self._log_dir / "supervisor.log"
            raise LauncherError(f"the supervisor of local bots did not come up; {where} says why")

    async def __aenter__(self) -> Launcher:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

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
        try:
            await self._within(pending.answer, _LAUNCH_S_MAX)
        except asyncio.CancelledError:
            pending.answer.cancel()
            raise
        return pending.answer.result()

    async def end(self, process: BotProcess, grace_s: float = 2.0) -> ProcessExit:
        """End a process and all it has started: SIGTERM, `grace_s` to obey, SIGKILL. Harmless again."""
        if process.exit is None and self.is_up:
            process.asked = True
            self._send(End(id=process.id, grace_ms=round(grace_s * 1000)))
        await self._within(process.exited(), grace_s + _END_S_MAX)
        return await process.exited()

    async def close(self, grace_s: float = 2.0) -> None:
        """End every process and the supervisor. Harmless where that has been done."""
        if self._supervisor is None or self._reader is None:
            return
        if self.is_up:
            for process in self._processes.values():
                process.asked = True
            self._send(Close(grace_ms=round(grace_s * 1000)))
        await self._within(self._reader, grace_s + _END_S_MAX)

    async def _within(self, awaited: asyncio.Future[Any], seconds: float) -> None:
        """Wait for what the supervisor owes us; if it takes longer, kill it, upon which everything is answered."""
        done, _ = await asyncio.wait({awaited}, timeout=seconds)
        if not done:
            _logger.error("the supervisor of local bots hangs and is killed; see %s", self._log_dir)
            self._kill_supervisor()
            await asyncio.wait({awaited})

    def _kill_supervisor(self) -> None:
        if self._ready is not None and self._ready.done():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._ready.result(), signal.SIGKILL)

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
            self._ready = None  # it has ended, so its number may be another's soon
        except ValueError:  # a line too long or no message
            _logger.exception("the supervisor of local bots is not understood")
            self._kill_supervisor()
        finally:
            supervisor.stdin.close()  # where it still runs, it ends everything now
            try:
                await asyncio.wait_for(supervisor.wait(), _CLEAN_S_MAX)
            except TimeoutError:
                supervisor.kill()  # the keeper hangs
                await supervisor.wait()
            self._report_lost()

    def _receive(self, message: Event | Command) -> None:
        match message:
            case Ready():
                assert self._ready is not None
                self._ready.set_result(message.pid)
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
