"""One stream of one bot: a reader task and a writer, both on the one event loop.

A read is never cancelled (grpc.aio would break the stream): the reader is its own task, and it ends when the call
ends. The writer sends whatever the bot is owed when it wakes: it gives the loop one turn first, so that everything
that becomes due in the same breath goes out in one message. A bot that still has more than half of what it was last
given gets new turns with its next answer, or when its hold is over: messages grow with the load by themselves.

Where one decision came alone and a bot is asked that has nothing to do, nothing is to be gained by waiting: the
reader then begins that bot's message itself, before it does anything else, and no task has to wake for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NoReturn

import grpc

from hearts.v1 import referee_service_pb2
from referee.records import FaultKind
from referee.table.turns import Turn
from referee.wire import codec
from referee.wire.begin import begin
from referee.wire.handshake import PROTOCOL_FACTS, protocol_stranger, welcome
from referee.wire.hold import Hold
from referee.wire.line import DECISIONS_MAX, Line
from referee.wire.patience import first_of
from referee.wire.pieces import joined, turn_piece
from referee.wire.status import NOT_THERE, GoneError, Refusal, refuse
from referee.wire.stream import Context, Incoming, Nonsense, StreamLimits
from referee.wire.wakes import Wakes

TURNS_PER_MESSAGE = 256
OVER_A_LIMIT = (Refusal.TOO_MANY_DECISIONS, Refusal.TOO_LARGE, Refusal.FLOOD)
STATUS_OF_FAREWELL = {"FENCED": Refusal.FENCED, "DRAINING": Refusal.DRAINING, "REMOVED": Refusal.REMOVED}


class Session:
    """One call of `Play`, from the hello to the farewell.

    Args:
        line: whose.
        context: the call.
        now_ns: the floor's monotonic clock.
        limits: of this stream.
        on_crash: told of a mistake of ours in the reader.
        wakes: of all sessions.
    """

    def __init__(
        self,
        line: Line,
        context: Context,
        now_ns: Callable[[], int],
        limits: StreamLimits,
        on_crash: Callable[[BaseException], None],
        wakes: Wakes,
    ) -> None:
        self.line = line
        self.resend: list[Turn] = []
        self._context = context
        self._now_ns = now_ns
        self._limits = limits
        self._on_crash = on_crash
        self._awake = asyncio.Event()
        self._closing: tuple[str, str] | None = None
        self._refusal: tuple[Refusal, str] | None = None
        self._is_gone = False  # the bot's side: half-closed or broken
        self._is_stuck = False
        self._task: asyncio.Task[None] | None = None
        self._write_began_ns = 0
        self._write_seen: tuple[int, int, int] = (0, 0, 0)  # a write's begin; when it was seen, and the lag by then
        self._wakes = wakes
        self._is_pushing = False
        self._hold = Hold(self.wake)
        self._hello: asyncio.Future[referee_service_pb2.Hello | None] = asyncio.get_running_loop().create_future()

    @property
    def is_blocked(self) -> bool:
        """Whether the bot has not taken a message for longer than a handover may take."""
        limit_ns = self._limits.handoff_ms_max * 1_000_000
        return bool(self._write_began_ns) and self._now_ns() - self._write_began_ns >= limit_ns

    def wake(self) -> None:
        """Let the writer look at what is owed."""
        if self._wakes.put_off is None:
            self._awake.set()
        elif self not in self._wakes.put_off:
            self._wakes.put_off.append(self)

    def push(self) -> None:
        """Begin to write what is owed if neither the bot nor the writer has anything to do; or wake the writer."""
        line = self.line
        is_writing = self._write_began_ns or self._is_pushing or self._awake.is_set()
        if is_writing or line.pending or line.session is not self or self._is_gone or self._is_urgent:
            self._awake.set()
        else:
            self._is_pushing = True
            begin(self._flush(), self._pushed)

    def _pushed(self, error: Exception | None) -> None:
        self._is_pushing = False
        if error is not None:
            self._is_gone = True
            if not isinstance(error, GoneError):
                self._on_crash(error)
        if self._is_gone or self._is_urgent or self.line.is_owed:
            self._awake.set()

    def close(self, reason: str, message: str) -> None:
        """Say farewell as soon as the writer can, and end the stream."""
        if self._closing is None:
            self._closing = (reason, message)
            self._awake.set()

    def flooded(self, message: str) -> None:
        """Read no more, and end the stream."""
        self._refuse(Refusal.FLOOD, message)

    async def run(self) -> None:
        """Serve the call until either side ends it.

        Raises:
            AbortError: the stream was refused, or ended with a status that is not OK.
            GoneError: the bot has gone.
        """
        self._task = asyncio.current_task()
        reader = asyncio.create_task(self._read(), name=f"read {self.line.name}/{self.line.instance}")
        reader.add_done_callback(self._report)
        try:
            hello = await self._await_hello()
            answer = await self._welcome(hello)
            # Attached first: whoever has read the welcome finds everything in force that follows from its hello.
            self.line.attach(self, hello.bot_version, hello.tables_max)
            await self._send(answer)
            await self._write()
        except asyncio.CancelledError:
            if not self._is_stuck:
                raise
            self.line.detach(self)  # now: the status goes out behind all that the bot does not read
            await refuse(self._context, Refusal.NOT_READING, self._stuck_message())
        finally:
            self.line.detach(self)
            self._is_gone = True

    def _report(self, reader: asyncio.Task[None]) -> None:
        """Report a mistake of ours in the reader, where no caller would see it."""
        error = None if reader.cancelled() else reader.exception()
        if error is not None:
            self._on_crash(error)

    def end_if_stuck(self, now_ns: int) -> None:
        """End a stream whose bot has not read for longer than the write deadline, the referee's own lag apart."""
        stalled_ns = self.line.stalled_ns()
        began_ns, seen_ns, stalled_before_ns = self._write_seen
        if began_ns != self._write_began_ns:
            self._write_seen = (self._write_began_ns, now_ns, stalled_ns)
            return
        blocked_ns = now_ns - seen_ns - (stalled_ns - stalled_before_ns)
        is_stuck = began_ns and blocked_ns > self._limits.write_ms_max * 1_000_000
        if is_stuck and self._task is not None:
            self._write_began_ns = 0
            self._is_stuck = True
            self._task.cancel(self._stuck_message())

    def _stuck_message(self) -> str:
        return f"the bot has not read for {self._limits.write_ms_max} ms"

    async def _await_hello(self) -> referee_service_pb2.Hello:
        await first_of({self._hello}, self._limits.hello_ms, self.line.stalled_ns)
        hello = self._hello.result() if self._hello.done() else None
        if hello is None:
            message = f"no hello within {self._limits.hello_ms} ms: the first message must carry one"
            refusal = Refusal.NO_HELLO
            if self._refusal is not None:
                refusal, message = self._refusal
            elif self._is_gone:
                message = "the stream was closed before a hello"
            await self._refuse_hello(refusal, message)
        return hello

    async def _refuse_hello(self, refusal: Refusal, message: str, **facts: str) -> NoReturn:
        if not self.line.is_ready.is_set():
            self.line.refuse(message)
        await refuse(self._context, refusal, message, **facts)

    async def _welcome(self, hello: referee_service_pb2.Hello) -> bytes:
        if stranger := protocol_stranger(hello):
            await self._refuse_hello(Refusal.PROTOCOL_VERSION, stranger, **PROTOCOL_FACTS)
        if not self.line.may_attach():
            message = f"reconnected more often than {self.line.reconnects_max} times in a match"
            await refuse(self._context, Refusal.RECONNECTS, message)
        return welcome(self.line.name, max(1, min(hello.tables_max, self.line.tables_max_allowed)))

    # -- reading -------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        try:
            while True:
                message: Any = await self._context.read()
                if message is grpc.aio.EOF:
                    return
                if not self._take(message, self._now_ns()):
                    return
        except (asyncio.CancelledError, grpc.RpcError, grpc.aio.UsageError, grpc.aio.BaseError):
            return  # the call has ended: the bot went away, or `run` has returned
        finally:
            if self._refusal is None and self._closing is None:
                self._is_gone = True
            if not self._hello.done():
                self._hello.set_result(None)
            self._awake.set()

    def _take(self, message: Incoming, arrival_ns: int) -> bool:
        """Deliver one message; return whether to read on."""
        if isinstance(message, Nonsense):
            return self._reject(message, arrival_ns)
        if message.HasField("hello"):
            if self._hello.done():
                text = "hello belongs into the first message only"
                return self._reject(Nonsense(Refusal.HELLO_TWICE, FaultKind.MALFORMED, text), arrival_ns)
            self._hello.set_result(message.hello)
        elif not self._hello.done():
            return self._refuse(Refusal.NO_HELLO, "the first message must carry the hello")
        decisions = message.decisions
        if len(decisions) > DECISIONS_MAX:
            text = f"{len(decisions)} decisions in one message, at most {DECISIONS_MAX} are taken"
            return self._reject(Nonsense(Refusal.TOO_MANY_DECISIONS, FaultKind.RESOURCE, text), arrival_ns)
        if self.line.session is self:
            if decisions:
                if len(decisions) == 1:
                    woken: list[Session] = []
                    self._wakes.put_off = woken
                    try:
                        self.line.receive(decisions, arrival_ns)
                    finally:
                        self._wakes.put_off = None
                    for session in woken:
                        session.push()
                else:
                    self.line.receive(decisions, arrival_ns)
            else:
                self.line.count_useless(1, arrival_ns)
        elif self._closing is not None:
            return False  # fenced off: nothing that it says is of use, so that none of it is read
        return self._refusal is None

    def _reject(self, nonsense: Nonsense, arrival_ns: int) -> bool:
        if self.line.session is self:
            self.line.receive_nonsense(nonsense.kind, nonsense.message, arrival_ns)
        return self._refuse(nonsense.refusal, nonsense.message)

    def _refuse(self, refusal: Refusal, message: str) -> bool:
        if self._refusal is None:
            self._refusal = (refusal, message)
        if not self._hello.done():
            self._hello.set_result(None)
        self._awake.set()
        return False

    # -- writing -------------------------------------------------------------------------------------------------

    async def _write(self) -> None:
        while True:
            await self._awake.wait()
            # One turn of the loop: what else becomes due now goes out in the same message.
            await asyncio.sleep(0)
            self._awake.clear()
            if self._is_gone:
                return
            if self._is_pushing or self._is_busy():
                continue
            while await self._flush():
                pass
            if self._refusal is not None:
                refusal, message = self._refusal
                reason = "LIMIT" if refusal in OVER_A_LIMIT else "PROTOCOL"
                await self._send(codec.farewell(reason, message).SerializeToString())
                await refuse(self._context, refusal, message)
            if self._closing is not None:
                reason, message = self._closing
                await self._send(codec.farewell(reason, message).SerializeToString())
                if reason in STATUS_OF_FAREWELL:
                    await refuse(self._context, STATUS_OF_FAREWELL[reason], message)
                return

    @property
    def _is_urgent(self) -> bool:
        return bool(self._refusal or self._closing or self.resend)

    def _is_busy(self) -> bool:
        """Whether what is owed shall wait for the bot's next answer; if so, see that it does not wait long."""
        if self._is_urgent:
            self._hold.lift()
            return False
        return self.line.is_owed and self._hold.is_on(len(self.line.pending))

    async def _send(self, message: bytes) -> None:
        self._write_began_ns = self._now_ns()
        try:
            await self._context.write(message)
        except NOT_THERE as error:
            raise GoneError from error
        finally:
            self._write_began_ns = 0

    async def _flush(self) -> bool:
        """Send one message of what is owed; return whether there may be more."""
        if self.line.session is not self:
            return False  # fenced off: what is owed goes out on the newer stream
        notices, self.line.notices = self.line.notices, []
        called_ns = self._now_ns()
        handoff_ns = self._limits.handoff_ms_max * 1_000_000
        turns: list[Turn] = []
        if self.resend:
            stalled_ns = self.line.stalled_ns()
            pieces = [turn_piece(codec.turn_message_again(turn, called_ns, stalled_ns)) for turn in self.resend]
            self.resend = []
        else:
            turns = self.line.hand_over(called_ns, TURNS_PER_MESSAGE, handoff_ns)
            write = self.line.turn_writer.piece
            pieces = [write(turn) for turn in turns]
        if not notices and not pieces:
            return False
        for message in joined(notices + pieces):
            await self._send(message)
        handed_ns = min(self._now_ns(), called_ns + handoff_ns)
        for turn in turns:
            turn.handed_ns = handed_ns
        self._hold.given(len(self.line.pending))
        return True
