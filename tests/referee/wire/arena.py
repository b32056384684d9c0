"""A server on a unix socket, a floor on a fake clock, and the bot's end of a stream."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from hearts.v1 import referee_service_pb2 as service
from hearts.v1 import table_pb2
from referee.floor import Floor, MatchRun
from referee.records import TimeControl
from referee.wire.server import WireServer
from referee.wire.stream import StreamLimits
from tests.referee.floor.fakes import FakeClock
from tests.referee.table.tables import table

PATIENCE_S = 20.0
HELLO = service.Hello(protocol_min=1, protocol_max=1, bot_name="x", bot_version="2.1", tables_max=64)
CLOCK = TimeControl(turn_ms=100, bank_ms=0)


def soon(awaitable: Any) -> Any:
    return asyncio.wait_for(awaitable, PATIENCE_S)


class Stream:
    """The bot's end of one call."""

    def __init__(self, arena: Arena, token: str, **metadata: str) -> None:
        method: Any = arena.channel.stream_stream(
            "/hearts.v1.RefereeService/Play",
            request_serializer=lambda message: (
                message if isinstance(message, bytes) else message.SerializeToString()
            ),
            response_deserializer=service.RefereeMessage.FromString,
        )
        given = [("authorization", f"Bearer {token}")] if token else []
        self.call = method(metadata=[*given, *metadata.items()])

    async def send(self, message: service.BotMessage | bytes) -> None:
        await soon(self.call.write(message))

    async def hello(self, hello: service.Hello = HELLO) -> service.Welcome:
        await self.send(service.BotMessage(hello=hello))
        message = await self.read()
        assert message.HasField("welcome")
        return message.welcome

    async def read(self) -> service.RefereeMessage:
        message = await soon(self.call.read())
        assert message is not grpc.aio.EOF, await self.status()
        assert isinstance(message, service.RefereeMessage)
        return message

    async def read_turns(self) -> list[table_pb2.Turn]:
        while True:
            turns = list((await self.read()).turns)
            if turns:
                return turns

    async def answer(self, *turns: table_pb2.Turn) -> None:
        await self.send(service.BotMessage(decisions=[decision(turn) for turn in turns]))

    async def status(self) -> tuple[str, str, str]:
        """Wait for the end: the canonical code, the machine's reason and the sentence."""
        code = await soon(self.call.code())
        error = grpc.aio.AioRpcError(
            code, await self.call.initial_metadata(), await self.call.trailing_metadata(), await self.call.details()
        )
        status = rpc_status.from_call(error) if code is not grpc.StatusCode.OK else None
        info = error_details_pb2.ErrorInfo()
        if status is not None and status.details:
            status.details[0].Unpack(info)
            assert info.domain == "hearts.v1"
        return code.name, info.reason, await self.call.details()

    async def drained(self) -> list[service.RefereeMessage]:
        """Read to the end."""
        messages = []
        with contextlib.suppress(grpc.aio.AioRpcError):  # `status` tells how it ended
            while (message := await soon(self.call.read())) is not grpc.aio.EOF:
                messages.append(message)
        return messages


def decision(turn: table_pb2.Turn) -> table_pb2.Decision:
    cards = turn.legal[-turn.pass_count :] if turn.kind == table_pb2.TURN_KIND_PASS else turn.legal[:1]
    return table_pb2.Decision(turn_id=turn.turn_id, cards=cards)


class Arena:
    """A server, a floor on a fake clock, and four lines named a to d."""

    def __init__(self, root: Path, limits: StreamLimits) -> None:
        self.address = f"unix:{root}/s"
        self.clock = FakeClock()
        self.floor = Floor(self.clock)
        self.server = WireServer(self.floor, self.clock.now_ns, limits)
        self.lines = [self.server.expect(name, f"token-{name}") for name in "abcd"]
        self.channel: Any = None

    def stream(self, name: str = "a", **metadata: str) -> Stream:
        return Stream(self, f"token-{name}", **metadata)

    async def four(self) -> list[Stream]:
        streams = [self.stream(name) for name in "abcd"]
        for stream in streams:
            await stream.hello()
        return streams

    def start(self, board_set: int = 0) -> MatchRun:
        return self.floor.start(
            table(board_set=board_set, key=str(board_set)), self.lines, CLOCK, content=("",) * 4
        )

    def pass_ms(self, ms: int) -> None:
        for _ in range(ms // 10):
            self.clock.ns += 10_000_000
            self.floor.beat()
            self.floor.sweep()

    async def until(self, holds: Callable[[], bool]) -> None:
        async def look() -> None:
            while not holds():  # noqa: ASYNC110  # the other side is another thread's socket: there is no event
                await asyncio.sleep(0.001)

        await soon(look())
