"""Streams over a real server on a unix socket: admission, hello, fencing, nonsense, limits, flow."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from hearts.v1 import referee_service_pb2 as service
from hearts.v1 import table_pb2
from referee.floor import Floor, MatchRun
from referee.records import FaultKind, MatchRecord, TimeControl
from referee.wire.line import Line
from referee.wire.pieces import MESSAGE_BYTES_SPLIT, notice_piece
from referee.wire.server import Listener, ListenError, WireServer, is_loopback, parse_message
from referee.wire.stream import MESSAGE_BYTES_MAX, StreamLimits
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
        try:
            while (message := await soon(self.call.read())) is not grpc.aio.EOF:
                messages.append(message)
        except grpc.aio.AioRpcError:
            pass
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


# -- admission ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "reason"), [("", "NO_TOKEN"), ("token-z", "WRONG_TOKEN"), ("token-", "WRONG_TOKEN")]
)
async def test_a_call_without_the_right_token_is_refused(arena: Arena, token: str, reason: str) -> None:
    stream = Stream(arena, token)

    assert (await stream.status())[:2] == ("UNAUTHENTICATED", reason)
    assert arena.server.wrong_tokens == 1


async def test_the_hello_is_answered_by_a_welcome_with_the_limits(arena: Arena) -> None:
    welcome = await arena.stream().hello()

    assert (welcome.protocol, welcome.bot_name, welcome.tables_max) == (1, "a", 64)
    assert (welcome.message_bytes_max, welcome.decisions_max) == (65_536, 128)
    await arena.until(arena.lines[0].is_ready.is_set)
    assert arena.lines[0].version == "2.1"


async def test_another_protocol_revision_is_refused_with_the_range_that_is_spoken(arena: Arena) -> None:
    stream = arena.stream()
    await stream.send(service.BotMessage(hello=service.Hello(protocol_min=2, protocol_max=9)))

    code, reason, message = await stream.status()
    assert (code, reason) == ("FAILED_PRECONDITION", "PROTOCOL_VERSION")
    assert message == "this referee speaks protocol revision 1 to 1, the bot 2 to 9"
    assert arena.lines[0].refusal == message
    assert arena.lines[0].is_settled.is_set()


@pytest.mark.parametrize("limits", [StreamLimits(hello_ms=50)])
async def test_a_bot_that_connects_and_says_nothing_is_refused_after_the_hello_time(arena: Arena) -> None:
    stream = arena.stream()

    code, reason, message = await stream.status()
    assert (code, reason) == ("FAILED_PRECONDITION", "NO_HELLO")
    assert message == "no hello within 50 ms: the first message must carry one"
    assert arena.lines[0].refusal == message


async def test_decisions_before_the_hello_are_refused(arena: Arena) -> None:
    stream = arena.stream()
    await stream.send(service.BotMessage(decisions=[table_pb2.Decision(turn_id=1)]))

    assert (await stream.status())[:2] == ("FAILED_PRECONDITION", "NO_HELLO")


async def test_a_stream_that_is_closed_before_the_hello_leaves_nothing_behind(arena: Arena) -> None:
    stream = arena.stream()
    await soon(stream.call.done_writing())

    assert (await stream.status())[1] == "NO_HELLO"
    await arena.until(lambda: not arena.server._sessions)


async def test_a_token_that_was_forgotten_ends_its_stream_and_is_refused(arena: Arena) -> None:
    stream = arena.stream()
    await stream.hello()
    arena.server.forget("token-a")

    assert (await stream.read()).farewell.reason == service.FAREWELL_REASON_REMOVED
    assert (await stream.status())[:2] == ("PERMISSION_DENIED", "REMOVED")
    assert (await arena.stream().status())[1] == "WRONG_TOKEN"


async def test_one_token_may_run_as_many_processes_as_it_was_given(arena: Arena) -> None:
    arena.server.expect("many", "token-many", instance="one", instances_max=2)
    for instance in ("one", "two"):
        await Stream(arena, "token-many", **{"hearts-instance": instance}).hello()
    third = Stream(arena, "token-many", **{"hearts-instance": "three"})

    assert (await third.status())[:2] == ("RESOURCE_EXHAUSTED", "FLOOD")


# -- nonsense -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "code", "reason", "farewell", "kind"),
    [
        (b"\xff\xff\xff", "INVALID_ARGUMENT", "UNDECODABLE", "PROTOCOL", FaultKind.MALFORMED),
        (
            service.BotMessage(decisions=[table_pb2.Decision(turn_id=n) for n in range(129)]),
            "RESOURCE_EXHAUSTED", "TOO_MANY_DECISIONS", "LIMIT", FaultKind.RESOURCE,
        ),
        (b"\0" * 1_000_000, "RESOURCE_EXHAUSTED", "TOO_LARGE", "LIMIT", FaultKind.RESOURCE),
        (service.BotMessage(hello=HELLO), "FAILED_PRECONDITION", "HELLO_TWICE", "PROTOCOL", FaultKind.MALFORMED),
    ],
    ids=["undecodable", "129 decisions", "1 MB", "hello twice"],
)  # fmt: skip
async def test_nonsense_is_a_fault_and_ends_the_stream_with_the_reason(
    arena: Arena, message: service.BotMessage | bytes, code: str, reason: str, farewell: str, kind: FaultKind
) -> None:
    streams = await arena.four()
    run = arena.start()
    await streams[0].read_turns()
    await streams[0].send(message)
    messages = await streams[0].drained()

    said = messages[-1].farewell
    assert service.FarewellReason.Name(said.reason) == f"FAREWELL_REASON_{farewell}"
    assert await streams[0].status() == (code, reason, said.message)
    assert [(fault.kind, fault.seat) for fault in run.table.faults] == [(kind, 0)]
    told = [notice.fault for m in messages for notice in m.notices if notice.HasField("fault")]
    assert [fault.message for fault in told] == [said.message]


async def test_a_bot_that_was_refused_may_come_back_and_play_on(arena: Arena) -> None:
    streams = await arena.four()
    run = arena.start()
    await streams[0].read_turns()
    await streams[0].send(b"\xff")
    await streams[0].drained()
    streams[0] = arena.stream()
    await streams[0].hello()

    await asyncio.gather(*(play(stream, run) for stream in streams))
    outcome = run.outcome.result()
    assert isinstance(outcome, MatchRecord)
    assert len(outcome.faults) == 1


async def play(stream: Stream, run: MatchRun) -> None:
    """Answer every turn until the end of the match is told."""
    while True:
        message = await stream.read()
        if message.turns:
            await stream.answer(*message.turns)
        if any(notice.HasField("match_ended") for notice in message.notices):
            assert run.outcome.done()
            return


async def test_a_flood_ends_the_stream_and_the_bots_part_in_its_matches(arena: Arena) -> None:
    streams = await arena.four()
    run = arena.start()
    junk = service.BotMessage(decisions=[table_pb2.Decision(turn_id=n) for n in range(128)])
    for _ in range(1_000 // 128 + 1):
        await streams[0].send(junk)
    await streams[0].drained()

    assert (await streams[0].status())[:2] == ("RESOURCE_EXHAUSTED", "FLOOD")
    assert [(fault.kind, fault.seat) for fault in run.table.faults] == [(FaultKind.RESOURCE, 0)]
    await asyncio.gather(*(play(stream, run) for stream in streams[1:]))


# -- fencing and coming back ---------------------------------------------------------------------------------------


async def test_a_newer_stream_fences_the_older_and_gets_notices_and_pending_turns_again(arena: Arena) -> None:
    streams = await arena.four()
    run = arena.start()
    (first,) = await streams[0].read_turns()
    # The bot may have read it before the referee has heard that it was written, which starts the clock.
    await arena.until(lambda: arena.lines[0].pending[first.turn_id].handed_ns <= arena.clock.ns)
    arena.pass_ms(40)
    newer = arena.stream()
    await newer.hello()
    message = await newer.read()

    assert [notice.WhichOneof("body") for notice in message.notices] == ["match_started"]
    (again,) = message.turns
    assert (again.turn_id, again.hand) == (first.turn_id, first.hand)
    assert (first.turn_ms, again.turn_ms) == (100, 60), "the clock has run on"
    assert (await streams[0].read()).farewell.reason == service.FAREWELL_REASON_FENCED
    assert (await streams[0].status())[:2] == ("ABORTED", "FENCED")
    await newer.answer(again)
    await arena.until(lambda: 0 not in run.open)
    assert run.table.faults == []


async def test_a_fenced_stream_takes_nothing_that_the_newer_one_is_owed(arena: Arena) -> None:
    streams = await arena.four()
    newer = arena.stream()
    await newer.hello()
    run = arena.start()
    (turn,) = await newer.read_turns()
    await newer.answer(turn)
    await arena.until(lambda: 0 not in run.open)

    assert not any(message.turns for message in await streams[0].drained())


async def test_decisions_on_a_fenced_stream_count_for_nothing(arena: Arena) -> None:
    streams = await arena.four()
    run = arena.start()
    (turn,) = await streams[0].read_turns()
    newer = arena.stream()
    await newer.hello()
    with contextlib.suppress(grpc.RpcError, asyncio.InvalidStateError):  # it may have ended before
        await streams[0].answer(turn)
    await streams[0].drained()

    assert 0 in run.open


async def test_the_clock_runs_while_a_bot_is_away(arena: Arena) -> None:
    streams = await arena.four()
    run = arena.start()
    await streams[0].read_turns()
    streams[0].call.cancel()
    await arena.until(lambda: not arena.lines[0].is_attached.is_set())
    arena.pass_ms(90)
    assert run.table.faults == []
    arena.pass_ms(20)

    assert [(f.kind, f.seat) for f in run.table.faults if f.seat == 0] == [(FaultKind.DISCONNECT, 0)]


async def test_a_half_closed_stream_is_a_lost_connection(arena: Arena) -> None:
    streams = await arena.four()
    run = arena.start()
    await streams[0].read_turns()
    await soon(streams[0].call.done_writing())
    await streams[0].drained()
    arena.pass_ms(110)

    assert [f.kind for f in run.table.faults if f.seat == 0] == [FaultKind.DISCONNECT]


@pytest.mark.parametrize("limits", [StreamLimits(reconnects_max=3)])
async def test_coming_back_for_ever_is_refused_and_costs_the_match(arena: Arena) -> None:
    streams = await arena.four()
    run = arena.start()
    for _ in range(3):
        stream = arena.stream()
        await stream.hello()
    refused = arena.stream()
    await refused.send(service.BotMessage(hello=HELLO))

    assert (await refused.status())[:2] == ("RESOURCE_EXHAUSTED", "RECONNECTS")
    assert [(fault.kind, fault.seat) for fault in run.table.faults] == [(FaultKind.RESOURCE, 0)]
    assert len(streams) == 4


# -- flow ---------------------------------------------------------------------------------------------------------


async def test_many_turns_are_split_into_messages_below_the_split_size(arena: Arena) -> None:
    line = arena.server.expect("e", "token-e")
    arena.lines[0] = line
    stream = Stream(arena, "token-e")
    await stream.hello(service.Hello(protocol_min=1, protocol_max=1, tables_max=1024))
    for name in "bcd":
        await arena.stream(name).hello()
    await arena.until(line.is_ready.is_set)
    for board_set in range(600):
        arena.start(board_set)
    turns: list[int] = []
    sizes: list[int] = []
    while len(turns) < 600:
        message = await stream.read()
        turns += [turn.turn_id for turn in message.turns]
        sizes.append(message.ByteSize())

    assert len(set(turns)) == 600
    assert len(sizes) > 2
    assert max(sizes) <= MESSAGE_BYTES_SPLIT


async def test_the_turn_after_a_single_decision_is_written_before_the_next_message_is_read(arena: Arena) -> None:
    streams = await arena.four()
    run = arena.start()
    for stream in streams:
        await stream.answer(*await stream.read_turns())
    await arena.until(lambda: len(run.open) == 1)
    seat = next(iter(run.open))
    (turn,) = await streams[seat].read_turns()
    session, next_line = arena.lines[seat].session, arena.lines[(seat + 1) % 4]
    assert session is not None

    assert session._take(service.BotMessage(decisions=[decision(turn)]), arena.clock.ns)
    assert list(next_line.pending.values()) == list(run.open.values()), "handed over in the same turn of the loop"
    (following,) = await streams[(seat + 1) % 4].read_turns()
    assert list(following.played) == list(turn.legal[:1])
    await arena.until(lambda: next_line.pending[following.turn_id].handed_ns == arena.clock.ns)


@pytest.mark.parametrize("limits", [StreamLimits(write_ms_max=5_000, handoff_ms_max=2_000)])
async def test_a_bot_that_never_reads_has_its_clock_started_and_its_stream_ended(arena: Arena) -> None:
    streams = await arena.four()
    line = arena.lines[0]
    run = arena.start()
    await arena.until(lambda: bool(line.pending))
    turn = next(iter(line.pending.values()))
    await arena.until(lambda: turn.handed_ns <= arena.clock.ns)
    await arena.until(stuffed(line))
    arena.pass_ms(2_500)
    first = next(fault for fault in run.table.faults if fault.seat == 0)
    assert (first.kind, first.message.partition(":")[0]) == (FaultKind.TIMEOUT, "no answer in time")
    assert line.silence()[1] == "no answer, the bot does not read its stream"
    arena.clock.ns += 3_000_000_000
    arena.server.end_stuck()
    await arena.until(lambda: not line.is_attached.is_set())

    messages = await streams[0].drained()
    assert (await streams[0].status())[:2] == ("RESOURCE_EXHAUSTED", "NOT_READING")
    assert len(messages) > 1


def stuffed(line: Line) -> Callable[[], bool]:
    """Give a stream more to write than the transport takes; what is returned tells whether its writer is stuck."""
    session = line.session
    assert session is not None
    send, sent, looks = session._send, 0, [0]

    async def counting(message: bytes) -> None:
        nonlocal sent
        sent += 1
        await send(message)

    def is_stuck() -> bool:
        """Whether it has been at the same message for a hundred looks."""
        looks.append(sent)
        return sent > 0 and looks[-100:] == [sent] * 100

    session._send = counting  # type: ignore[method-assign]
    line.notices += [notice_piece(table_pb2.Notice(fault=table_pb2.Fault(message="x" * 30_000)))] * 300
    session.wake()
    return is_stuck


async def test_the_end_is_told_to_everybody_and_the_status_is_ok(arena: Arena) -> None:
    streams = await arena.four()
    await arena.until(lambda: all(line.is_attached.is_set() for line in arena.lines))
    await arena.server.stop(grace_s=2)

    for stream in streams:
        (last,) = await stream.drained()
        assert last.farewell.reason == service.FAREWELL_REASON_DONE
        assert (await stream.status())[0] == "OK"


async def test_a_referee_that_is_stopping_takes_nobody_new(arena: Arena) -> None:
    arena.server._is_draining = True

    assert (await arena.stream().status())[:2] == ("UNAVAILABLE", "DRAINING")


async def test_our_own_mistake_in_a_reader_is_not_swallowed(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_decisions: object, _arrival_ns: int) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(arena.lines[0], "receive", broken)
    stream = arena.stream()
    await stream.hello()
    await stream.send(service.BotMessage(decisions=[table_pb2.Decision(turn_id=5)]))
    with pytest.raises(ZeroDivisionError):
        await soon(asyncio.shield(arena.server.crash))
    arena.server.crash = asyncio.get_running_loop().create_future()


# -- listening ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "expected"),
    [("unix:/tmp/x", True), ("127.0.0.1:1", True), ("[::1]:1", True), ("localhost:1", True), ("0.0.0.0:1", False)],
)
def test_loopback_is_known(address: str, expected: bool) -> None:
    assert is_loopback(address) is expected


async def test_an_address_that_others_can_reach_needs_a_certificate(arena: Arena) -> None:
    with pytest.raises(ListenError, match=r"0\.0\.0\.0:0 can be reached by others: give a TLS certificate"):
        await arena.server.start([Listener("0.0.0.0:0")])


async def test_a_busy_port_is_said_in_a_sentence(arena: Arena) -> None:
    other = WireServer(arena.floor, arena.clock.now_ns, StreamLimits())
    (address,) = await other.start([Listener("127.0.0.1:0")])
    with pytest.raises(ListenError, match=f"cannot listen at {address}"):
        await WireServer(arena.floor, arena.clock.now_ns, StreamLimits()).start([Listener(address)])
    await other.stop(grace_s=0)


def test_a_message_of_the_largest_size_is_parsed() -> None:
    note = "x" * (MESSAGE_BYTES_MAX - 10)
    data = service.BotMessage(decisions=[table_pb2.Decision(note=note)]).SerializeToString()
    assert len(data) <= MESSAGE_BYTES_MAX
    assert isinstance(parse_message(data), service.BotMessage)


class LeavingContext:
    """A call whose bot leaves while the referee ends it, which grpc tells by an error of its own."""

    def __init__(self, metadata: tuple[tuple[str, str], ...]) -> None:
        self._metadata = metadata
        self.ended = 0

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata

    def peer(self) -> str:
        return "unix:"

    async def read(self) -> object:
        return parse_message(b"\xff")  # nonsense, for which a stream is ended

    async def abort_with_status(self, _status: object) -> None:
        self.ended += 1
        raise grpc.aio.InternalError("Failed execute_batch")


@pytest.mark.parametrize("metadata", [(), (("authorization", "Bearer token-a"),)], ids=["no token", "nonsense"])
async def test_a_bot_that_leaves_while_it_is_refused_is_no_mistake_of_ours(
    arena: Arena, metadata: tuple[tuple[str, str], ...]
) -> None:
    context: Any = LeavingContext(metadata)
    await soon(arena.server._play(None, context))

    assert context.ended == 1
    assert not arena.server.crash.done()
