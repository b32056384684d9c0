"""Calls to a real server on a unix socket: admission, stopping, listening."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from hearts.v1 import referee_service_pb2 as service
from hearts.v1 import table_pb2
from referee.wire.server import STREAMS_MAX, Listener, ListenError, WireServer, is_loopback, parse_message
from referee.wire.stream import MESSAGE_BYTES_MAX, StreamLimits
from tests.referee.wire.arena import Arena, Stream, soon

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


async def test_a_token_has_a_few_streams_at_a_time_with_or_without_a_hello(arena: Arena) -> None:
    line = arena.lines[0]
    silent = [arena.stream() for _ in range(STREAMS_MAX)]
    await arena.until(lambda: line.streams == STREAMS_MAX)
    more = [arena.stream() for _ in range(50)]

    message = f"{STREAMS_MAX} streams with this token are open, at most {STREAMS_MAX} may be"
    assert {await stream.status() for stream in more} == {("RESOURCE_EXHAUSTED", "FLOOD", message)}
    await arena.stream("b").hello()
    for stream in silent:
        stream.call.cancel()
    await arena.until(lambda: line.streams == 0)
    await arena.stream().hello()


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
