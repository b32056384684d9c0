"""A worker: reads match specs as JSON lines, plays them, writes what came of them as JSON lines.

The first line on stdin is the `HouseConfig`; then one command a line. Whoever started the worker owns it: when
stdin ends, the worker ends its bots and itself, whatever is being played.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import traceback
from typing import Any

from referee.executors.house import House
from referee.executors.work import HouseConfig, Unfit, spec_from_dict, wait_to_dict
from referee.floor import Voided
from referee.floor.waits import by_bot
from referee.launch.launcher import LauncherError
from referee.launch.manifest import ManifestError
from referee.record_json import record_to_json
from referee.records import MatchRecord, MatchSpec
from referee.wire.server import ListenError

ALIVE_S = 1.0  # how often the owner is told that this process lives, and what its matches wait for
WAIT_MS_TOLD = 1_000
LINE_BYTES_MAX = 64 * 1024 * 1024  # a record of a long match under two packs is far below


class Worker:
    """The conversation of one worker process with its owner."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._plays: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serve until told to end or stdin ends."""
        first = await self._reader.readline()
        if not first:
            return
        try:
            await self._serve(HouseConfig.from_json(first.decode()))
        except (ListenError, LauncherError, ManifestError) as error:
            self._tell(kind="refused", message=str(error), is_machine=isinstance(error, LauncherError))
        await self._writer.drain()

    async def _serve(self, config: HouseConfig) -> None:
        async with House(config, say=lambda text: self._tell(kind="say", text=text)) as house:
            self._tell(kind="ready", listening=house.listening, folder=house.socket_folder)
            living = asyncio.create_task(self._live(house))
            living.add_done_callback(self._done)
            try:
                while line := await self._reader.readline():
                    command = json.loads(line)
                    if command["kind"] == "drain":
                        await self._settle()
                        break
                    self._do(house, command)
            finally:
                living.cancel()
                for play in self._plays:
                    play.cancel()
        self._tell(kind="ended")

    def _do(self, house: House, command: dict[str, Any]) -> None:
        coroutine = (
            self._muster(house, command["bot"], command["instance"])
            if command["kind"] == "muster"
            else self._play(house, spec_from_dict(command["spec"]))
        )
        task = asyncio.create_task(coroutine)
        self._plays.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._plays.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            trace = "".join(traceback.format_exception(error))
            self._tell(kind="crashed", message=f"{type(error).__name__}: {error}", traceback=trace)

    async def _settle(self) -> None:
        """Wait for what is being played, or until the owner is gone."""
        orphaned = asyncio.create_task(self._reader.read())
        try:
            while self._plays and not orphaned.done():
                await asyncio.wait({*self._plays, orphaned}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            orphaned.cancel()

    async def _live(self, house: House) -> None:
        while True:
            await asyncio.sleep(ALIVE_S)
            waits = by_bot(house.waits(WAIT_MS_TOLD))
            self._tell(kind="alive", waits=[wait_to_dict(wait) for wait in waits])

    async def _muster(self, house: House, bot: str, instance: str) -> None:
        unfit = await house.ready(bot, instance)
        if unfit is None:
            self._tell(kind="fit", bot=bot)
        else:
            self._tell(kind="unfit", bot=bot, reason=unfit.reason, is_host=unfit.is_host, key="")

    async def _play(self, house: House, spec: MatchSpec) -> None:
        outcome = await house.play(spec)
        match outcome:
            case MatchRecord():
                self._tell(kind="record", key=spec.key, record=record_to_json(outcome).decode())
            case Voided(reason=reason):
                self._tell(kind="void", key=spec.key, reason=reason)
            case Unfit():
                self._tell(
                    kind="unfit", bot=outcome.bot, reason=outcome.reason, is_host=outcome.is_host, key=spec.key
                )
        await self._writer.drain()

    def _tell(self, **message: object) -> None:
        self._writer.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")


async def serve(input_fd: int, output_fd: int) -> None:
    """Run a worker on two pipe ends."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LINE_BYTES_MAX)
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(input_fd, "rb", buffering=0)
    )
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(output_fd, "wb", buffering=0)
    )
    writer = asyncio.StreamWriter(transport, protocol, reader, loop)
    await Worker(reader, writer).run()


def calm_collector() -> None:
    """Let the cyclic garbage collector run rarely.

    A referee makes no cycles while it plays, but keeps a hundred thousand objects alive at a thousand tables: at
    the default thresholds the collector walks them all the time (measured: a third of the time of a decision).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def main() -> None:
    """Run a worker on stdin and stdout. Anything printed by a library goes to stderr instead."""
    calm_collector()
    output_fd = os.dup(1)
    os.dup2(2, 1)
    asyncio.run(serve(os.dup(0), output_fd))


if __name__ == "__main__":
    main()
