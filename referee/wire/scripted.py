"""A referee that follows a script: the wire without floor, table or clock, for trying out one bot.

Nothing here judges: a `Conversation` is one stream of the bot, on which the script says what it wants and hears
what comes. What is said and heard is in the referee's own words, so that the script imports no generated code.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from hearts.v1 import referee_service_pb2 as service
from hearts.v1 import table_pb2
from referee.records import TurnKind
from referee.table import Answer
from referee.table.turns import MatchStart, Turn
from referee.wire import codec
from referee.wire.handshake import REFEREE_VERSION
from referee.wire.line import DECISIONS_MAX
from referee.wire.server import OPTIONS, SERVICE
from referee.wire.stream import MESSAGE_BYTES_MAX

PROTOCOL = 1
UNKNOWN_KIND = 99
# Two fields with numbers that the protocol does not use, as a later revision of it may send them.
_UNKNOWN_FIELDS = b"\xf8\x7c\x01" + b"\xf2\x7c\x03new"
_KINDS = {number: kind for kind, number in codec.TURN_KINDS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class HelloSeen:
    """What a bot said of itself."""

    protocol_min: int
    protocol_max: int
    bot_name: str
    bot_version: str
    sdk: str
    tables_max: int


@dataclass(frozen=True, slots=True)
class Reply:
    """One decision as it came; a text in place of the answer says why it is none."""

    turn_id: int
    answer: Answer | str
    cards: tuple[int, ...]
    note_bytes: int


@dataclass(frozen=True, slots=True)
class Heard:
    """One message of a bot. `hello` is None where it has none; `at_ns` is when it was read."""

    hello: HelloSeen | None
    replies: tuple[Reply, ...]
    size_bytes: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class Question:
    """A turn as it was at one moment, to be asked any number of times."""

    data: bytes

    @classmethod
    def of(cls, turn: Turn) -> Question:
        """Write down a turn before its deal goes on."""
        return cls(codec.turn_message(turn).SerializeToString())

    @property
    def kind(self) -> TurnKind:
        """What it asks for."""
        return _KINDS[table_pb2.Turn.FromString(self.data).kind]

    def message(self, turn_id: int, *, strange: bool = False) -> table_pb2.Turn:
        """The turn under a number of its own; `strange`: with fields that no bot can know."""
        turn = table_pb2.Turn.FromString(self.data)
        turn.turn_id = turn_id
        turn.match_id = turn_id % 100_000 + 1
        if strange:
            turn.MergeFromString(_UNKNOWN_FIELDS)
        return turn


class Conversation:
    """One stream of a bot, from the referee's side. `metadata` is that of its call."""

    def __init__(self, metadata: dict[str, str]) -> None:
        self.metadata = metadata
        self._heard: asyncio.Queue[Heard | str | None] = asyncio.Queue()
        self._to_say: asyncio.Queue[service.RefereeMessage | tuple[grpc.StatusCode, str]] = asyncio.Queue()

    async def hear(self) -> Heard | str | None:
        """The bot's next message; a text if it is none; None once the stream has ended."""
        heard = await self._heard.get()
        if heard is None:
            self._heard.put_nowait(None)
        return heard

    def welcome(self, bot_name: str, tables_max: int) -> None:
        """Answer the hello."""
        welcome = service.Welcome(
            protocol=PROTOCOL,
            referee_version=REFEREE_VERSION,
            bot_name=bot_name,
            tables_max=tables_max,
            message_bytes_max=MESSAGE_BYTES_MAX,
            decisions_max=DECISIONS_MAX,
        )
        self._to_say.put_nowait(service.RefereeMessage(welcome=welcome))

    def ask(self, *questions: tuple[int, Question], strange: bool = False) -> None:
        """Put questions in one message, each under its turn id."""
        turns = [question.message(turn_id, strange=strange) for turn_id, question in questions]
        message = service.RefereeMessage(turns=turns)
        if strange:
            message.MergeFromString(_UNKNOWN_FIELDS)
        self._to_say.put_nowait(message)

    def ask_unknown_kind(self, turn_id: int, beside: tuple[int, Question]) -> None:
        """Ask a turn of a kind that no bot knows, in one message with a real one behind it."""
        unknown = beside[1].message(turn_id)
        unknown.kind = UNKNOWN_KIND  # type: ignore[assignment]  # enums are open on the wire
        self._to_say.put_nowait(service.RefereeMessage(turns=[unknown, beside[1].message(beside[0])]))

    def tell_unknown(self) -> None:
        """Send notices without a body, with a body that no bot knows, and an empty message."""
        later = table_pb2.Notice(match_id=1)
        later.MergeFromString(_UNKNOWN_FIELDS)
        message = service.RefereeMessage(notices=[table_pb2.Notice(match_id=1), later])
        message.MergeFromString(_UNKNOWN_FIELDS)
        self._to_say.put_nowait(message)
        self._to_say.put_nowait(service.RefereeMessage())

    def tell_known(self, start: MatchStart) -> None:
        """Send one notice of each kind there is: a start, a fault, the end of a deal and of a match."""
        seats: Any = [0] * len(start.bot_names)
        told = table_pb2.Notice(match_id=start.match_id)
        told.fault.message = "an example of a fault"
        told.fault.kind = table_pb2.FAULT_KIND_BREACH
        ended = table_pb2.Notice(match_id=start.match_id)
        ended.deal_ended.MergeFrom(table_pb2.DealEnded(deal_number=1, points=seats, scores=seats, totals=seats))
        notices = [codec.match_started(start), told, ended, codec.match_ended(start.match_id, None, ())]
        self._to_say.put_nowait(service.RefereeMessage(notices=notices))

    def farewell(self, reason: str, message: str) -> None:
        """Say farewell and end the call in good order. `reason` is a name of `FarewellReason` without prefix."""
        self._to_say.put_nowait(codec.farewell(reason, message))
        self._to_say.put_nowait((grpc.StatusCode.OK, ""))

    def break_off(self) -> None:
        """End the call as a lost connection would."""
        self._to_say.put_nowait((grpc.StatusCode.UNAVAILABLE, "the connection was cut"))

    def turn_away(self, message: str) -> None:
        """End the call as for a token that is not known."""
        self._to_say.put_nowait((grpc.StatusCode.UNAUTHENTICATED, message))

    async def serve(self, context: Any) -> None:
        """Run the stream (for `ScriptedReferee`)."""
        reader = asyncio.create_task(self._read(context))
        try:
            while isinstance(item := await self._to_say.get(), service.RefereeMessage):
                await context.write(item)
            code, sentence = item
            if code is not grpc.StatusCode.OK:
                await context.abort(code, sentence)
        finally:
            self._heard.put_nowait(None)
            reader.add_done_callback(_retrieve)

    async def _read(self, context: Any) -> None:
        try:
            while (data := await context.read()) is not grpc.aio.EOF:
                self._heard.put_nowait(_heard(data, time.monotonic_ns()))
        finally:
            self._heard.put_nowait(None)


