"""The arena that streams are tested in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from referee.wire.server import Listener
from referee.wire.stream import StreamLimits
from tests.referee.wire.arena import Arena


@pytest.fixture
def limits() -> StreamLimits:
    return StreamLimits()


@pytest.fixture
async def arena(tmp_path: Path, limits: StreamLimits) -> AsyncIterator[Arena]:
    arena = Arena(tmp_path, limits)
    await arena.server.start([Listener(arena.address)])
    async with grpc.aio.insecure_channel(
        arena.address, options=[("grpc.default_authority", "localhost")]
    ) as channel:
        arena.channel = channel
        yield arena
        crash = arena.server.crash
        await arena.server.stop(grace_s=0.2)
    if crash.done():
        crash.result()
