"""One bot under examination: its process, its stream, and what is waited for from it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.launch.launcher import BotProcess, Launcher, LaunchRequest, ProcessExit, SpawnFailure
from referee.launch.manifest import BotManifest
from referee.wire.scripted import Conversation, Heard, HelloSeen, Question, Reply, ScriptedReferee

STDERR_LINES = 5
TRACEBACK_LINES_MAX = 20
INSTANCE = "trial"
CLOSED_MS = 2_000  # within which a process that closed its stream shows whether it ends


def said_last(lines: Sequence[str]) -> tuple[str, ...]:
    """The end of what a bot wrote: a Python traceback from its beginning, else a few lines."""
    starts = [at for at, line in enumerate(lines) if line.startswith("Traceback (most recent call last)")]
    return tuple(lines[starts[-1] :] if starts else lines[-STDERR_LINES:])


class Broken(Exception):  # noqa: N818  it is the bot that has failed
    """The bot did not do what has to be done before anything else can be looked at; the message says what."""

    def __init__(self, message: str, lines: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.lines = lines


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the bot is waited for, in milliseconds."""

    start_ms: int = 30_000
    hello_ms: int = 5_000
    answer_ms: int = 6_000  # turn time and bank of the usual time control
    return_ms: int = 15_000  # after a lost connection
    end_ms: int = 5_000


QUICK = Patience(start_ms=5_000, hello_ms=2_000, answer_ms=2_500, return_ms=3_000, end_ms=2_000)


@dataclass(slots=True)
class Asked:
    """A turn that was asked and answered: what it was, and what came."""

    number: int
    question: Question
    reply: Reply
    elapsed_us: int