class ScriptedReferee:
    """A server on a unix socket; each stream of a bot becomes a `Conversation`."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.streams: asyncio.Queue[Conversation] = asyncio.Queue()
        self._server: grpc.aio.Server | None = None

    async def start(self) -> None:
        """Listen; again after `stop`."""
        server = grpc.aio.server(options=OPTIONS)
        handler: Any = grpc.stream_stream_rpc_method_handler(
            self._play, response_serializer=service.RefereeMessage.SerializeToString
        )
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}),))
        server.add_insecure_port(self.address)
        await server.start()
        self._server = server

    async def stop(self) -> None:
        """Drop every connection at once, as a killed process would."""
        if self._server is not None:
            await self._server.stop(None)
            self._server = None

    async def _play(self, _requests: object, context: Any) -> None:
        metadata = {str(key): str(value) for key, value in context.invocation_metadata() or ()}
        conversation = Conversation(metadata)
        self.streams.put_nowait(conversation)
        await conversation.serve(context)


def _retrieve(reader: asyncio.Task[None]) -> None:
    """Look at how a reader ended: a stream that breaks is what a script is there for, and no mistake of ours."""
    if not reader.cancelled():
        reader.exception()


def _heard(data: bytes, at_ns: int) -> Heard | str:
    try:
        message = service.BotMessage.FromString(data)
    except DecodeError:
        return f"{len(data)} bytes that are no BotMessage"
    hello = None
    if message.HasField("hello"):
        said = message.hello
        hello = HelloSeen(
            protocol_min=said.protocol_min,
            protocol_max=said.protocol_max,
            bot_name=said.bot_name,
            bot_version=said.bot_version,
            sdk=said.sdk,
            tables_max=max(1, said.tables_max),
        )
    return Heard(hello, tuple(map(_reply, message.decisions)), len(data), at_ns)


def _reply(decision: table_pb2.Decision) -> Reply:
    cards: Sequence[int] = decision.cards
    return Reply(decision.turn_id, codec.answer_of(decision), tuple(cards), len(decision.note.encode()))
