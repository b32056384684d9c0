"""A network that can be cut: a relay between a bot and its referee."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path


class Relay:
    """Passes bytes between everyone who dials it and one unix socket."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._serving: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """Drop every connection that runs now; later ones are let through."""
        for task in self._serving:
            task.cancel()

    async def close(self) -> None:
        """Drop every connection, and wait until nothing of it is left: a transport left open is a warning later."""
        self.cut()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one connection until either side ends it or it is cut."""
        task = asyncio.create_task(self._pass_on(reader, writer))
        self._serving.add(task)
        await asyncio.wait({task})
        self._serving.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            assert isinstance(error, OSError), error  # one of the two sides is gone

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with _closing(writer):
            there_reader, there_writer = await asyncio.open_unix_connection(self._target)
            async with _closing(there_writer):
                pumps = [
                    asyncio.create_task(_pump(reader, there_writer)),
                    asyncio.create_task(_pump(there_reader, writer)),
                ]
                try:
                    await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for pump in pumps:
                        pump.cancel()
                    await asyncio.gather(*pumps, return_exceptions=True)


@asynccontextmanager
async def _closing(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    try:
        yield
    finally:
        writer.close()
        with suppress(OSError):  # the other side had gone before
            await writer.wait_closed()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()


@asynccontextmanager
async def relay(own: Path, target: Path) -> AsyncIterator[Relay]:
    """Listen on the unix socket `own` for bots and dial `target` for each."""
    relay = Relay(target)
    server = await asyncio.start_unix_server(relay.serve, own)
    try:
        yield relay
    finally:
        for _ in range(
            3
        ):  # turns of the loop in which what has dialled is accepted; closing before drops it half-made
            await asyncio.sleep(0)
        server.close()
        await relay.close()