@dataclass(slots=True)
class Laboratory:
    """Keeps one process of a bot on one stream of a scripted referee, starting it again where it has died."""

    manifest: BotManifest
    launcher: Launcher
    referee: ScriptedReferee
    patience: Patience = Patience()
    process: BotProcess | None = None
    stream: Conversation | None = None
    hello: HelloSeen | None = None
    asked: list[Asked] = field(default_factory=list)
    oddities: list[str] = field(default_factory=list)  # seen on the side while something else was looked at
    exits: list[ProcessExit] = field(default_factory=list)
    start_ms: int = 0  # of the first start, to its stream
    token: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    _turn_id: int = 1_000

    async def ready(self) -> Conversation:
        """The bot's stream after hello and welcome, starting the bot if it does not run.

        Raises:
            Broken: it does not come up, or says no proper hello.
        """
        if self.process is None or self.process.exit is not None:
            await self.start()
        if self.stream is None:
            await self.greet(self.patience.return_ms)
        assert self.stream is not None
        return self.stream

    async def start(self) -> None:
        """Start a process and wait for its stream and hello."""
        self.stream = None
        while not self.referee.streams.empty():
            self.referee.streams.get_nowait()
        began = time.monotonic()
        process = await self.launcher.launch(
            LaunchRequest(
                label=self.manifest.name,
                argv=self.manifest.run,
                cwd=self.manifest.folder,
                env={
                    "HEARTS_REFEREE": self.referee.address,
                    "HEARTS_TOKEN": self.token,
                    "HEARTS_INSTANCE": INSTANCE,
                    "HEARTS_BOT": self.manifest.name,
                },
                limits=self.manifest.limits,
            )
        )
        if isinstance(process, SpawnFailure):
            raise Broken(process.message)
        self.process = process
        await self.greet(self.patience.start_ms)
        self.start_ms = self.start_ms or round((time.monotonic() - began) * 1000)

    async def greet(self, wait_ms: int) -> None:
        """Take the bot's next stream, hear its hello and welcome it."""
        self.stream = None
        stream = await self._within(self.referee.streams.get(), wait_ms, "it did not dial the referee")
        heard = await self._within(stream.hear(), self.patience.hello_ms, "it opened a stream but said no hello")
        if not isinstance(heard, Heard):
            raise Broken(f"it sent {heard} where its hello should be" if heard else "it closed its stream at once")
        if heard.hello is None:
            raise Broken("its first message has no hello: say hello before anything else, on each new stream")
        self.hello = heard.hello
        if heard.replies:
            self.oddities.append("its hello came with decisions, before anything was asked")
        stream.welcome(self.manifest.name, min(heard.hello.tables_max, self.manifest.tables_max))
        self.stream = stream

    def next_id(self) -> int:
        """A turn id that was not used before."""
        self._turn_id += 1
        return self._turn_id

    async def ask(self, number: int, question: Question, *, strange: bool = False) -> Reply:
        """Ask one turn and return what is answered.

        Raises:
            Broken: nothing comes, or the stream or the process ends.
        """
        stream = await self.ready()
        turn_id = self.next_id()
        began_ns = time.monotonic_ns()
        stream.ask((turn_id, question), strange=strange)
        replies, at_ns = await self.answers({turn_id}, f"turn {number} ({question.kind} turn)")
        reply = replies[turn_id]
        self.asked.append(Asked(number, question, reply, (at_ns - began_ns) // 1000))
        return reply

    async def answers(self, turn_ids: Iterable[int], what: str) -> tuple[dict[int, Reply], int]:
        """Wait until all these turns are answered; what comes beside them is noted as an oddity.

        Returns:
            the answers by turn id, and when the last one was read.
        """
        due = set(turn_ids)
        replies: dict[int, Reply] = {}
        at_ns = 0
        while due - replies.keys():
            assert self.stream is not None
            left = len(due - replies.keys())
            missing = f"it did not answer {what}" + (f": {left} of {len(due)} are missing" if len(due) > 1 else "")
            heard = await self._within(self.stream.hear(), self.patience.answer_ms, missing)
            if heard is None:
                raise await self._closed(f"it closed its stream instead of answering {what}")
            self.take(heard, due, replies)
            at_ns = heard.at_ns if isinstance(heard, Heard) else at_ns
        return replies, at_ns

    def take(self, heard: Heard | str, due: set[int], replies: dict[int, Reply]) -> None:
        """Sort one message: answers that are due to `replies`, everything else to the oddities."""
        if isinstance(heard, str):
            self.oddities.append(f"it sent {heard}")
            return
        if heard.hello is not None:
            self.oddities.append("it said hello twice on one stream, which ends the stream")
        if len(heard.replies) > 128:
            self.oddities.append(f"it put {len(heard.replies)} decisions in one message: 128 are allowed")
        if heard.size_bytes > 65_536:
            self.oddities.append(f"it sent a message of {heard.size_bytes} bytes: 65536 are allowed")
        for reply in heard.replies:
            if reply.turn_id in replies:
                self.oddities.append("it answered a turn twice")
            elif reply.turn_id not in due:
                self.oddities.append("it answered a turn that was not asked of it: repeat the turn_id of the turn")
            else:
                replies[reply.turn_id] = reply
            if reply.note_bytes > 200:
                self.oddities.append(f"it sent a note of {reply.note_bytes} bytes: what is over 200 is cut")

    async def end(self, grace_s: float | None = None) -> ProcessExit | None:
        """End the process and note how it ended; None where none runs. The grace is the usual patience."""
        if self.process is None:
            return None
        process, self.process, self.stream = self.process, None, None
        grace_s = self.patience.end_ms / 1000 if grace_s is None else grace_s
        how = await self.launcher.end(process, grace_s)
        self.exits.append(how)
        return how

    async def exit_within(self, wait_ms: int) -> ProcessExit | None:
        """Wait for the process to end by itself; None if it does not."""
        assert self.process is not None
        await asyncio.wait({self.process.exited()}, timeout=wait_ms / 1000)
        if self.process.exit is not None:
            self.exits.append(self.process.exit)
            self.stream = None
        return self.process.exit

    async def _closed(self, what: str) -> Broken:
        """Say that the stream is gone, and the process with it if it ends in a moment."""
        assert self.process is not None
        self.stream = None
        tail = self._tail()
        how = await self.exit_within(CLOSED_MS)
        if how is None:
            return Broken(what, tail)
        tail = self._tail()
        self.process = None
        return Broken(f"{what}: its process {how}", tail)

    async def _within(self, awaitable: Any, wait_ms: int, otherwise: str) -> Any:
        """Wait for something of the bot, but not beyond its process's end; a bot that fails is ended."""
        assert self.process is not None
        waited = asyncio.ensure_future(awaitable)
        either: set[asyncio.Future[Any]] = {waited, self.process.exited()}
        try:
            await asyncio.wait(either, timeout=wait_ms / 1000, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not waited.done():
                waited.cancel()
        if waited.done() and not waited.cancelled():
            return waited.result()
        tail = self._tail()
        how = self.process.exit
        if how is not None:
            self.exits.append(how)
            self.process = self.stream = None
            raise Broken(f"{otherwise}: its process {how}", tail)
        await self.end(grace_s=0)
        raise Broken(f"{otherwise} within {wait_ms / 1000:g} s", tail)

    def _tail(self) -> tuple[str, ...]:
        if self.process is None:
            return ()
        return said_last(self.process.stderr_tail(TRACEBACK_LINES_MAX))
