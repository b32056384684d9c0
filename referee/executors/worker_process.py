"""The owner's end of one worker process, across its restarts."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.executors.work import HouseConfig, spec_to_dict, wait_from_dict
from referee.executors.worker import LINE_BYTES_MAX
from referee.floor.waits import Wait
from referee.records import MatchSpec

START_S_MAX = 60.0
# A worker speaks every second. One that has been silent for so long hangs, or was stopped by somebody.
SILENCE_S_MAX = 60.0
RESTARTS_MAX = 3  # running, without a match that came to its end between them


class RefusedError(RuntimeError):
    """A worker cannot do what the configuration asks: the message is a sentence for the organiser."""


class UnfitMachineError(RefusedError):
    """The same, where the machine is to blame."""


class WorkerError(RuntimeError):
    """A worker process failed: our own mistake, or the machine's. What was in flight is played again on resume."""


GivenUp = RefusedError | WorkerError


class WorkerProcess:
    """One worker, started again when it dies; what was in flight is then played again by fresh bots.

    Args:
        number: of the worker, from 0.
        config: what it is told.
        log: where its stderr goes.
        take: called with each message but those about the process itself.
        fail: called once, when the worker is given up.
        say: told what the organiser should see at once.

    Attributes:
        in_flight: the matches it plays, by key.
        musters: the bots it is asked to start, with the instance.
        waits: what it waits for, one entry a bot.
    """

    def __init__(
        self,
        number: int,
        config: HouseConfig,
        log: Path,
        *,
        take: Callable[[WorkerProcess, dict[str, Any]], None],
        fail: Callable[[GivenUp], None],
        say: Callable[[str], None],
    ) -> None:
        self.number = number
        self.log = log
        self.listening = ""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.in_flight: dict[str, MatchSpec] = {}
        self.musters: dict[str, str] = {}
        self.waits: list[Wait] = []
        self._config = config
        self._on_message = take
        self._on_failed = fail
        self._say = say
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._socket_folder = ""
        self._restarts = 0
        self._is_up = False
        self._is_ending = False
        self._is_given_up = False

    @property
    def pid(self) -> int:
        """The number of the process that is, or was last, this worker."""
        return self._process.pid if self._process is not None else 0

    async def start(self) -> None:
        """Start the process; `ready` tells when it plays."""
        await self._spawn()
        self._task = asyncio.create_task(self._serve(), name=f"worker {self.number}")
        self._task.add_done_callback(self._served)

    async def come_up(self) -> None:
        """Wait until it plays.

        Raises:
            RefusedError: it cannot do what its configuration asks.
            WorkerError: it does not come up for another reason.
        """
        await asyncio.wait({self.ready}, timeout=START_S_MAX)
        if not self.ready.done():
            raise WorkerError(f"worker {self.number} did not come up within {START_S_MAX:g} s; {self.log} says why")
        self.ready.result()

    def muster(self, bot: str, instance: str) -> None:
        """Have a process of a bot say hello."""
        self.musters[bot] = instance
        self._send(kind="muster", bot=bot, instance=instance)

    def play(self, spec: MatchSpec) -> None:
        """Have a match played."""
        self.in_flight[spec.key] = spec
        self._send(kind="play", spec=spec_to_dict(spec))

    def finished(self, key: str) -> None:
        """Take note that a match has come to an end, whatever it is."""
        self.in_flight.pop(key, None)
        self._restarts = 0

    async def drain(self, seconds: float) -> None:
        """Let it end its bots and itself once nothing is in flight."""
        self._is_ending = True
        self._send(kind="drain")
        await self._ended(seconds)

    async def kill(self, seconds: float) -> None:
        """End it now, with its bots: stdin's end tells it, SIGKILL makes sure."""
        self._is_ending = True
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        await self._ended(seconds)
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def _ended(self, seconds: float) -> None:
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=seconds)

    def _send(self, **message: object) -> None:
        """Tell the worker something; what it misses while it is down it is told when it is up again."""
        if self._is_up and self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def _spawn(self) -> None:
        with self.log.open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-P", "-m", "referee.executors.worker"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                limit=LINE_BYTES_MAX,
                env={**os.environ, "GRPC_ENABLE_FORK_SUPPORT": "0"},
                start_new_session=True,  # Ctrl-C at the terminal is the coordinator's to handle
            )
        assert self._process.stdin is not None
        self._process.stdin.write(self._config.to_json().encode() + b"\n")

    async def _serve(self) -> None:
        """Read what the worker tells until it has ended for good."""
        while True:
            why, was_killed = await self._read_to_end()
            self._is_up = False
            self.waits = []
            if self._socket_folder:
                shutil.rmtree(self._socket_folder, ignore_errors=True)  # a worker that was killed leaves it
            if self._is_ending or self._is_given_up:
                return
            if (not self.ready.done() and not was_killed) or self._restarts >= RESTARTS_MAX:
                self._give_up(WorkerError(f"worker {self.number} {why}; {self.log} says more"))
                return
            self._restarts += 1
            self._say(
                f"worker {self.number} {why}: it is started again, "
                f"and its {len(self.in_flight)} matches in flight are played again"
            )
            try:
                await self._spawn()
            except OSError as error:
                self._give_up(WorkerError(f"worker {self.number} cannot be started again: {error}"))
                return

    def _served(self, task: asyncio.Task[None]) -> None:
        """Give the worker up if our own end of it failed: else whoever waits for its matches waits for ever."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self._is_up = False
            self._crashed(f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)))

    async def _read_to_end(self) -> tuple[str, bool]:
        """Take messages until there are no more; give how the process ended, and whether somebody killed it."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        try:
            while True:
                line = await asyncio.wait_for(process.stdout.readline(), SILENCE_S_MAX)
                if not line.endswith(b"\n"):
                    break  # the end, or a line that a kill has cut
                self._take(json.loads(line))
        except TimeoutError:
            process.kill()
            await process.wait()
            return f"said nothing for {SILENCE_S_MAX:g} s and was killed", False
        except ValueError as error:
            process.kill()
            await process.wait()
            return f"is not understood ({error}) and was killed", False
        code = await process.wait()
        if code >= 0:
            return f"ended with code {code}", False
        return f"was killed by {signal.Signals(-code).name}", code == -signal.SIGKILL

    def _take(self, message: dict[str, Any]) -> None:
        match message["kind"]:
            case "ready":
                self._is_up = True
                self._socket_folder = message["folder"]
                self.listening = message["listening"]
                if self.listening:  # remote bots come back to the port they were told
                    self._config = replace(self._config, listen=self.listening)
                for bot, instance in self.musters.items():
                    self._send(kind="muster", bot=bot, instance=instance)
                for spec in self.in_flight.values():
                    self._send(kind="play", spec=spec_to_dict(spec))
                if not self.ready.done():
                    self.ready.set_result(None)
            case "refused":
                self._refused(message["message"], UnfitMachineError if message["is_machine"] else RefusedError)
            case "alive":
                self.waits = [wait_from_dict(raw) for raw in message["waits"]]
            case "say":
                self._say(message["text"])
            case "crashed":
                self._crashed(message["message"], message["traceback"])
            case _:
                self._on_message(self, message)

    def _crashed(self, message: str, trace: str) -> None:
        with self.log.open("a") as log:
            log.write(trace)
        self._give_up(WorkerError(f"worker {self.number}: {message}; {self.log} says more"))

    def _refused(self, message: str, kind: type[RefusedError]) -> None:
        """Give the worker up. What it could do when it first came up, somebody has taken from it since."""
        if self.ready.done():
            message = f"{message}: worker {self.number} cannot be started again; mend it, then resume"
        self._give_up(kind(message))

    def _give_up(self, error: GivenUp) -> None:
        """Report that the worker cannot go on. A mistake of ours would only be made again by a fresh one."""
        self._is_given_up = True
        if not self.ready.done():
            self.ready.set_exception(error)
        self._on_failed(error)
