"""Streams over a real server on a unix socket: nonsense, fencing, coming back, flow, the end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import grpc
import pytest

from hearts.v1 import referee_service_pb2 as service
from hearts.v1 import table_pb2
from referee.floor import MatchRun
from referee.records import FaultKind, MatchRecord
from referee.wire.line import Line
from referee.wire.pieces import MESSAGE_BYTES_SPLIT, notice_piece
from referee.wire.stream import StreamLimits
from tests.referee.wire.arena import HELLO, Arena, Stream, decision, soon

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


async def test_a_fenced_stream_is_read_no_further(arena: Arena) -> None:
    streams = await arena.four()
    older = arena.lines[0].session
    assert older is not None
    await arena.stream().hello()

    assert not older._take(service.BotMessage(decisions=[table_pb2.Decision(turn_id=1)]), arena.clock.ns)
    assert (await streams[0].read()).farewell.reason == service.FAREWELL_REASON_FENCED


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
    session = line.session
    assert session is not None
    run = arena.start()
    await arena.until(lambda: bool(line.pending))
    turn = next(iter(line.pending.values()))
    await arena.until(lambda: turn.handed_ns <= arena.clock.ns)
    await arena.until(stuffed(line))
    arena.pass_ms(2_500)
    first = next(fault for fault in run.table.faults if fault.seat == 0)
    assert (first.kind, first.message.partition(":")[0]) == (FaultKind.TIMEOUT, "no answer in time")
    assert line.silence()[1] == "no answer, the bot does not read its stream"
    arena.server.end_stuck()
    arena.clock.ns += 9_000_000_000  # the referee stands still, and can't tell who reads
    arena.server.end_stuck()
    assert not session._is_stuck
    arena.pass_ms(5_100)
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
