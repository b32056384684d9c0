"""Real processes for the launcher's tests. Nothing sleeps: every wait is for an event and has a deadline."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import time
from pathlib import Path

from referee.launch.launcher import BotProcess, Launcher, LaunchRequest, ProcessExit, SpawnFailure

DEADLINE_S = 20.0


class Mailbox:
    """A fifo by which the programs under test tell the test that they have come so far."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._reader = asyncio.StreamReader()

    async def open(self) -> None:
        pipe = os.fdopen(os.open(self.path, os.O_RDWR | os.O_NONBLOCK), "rb", 0)  # with a writer it never ends
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(self._reader), pipe)

    async def next(self) -> str:
        return (await asyncio.wait_for(self._reader.readline(), DEADLINE_S)).decode().strip()

    def close(self) -> None:
        self._transport.close()


class Bench:
    """A launcher, and a short way to run programs by it."""

    def __init__(self, folder: Path, mailbox: Mailbox) -> None:
        self.folder = folder
        self.mailbox = mailbox
        self.exits: list[tuple[str, ProcessExit]] = []
        self.launcher = Launcher(folder / "logs", on_exit=lambda bot, how: self.exits.append((bot.label, how)))

    async def python(self, source: str, **options: object) -> BotProcess:
        """Launch a Python program; the mailbox is at `sys.argv[1]`."""
        return await self.run(sys.executable, "-c", source, str(self.mailbox.path), **options)

    async def run(self, *argv: str, **options: object) -> BotProcess:
        process = await self.attempt(*argv, **options)
        assert isinstance(process, BotProcess), process
        return process

    async def attempt(self, *argv: str, **options: object) -> BotProcess | SpawnFailure:
        fields = {"label": "bot", "cwd": self.folder, "env": self.env} | options
        return await asyncio.wait_for(
            self.launcher.launch(LaunchRequest(argv=argv, **fields)),  # type: ignore[arg-type]
            DEADLINE_S,
        )

    @property
    def env(self) -> dict[str, str]:
        """What tells this bench's processes, wherever they have gone."""
        return {"HEARTS_INSTANCE": str(self.folder)}

    def left_over(self) -> list[int]:
        """Return the processes that this bench's bots started and that are still there."""
        tell = f"HEARTS_INSTANCE={self.folder}\0".encode()
        found = []
        for environment in Path("/proc").glob("[0-9]*/environ"):
            try:
                if tell in environment.read_bytes():
                    found.append(int(environment.parent.name))
            except OSError:
                continue  # ended meanwhile
        return found

    async def exit_of(self, process: BotProcess) -> ProcessExit:
        return await asyncio.wait_for(process.exited(), DEADLINE_S)


class Watch:
    """Notices that processes end, also those that are not ours. Take it while they live."""

    def __init__(self, pids: list[int]) -> None:
        self._open = {os.pidfd_open(pid): pid for pid in pids}

    def survivors(self, deadline_s: float) -> list[int]:
        """Wait until all have ended; return those that have not after `deadline_s`, and kill them.

        A test that fails must leave nothing behind either.
        """
        poll = select.poll()
        for descriptor in self._open:
            poll.register(descriptor, select.POLLIN)
        end_s = time.monotonic() + deadline_s
        while self._open and (left_s := end_s - time.monotonic()) > 0:
            for descriptor, _ in poll.poll(left_s * 1000):
                poll.unregister(descriptor)
                os.close(descriptor)
                del self._open[descriptor]
        for pid in self._open.values():
            os.kill(pid, signal.SIGKILL)
        return list(self._open.values())


def descendants(pid: int) -> list[int]:
    """Return the processes below `pid`, nearest first."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        for listing in Path(f"/proc/{waiting.pop(0)}/task").glob("*/children"):
            below = [int(word) for word in listing.read_text().split()]
            found += below
            waiting += below
    return found
