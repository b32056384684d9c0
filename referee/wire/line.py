"""A bot process's line to the referee: what it is owed, across any number of streams.

The line is the identity (token and instance). A stream that ends leaves it as it is: turns stay pending with their
clocks running, and the next stream gets the welcome, the running matches and the pending turns again.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from hearts.v1 import table_pb2
from referee.records import FaultKind, StrayKind
from referee.table import DealEnded, MatchEnded, SeatFaulted
from referee.table.turns import MatchStart, Turn
from referee.wire import codec
from referee.wire.desk import Desk
from referee.wire.flood import UselessCount
from referee.wire.pieces import deal_ended_piece, notice_piece
from referee.wire.strays import Strays
from referee.wire.turn_writer import TurnWriter

if TYPE_CHECKING:
    from referee.wire.session import Session

TURN_ID_MAX = 0xFFFFFFFF
DECISIONS_MAX = 128  # of one message
TABLES_MAX = 1024  # an upper bound on what a hello may ask for
VERSION_CHARS_MAX = 64  # what a bot says of itself goes into each record of its matches


class Line:
    """One bot process: fulfils the floor's `SeatedBot`.

    Args:
        name: the entrant.
        instance: which of its processes.
        desk: the floor.
        now_ns: the floor's monotonic clock.
        reconnects_max: how often it may come back in one match.

    Attributes:
        is_ready: it has said hello at least once.
        is_attached: it has a stream now.
        is_settled: it is ready, or its hello was refused and `refusal` says why.
        is_ended: its process has ended for good.
    """

    def __init__(
        self,
        name: str,
        instance: str,
        desk: Desk,
        now_ns: Callable[[], int],
        *,
        reconnects_max: int = 20,
    ) -> None:
        self.name = name
        self.instance = instance
        self.version = ""
        self.pending: dict[int, Turn] = {}
        self.last_arrival_ns = 0
        self.last_stalled_ns = 0
        self.tables_max = 1
        self.tables_max_allowed = TABLES_MAX  # a manifest may say less
        self.is_gone = False
        self.exit_code: int | None = None
        self.session: Session | None = None
        self.ending = ""  # how its process ended, in words
        self.refusal = ""
        self.is_ready = asyncio.Event()
        self.is_attached = asyncio.Event()
        self.is_settled = asyncio.Event()
        self.is_ended = asyncio.Event()
        self.streams = 0  # open now, those included that have not said hello or are fenced off
        self.connects = 0
        self.matches_begun = 0
        self.reconnects_max = reconnects_max
        self.log_source: Callable[[], tuple[str, int]] = lambda: ("", 0)
        self.notices: list[bytes] = []  # in pieces
        self.turn_writer = TurnWriter()
        self._queue: deque[Turn] = deque()
        self._strays = Strays()
        self._starts: dict[int, MatchStart] = {}
        self._desk = desk
        self._now_ns = now_ns
        self._turn_id = secrets.randbelow(TURN_ID_MAX)
        self._reconnects: dict[int, int] = {}  # by match, while it is played
        self._useless = UselessCount()

    @property
    def batch_max(self) -> int:
        """See `SeatedBot.batch_max`."""
        return DECISIONS_MAX if self.session is not None else 1

    @property
    def is_owed(self) -> bool:
        """Whether there is anything to be written to it."""
        return bool(self._queue or self.notices)

    @property
    def is_playing(self) -> bool:
        """Whether it has a seat in any match."""
        return bool(self._starts)

    # -- what the floor asks for ---------------------------------------------------------------------------------

    def ask(self, turn: Turn) -> None:
        """See `SeatedBot.ask`."""
        self._turn_id = self._turn_id % TURN_ID_MAX + 1
        turn.turn_id = self._turn_id
        self._queue.append(turn)
        self._wake()

    def withdraw(self, turn: Turn) -> None:
        """See `SeatedBot.withdraw`."""
        if self.pending.pop(turn.turn_id, None) is None:
            if turn in self._queue:
                self._queue.remove(turn)
            return
        self._strays.turn_is_over(turn, was_answered=False)
        if self._queue:
            self._wake()

    def start_match(self, start: MatchStart) -> None:
        """See `SeatedBot.start_match`."""
        self._starts[start.match_id] = start
        self._reconnects[start.match_id] = 0
        self.matches_begun += 1
        self._tell(notice_piece(codec.match_started(start)))

    def end_deal(self, match_id: int, event: DealEnded) -> None:
        """See `SeatedBot.end_deal`."""
        self._tell(deal_ended_piece(match_id, event))

    def tell_fault(self, match_id: int, event: SeatFaulted) -> None:
        """See `SeatedBot.tell_fault`."""
        self._tell(notice_piece(codec.fault_told(match_id, event)))

    def end_match(self, match_id: int, event: MatchEnded | None, fault_counts: tuple[int, ...]) -> None:
        """See `SeatedBot.end_match`."""
        self._starts.pop(match_id, None)
        self._reconnects.pop(match_id, None)
        self._strays.forget(match_id)
        self.turn_writer.forget(match_id)
        self._tell(notice_piece(codec.match_ended(match_id, event, fault_counts)))

    def silence(self) -> tuple[FaultKind, str, int | None]:
        """See `SeatedBot.silence`."""
        if self.exit_code is not None:
            return FaultKind.EXIT, f"no answer, its process {self.ending}", self.exit_code
        if self.session is None:
            return FaultKind.DISCONNECT, "no answer, the connection was lost", None
        if self.session.is_blocked:
            return FaultKind.TIMEOUT, "no answer, the bot does not read its stream", None
        return FaultKind.TIMEOUT, "no answer in time", None

    def strays(self, match_id: int) -> Mapping[StrayKind, int]:
        """See `SeatedBot.strays`."""
        return self._strays.of(match_id)

    def log_position(self) -> tuple[str, int]:
        """See `SeatedBot.log_position`."""
        return self.log_source()

    def stalled_ns(self) -> int:
        """Read the floor's lag meter."""
        return self._desk.stalled_ns(self._now_ns())

    # -- what its streams bring ----------------------------------------------------------------------------------

    def refuse(self, message: str) -> None:
        """Note why its hello is not accepted."""
        self.refusal = message
        self.is_settled.set()

    def may_attach(self) -> bool:
        """Count a reconnect in each match that is played; one too many takes the bot out of that match.

        A bot that was taken out of all its matches is not needed until the next one begins.
        """
        if not self.is_ready.is_set():
            return True
        for match_id in self._reconnects:
            self._reconnects[match_id] += 1
        count = self.reconnects_max + 1
        if over := [match_id for match_id, reconnects in self._reconnects.items() if reconnects == count]:
            message = f"reconnected {count} times, {self.reconnects_max} times are allowed"
            self._desk.expel(self, FaultKind.RESOURCE, message, over)
        return not self._reconnects or min(self._reconnects.values()) < count

    def attach(self, session: Session, version: str, tables_max: int) -> None:
        """Let a stream that has said hello take over; an older one is fenced off."""
        if self.session is not None:
            self.session.close("FENCED", "a newer stream with the same token took over")
        self.session = session
        self.connects += 1
        if not self.is_gone:
            self.exit_code = None
        self.version = "".join(filter(str.isprintable, version))[:VERSION_CHARS_MAX]
        self.tables_max = max(1, min(tables_max, self.tables_max_allowed))
        self.notices = [notice_piece(codec.match_started(start)) for start in self._starts.values()]
        for event in (self.is_ready, self.is_attached, self.is_settled):
            event.set()
        session.resend = list(self.pending.values())
        session.wake()

    def detach(self, session: Session) -> None:
        """Let go of a stream that has ended. The clocks of everything owed run on."""
        if self.session is session:
            self.session = None
            self.is_attached.clear()
            self.notices = []
            now_ns = self._now_ns()
            for turn in self.pending.values():
                turn.handed_ns = min(turn.handed_ns, now_ns)  # what was still being written
            self._hand_over_absent()

    def hand_over(self, now_ns: int, turns_max: int, handoff_ns: int = 0) -> list[Turn]:
        """Take turns out of the queue, as many as the bot wants to hold; start their clocks in `handoff_ns`."""
        room = min(turns_max, self.tables_max - len(self.pending))
        if room <= 0 or not self._queue:
            return []
        handed_ns = now_ns + handoff_ns
        stalled_ns = self._desk.stalled_ns(now_ns)
        turns: list[Turn] = []
        queue = self._queue
        while queue and len(turns) < room:
            turn = queue.popleft()
            turn.handed_ns = handed_ns
            turn.stalled_ns = stalled_ns
            self.pending[turn.turn_id] = turn
            turns.append(turn)
        return turns

    def receive(self, decisions: Sequence[table_pb2.Decision], arrival_ns: int) -> None:
        """Deliver the decisions of one message. What answers no pending turn is noted and dropped.

        The time since the last message that answered something is shared by the turns answered now; what answers
        nothing has no share in it and stops no clock.
        """
        decisions = decisions[:]  # each look into a message's list makes a new object
        turns = [self.pending.pop(decision.turn_id, None) for decision in decisions]
        useless = turns.count(None)
        if useless < len(turns):
            self._deliver(decisions, turns, arrival_ns, len(turns) - useless)
        if useless:
            for decision, turn in zip(decisions, turns, strict=True):
                if turn is None:
                    self._strays.note(decision.turn_id, self._starts)
            self.count_useless(useless, arrival_ns)
        if self.is_owed:
            self._wake()

    def _deliver(
        self,
        decisions: Sequence[table_pb2.Decision],
        turns: Sequence[Turn | None],
        arrival_ns: int,
        answered: int,
    ) -> None:
        """Hand decisions to the desk, each with the turn that it answers, of which there are so many."""
        before_ns, before_stalled_ns = self.last_arrival_ns, self.last_stalled_ns
        self.last_arrival_ns = arrival_ns
        desk = self._desk
        # Of the arrival, as all times: lag between it and now belongs to the turns that are answered next.
        stalled_ns = self.last_stalled_ns = desk.stalled_ns(arrival_ns)
        share = 1000 * answered
        for decision, turn in zip(decisions, turns, strict=True):
            if turn is None:
                continue
            self._strays.turn_is_over(turn, was_answered=True)
            since_ns, since_stalled_ns = turn.handed_ns, turn.stalled_ns
            if since_ns < before_ns:
                since_ns = before_ns
            if since_stalled_ns < before_stalled_ns:
                since_stalled_ns = before_stalled_ns
            elapsed_us = (arrival_ns - since_ns) // share if arrival_ns > since_ns else 0
            lag_us = (stalled_ns - since_stalled_ns) // share
            answer = codec.answer_of(decision)
            if isinstance(answer, str):
                desk.failed(
                    turn, FaultKind.MALFORMED, answer, tuple(decision.cards[: codec.CARDS_MAX]), elapsed_us, lag_us
                )
            else:
                desk.answered(turn, answer, elapsed_us, lag_us)

    def receive_nonsense(self, kind: FaultKind, message: str, arrival_ns: int) -> None:
        """Take a message that is against the protocol for the answer to everything that is pending."""
        stalled_ns = self._desk.stalled_ns(arrival_ns)
        turns, self.pending = list(self.pending.values()), {}
        for turn in turns:
            self._strays.turn_is_over(turn, was_answered=True)
            elapsed_us = max(0, arrival_ns - max(turn.handed_ns, self.last_arrival_ns)) // 1000 // len(turns)
            lag_us = (stalled_ns - max(turn.stalled_ns, self.last_stalled_ns)) // 1000 // len(turns)
            self._desk.failed(turn, kind, message, (), elapsed_us, lag_us)
        if self._queue:
            self._wake()

    def count_useless(self, count: int, arrival_ns: int) -> None:
        """Count what answers nothing. A flood of it ends the stream and takes the bot out of its matches."""
        message = self._useless.add(count, arrival_ns, self.tables_max)
        if message and self.session is not None:
            self.session.flooded(message)
            self._desk.flooded(self, message)

    def end(self, exit_code: int | None, ending: str) -> None:
        """Note that the process has ended for good: what it owes will not come."""
        self.exit_code = exit_code
        self.ending = ending
        self.is_gone = True
        self.is_ended.set()
        if self.session is None:
            self._hand_over_absent()

    def _wake(self) -> None:
        if self.session is not None:
            self.session.wake()
        else:
            self._hand_over_absent()

    def _hand_over_absent(self) -> None:
        """Start the clocks of what is owed to a bot that is not there."""
        self.hand_over(self._now_ns(), len(self._queue))

    def _tell(self, notice: bytes) -> None:
        if self.session is not None:
            self.notices.append(notice)
            self.session.wake()
