"""Worker processes on this machine, one a core."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.executors.work import HouseConfig, Unfit, spec_to_dict
from referee.executors.worker import LINE_BYTES_MAX
from referee.record_json import record_from_json
from referee.records import MatchRecord, MatchSpec

START_S_MAX = 60.0
END_S_MAX = 30.0


class WorkerError(RuntimeError):
    """A worker process failed: our own mistake, or the machine's. What was in flight is played again on resume."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match came to its end."""

    record: MatchRecord


@dataclass(frozen=True, slots=True)
class Void:
    """A match does not count and is to be played again."""

    key: str
    reason: str


@dataclass(frozen=True, slots=True)
class NotPlayed:
    """A match could not begin, since a bot is unfit."""

    key: str
    unfit: Unfit


Outcome = Played | Void | NotPlayed


class _Worker:
    """The owner's end of one worker process."""

    def __init__(self, number: int, process: asyncio.subprocess.Process) -> None:
        self.number = number
        self.process = process
        self.listening = ""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.in_flight: set[str] = set()

    def send(self, **message: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")


class LocalExecutor:
    """Plays matches in worker processes. Use as `async with`.

    A match goes to a worker by its number: with as many workers as rotations or fewer, one process of a bot serves
    a rotation in the whole tournament, so fewer bots run. Remote bots are served by the first worker, which
    then plays everything.

    Args:
        config: what every worker is told.
        workers: how many.
        log_dir: where each worker's own stderr goes.
        say: told what the organiser should see at once.
    """

    def __init__(
        self, config: HouseConfig, workers: int, log_dir: Path, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self._say = say
        self._config = config
        self._count = 1 if any(entry.is_remote for entry in config.bots) else workers
        self._log_dir = log_dir
        self._workers: list[_Worker] = []
        self._readers: list[asyncio.Task[None]] = []
        self._outcomes: asyncio.Queue[Outcome | WorkerError] = asyncio.Queue()
        self._musters: dict[str, asyncio.Future[Unfit | None]] = {}
        self._is_ending = False

    @property
    def listening(self) -> str:
        """The address where remote bots are expected, with its port; empty where none are."""
        return self._workers[0].listening

    @property
    def in_flight(self) -> int:
        """How many matches are being played."""
        return sum(len(worker.in_flight) for worker in self._workers)

    async def __aenter__(self) -> LocalExecutor:
        self._log_dir.mkdir(parents=True, exist_ok=True)
        try:
            for number in range(self._count):
                await self._start(number)
            for worker in self._workers:
                await self._come_up(worker)
        except BaseException:
            await self.kill()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    async def _come_up(self, worker: _Worker) -> None:
        await asyncio.wait({worker.ready}, timeout=START_S_MAX)
        if not worker.ready.done():
            where = self._log_of(worker.number)
            raise WorkerError(f"worker {worker.number} did not come up within {START_S_MAX:g} s; {where} says why")
        worker.ready.result()

    def _log_of(self, number: int) -> Path:
        return self._log_dir / f"worker-{number}.log"

    async def _start(self, number: int) -> None:
        config = replace(self._config, listen=self._config.listen if number == 0 else "")
        with self._log_of(number).open("ab") as errors:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-P", "-m", "referee.executors.worker"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                limit=LINE_BYTES_MAX,
                env={**os.environ, "GRPC_ENABLE_FORK_SUPPORT": "0"},
                start_new_session=True,  # Ctrl-C at the terminal is the coordinator's to handle
            )
        worker = _Worker(number, process)
        assert process.stdin is not None
        process.stdin.write(config.to_json().encode() + b"\n")
        self._workers.append(worker)
        self._readers.append(asyncio.create_task(self._read(worker), name=f"worker {number}"))

    async def muster(self, bots: Sequence[str]) -> Mapping[str, Unfit | None]:
        """Have one process of each bot said hello, all at once; say who cannot play and why."""
        loop = asyncio.get_running_loop()
        for index, bot in enumerate(bots):
            self._musters[bot] = loop.create_future()
            worker = self._workers[index % len(self._workers)]
            worker.send(kind="muster", bot=bot, instance=f"r{index % len(self._workers)}")
        return {bot: await self._musters[bot] for bot in bots}

    def submit(self, spec: MatchSpec) -> None:
        """Give a match to a worker; its outcome comes by `outcome`."""
        worker = self._workers[spec.number % len(self._workers)]
        worker.in_flight.add(spec.key)
        worker.send(kind="play", spec=spec_to_dict(spec))

    async def outcome(self) -> Outcome:
        """Wait for the next outcome, in the order of finishing.

        Raises:
            WorkerError: a worker failed.
        """
        result = await self._outcomes.get()
        if isinstance(result, WorkerError):
            raise result
        return result

    def ready_outcomes(self) -> list[Outcome]:
        """Give what else has already come, without waiting."""
        ready: list[Outcome] = []
        while not self._outcomes.empty():
            result = self._outcomes.get_nowait()
            if isinstance(result, WorkerError):
                raise result
            ready.append(result)
        return ready

    async def drain(self) -> None:
        """Let every worker end its bots and itself, once nothing is in flight."""
        self._is_ending = True
        for worker in self._workers:
            worker.send(kind="drain")
        await asyncio.wait(self._readers, timeout=END_S_MAX)

    async def kill(self) -> None:
        """End every worker now, with its bots: stdin's end tells it, SIGKILL makes sure."""
        self._is_ending = True
        for worker in self._workers:
            if worker.process.stdin is not None:
                worker.process.stdin.close()
        if self._readers:
            await asyncio.wait(self._readers, timeout=END_S_MAX)
        for worker in self._workers:
            if worker.process.returncode is None:
                worker.process.kill()
                await worker.process.wait()

    async def _read(self, worker: _Worker) -> None:
        assert worker.process.stdout is not None
        try:
            while line := await worker.process.stdout.readline():
                self._take(worker, json.loads(line))
        finally:
            code = await worker.process.wait()
            if not self._is_ending:
                self._fail(worker, f"worker {worker.number} ended with code {code}")

    def _take(self, worker: _Worker, message: dict[str, Any]) -> None:
        match message["kind"]:
            case "ready":
                worker.listening = message["listening"]
                worker.ready.set_result(None)
            case "record":
                worker.in_flight.discard(message["key"])
                self._outcomes.put_nowait(Played(record_from_json(message["record"].encode())))
            case "void":
                worker.in_flight.discard(message["key"])
                self._outcomes.put_nowait(Void(message["key"], message["reason"]))
            case "say":
                self._say(message["text"])
            case "fit":
                self._musters[message["bot"]].set_result(None)
            case "unfit":
                unfit = Unfit(message["bot"], message["reason"], message["is_host"])
                if message["key"]:
                    worker.in_flight.discard(message["key"])
                    self._outcomes.put_nowait(NotPlayed(message["key"], unfit))
                else:
                    self._musters[message["bot"]].set_result(unfit)
            case "crashed":
                with self._log_of(worker.number).open("a") as log:
                    log.write(message["traceback"])
                self._fail(worker, f"worker {worker.number}: {message['message']}")

    def _fail(self, worker: _Worker, message: str) -> None:
        error = WorkerError(f"{message}; {self._log_of(worker.number)} says more")
        if not worker.ready.done():
            worker.ready.set_exception(error)
        for muster in self._musters.values():
            if not muster.done():
                muster.set_exception(error)
        self._outcomes.put_nowait(error)
