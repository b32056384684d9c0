"""Worker processes on this machine, one a core."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.executors.work import HouseConfig, Unfit
from referee.executors.worker_process import GivenUp, WorkerError, WorkerProcess
from referee.floor.waits import Wait, by_bot
from referee.record_json import record_from_json
from referee.records import MatchRecord, MatchSpec

__all__ = ["LocalExecutor", "NotPlayed", "Outcome", "Played", "Void", "WorkerError"]

END_S_MAX = 30.0


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
        self._workers: list[WorkerProcess] = []
        self._outcomes: list[Outcome] = []
        self._failure: GivenUp | None = None
        self._has_news = asyncio.Event()
        self._musters: dict[str, asyncio.Future[Unfit | None]] = {}

    @property
    def listening(self) -> str:
        """The address where remote bots are expected, with its port; empty where none are."""
        return self._workers[0].listening

    @property
    def in_flight(self) -> int:
        """How many matches are being played."""
        return sum(len(worker.in_flight) for worker in self._workers)

    @property
    def waits(self) -> list[Wait]:
        """What matches wait for in which nothing has happened for over a second, one entry a bot."""
        return by_bot(wait for worker in self._workers for wait in worker.waits)

    @property
    def pids(self) -> list[int]:
        """The process numbers of the workers."""
        return [worker.pid for worker in self._workers]

    async def __aenter__(self) -> LocalExecutor:
        self._log_dir.mkdir(parents=True, exist_ok=True)
        try:
            for number in range(self._count):
                config = replace(self._config, listen=self._config.listen if number == 0 else "")
                log = self._log_dir / f"worker-{number}.log"
                worker = WorkerProcess(number, config, log, take=self._take, fail=self._fail, say=self._say)
                self._workers.append(worker)
                await worker.start()
            for worker in self._workers:
                await worker.come_up()
        except BaseException:  # cancelled, too: the workers started so far must not outlive us
            await self.kill()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    async def muster(self, bots: Sequence[str]) -> Mapping[str, Unfit | None]:
        """Have one process of each bot said hello, all at once; say who cannot play and why."""
        loop = asyncio.get_running_loop()
        for index, bot in enumerate(bots):
            self._musters[bot] = loop.create_future()
            worker = self._workers[index % len(self._workers)]
            worker.muster(bot, f"r{index % len(self._workers)}")
        verdicts = await asyncio.gather(*(self._musters[bot] for bot in bots))
        return dict(zip(bots, verdicts, strict=True))

    def submit(self, spec: MatchSpec) -> None:
        """Give a match to a worker; its outcome comes by `outcomes`."""
        self._workers[spec.number % len(self._workers)].play(spec)

    async def outcomes(self) -> list[Outcome]:
        """Wait until matches are over, and give those that are, in the order of finishing.

        Raises:
            WorkerError: a worker failed, and whatever was finished has been given.
            RefusedError: a worker that died cannot be started again, for a reason the organiser can mend.
        """
        await self._has_news.wait()
        if not self._outcomes:
            assert self._failure is not None
            raise self._failure
        came, self._outcomes = self._outcomes, []
        if self._failure is None:
            self._has_news.clear()
        return came

    async def drain(self) -> None:
        """Let every worker end its bots and itself, once nothing is in flight."""
        await asyncio.gather(*(worker.drain(END_S_MAX) for worker in self._workers))

    async def kill(self) -> None:
        """End every worker now, with its bots."""
        await asyncio.gather(*(worker.kill(END_S_MAX) for worker in self._workers))

    def _take(self, worker: WorkerProcess, message: dict[str, Any]) -> None:
        key = message.get("key", "")
        if key:
            worker.finished(key)
        match message["kind"]:
            case "record":
                self._add(Played(record_from_json(message["record"].encode())))
            case "void":
                self._add(Void(key, message["reason"]))
            case "fit":
                self._mustered(worker, message["bot"], None)
            case "unfit":
                unfit = Unfit(message["bot"], message["reason"], message["is_host"])
                if key:
                    self._add(NotPlayed(key, unfit))
                else:
                    self._mustered(worker, unfit.bot, unfit)

    def _add(self, outcome: Outcome) -> None:
        self._outcomes.append(outcome)
        self._has_news.set()

    def _mustered(self, worker: WorkerProcess, bot: str, unfit: Unfit | None) -> None:
        worker.musters.pop(bot, None)
        if not self._musters[bot].done():
            self._musters[bot].set_result(unfit)

    def _fail(self, error: GivenUp) -> None:
        for muster in self._musters.values():
            if not muster.done():
                muster.set_exception(error)
        self._failure = self._failure or error
        self._has_news.set()
