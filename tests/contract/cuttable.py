"""A network that can be cut: a relay between a bot and its referee."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path


class Relay:
    """Passes bytes between everyone who dials it and one unix socket."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._open: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """Drop every connection that runs now; later ones are let through."""
        for task in self._open:
            task.cancel()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one connection until either side ends it or it is cut."""
        there_reader, there_writer = await asyncio.open_unix_connection(self._target)
        pumps = {
            asyncio.create_task(_pump(reader, there_writer)),
            asyncio.create_task(_pump(there_reader, writer)),
        }
        self._open |= pumps
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        self._open -= pumps
        writer.close()
        there_writer.close()


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
        server.close()
        relay.cut()
