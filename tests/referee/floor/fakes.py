"""A floor without wire, loop or waiting: a clock that tests turn, and bots that are lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from referee.floor import Floor, MatchRun, Voided
from referee.floor.clock import TICK_NS
from referee.records import Fault, FaultKind, MatchRecord, StrayKind, TimeControl
from referee.table import Answer, Ask, DealEnded, MatchEnded, SeatFaulted, Table
from referee.table.turns import MatchStart, Turn
from tests.referee.table.tables import lowest_legal

CLOCK = TimeControl(turn_ms=100, bank_ms=500, match_ms_max=60_000)


class FakeClock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.ns = 1_000_000_000

    def now_ns(self) -> int:
        return self.ns

    def utc(self) -> str:
        return "2026-01-02T03:04:05+00:00"


@dataclass(eq=False)
class FakeBot:
    """A bot that holds `tables_max` turns and answers when a test says so."""

    name: str
    floor: Floor
    tables_max: int = 1
    version: str = "1"
    pending: dict[int, Turn] = field(default_factory=dict)
    queue: list[Turn] = field(default_factory=list)
    last_arrival_ns: int = 0
    last_stalled_ns: int = 0
    is_gone: bool = False
    is_away: bool = False
    log: tuple[str, int] = ("", 0)
    why_silent: tuple[FaultKind, str, int | None] = (FaultKind.TIMEOUT, "no answer in time", None)
    started: list[MatchStart] = field(default_factory=list)
    faults: list[SeatFaulted] = field(default_factory=list)
    deals: list[DealEnded] = field(default_factory=list)
    ends: list[MatchEnded | None] = field(default_factory=list)
    turn_ids: int = 0
    stray_answers: dict[StrayKind, int] = field(default_factory=dict)

    @property
    def batch_max(self) -> int:
        return 1 if self.is_away else 128

    def ask(self, turn: Turn) -> None:
        self.turn_ids += 1
        turn.turn_id = self.turn_ids
        self.queue.append(turn)
        self.hand_over()

    def hand_over(self) -> None:
        while self.queue and len(self.pending) < self.tables_max:
            turn = self.queue.pop(0)
            turn.handed_ns = self.floor.clock.now_ns()
            turn.stalled_ns = self.floor.stalled_ns(turn.handed_ns)
            self.pending[turn.turn_id] = turn

    def withdraw(self, turn: Turn) -> None:
        if self.pending.pop(turn.turn_id, None) is None and turn in self.queue:
            self.queue.remove(turn)
        self.hand_over()

    def strays(self, match_id: int) -> dict[StrayKind, int]:
        return self.stray_answers

    def start_match(self, start: MatchStart) -> None:
        self.started.append(start)

    def end_deal(self, match_id: int, event: DealEnded) -> None:
        self.deals.append(event)

    def tell_fault(self, match_id: int, event: SeatFaulted) -> None:
        self.faults.append(event)

    def end_match(self, match_id: int, event: MatchEnded | None, fault_counts: tuple[int, ...]) -> None:
        self.ends.append(event)

    def silence(self) -> tuple[FaultKind, str, int | None]:
        return self.why_silent

    def log_position(self) -> tuple[str, int]:
        return self.log

    def answer(self, decide: Callable[[Ask], Answer] = lowest_legal, *, turns: int = 1) -> None:
        """Answer the oldest pending turns in one message."""
        now_ns, before_ns = self.floor.clock.now_ns(), self.last_arrival_ns
        stalled_ns, stalled_before_ns = self.floor.stalled_ns(now_ns), self.last_stalled_ns
        self.last_arrival_ns, self.last_stalled_ns = now_ns, stalled_ns
        for turn in list(self.pending.values())[:turns]:
            del self.pending[turn.turn_id]
            elapsed_us = (now_ns - max(turn.handed_ns, before_ns)) // turns // 1000
            lag_us = (stalled_ns - max(turn.stalled_ns, stalled_before_ns)) // turns // 1000
            self.floor.answered(turn, decide(turn.ask), elapsed_us, lag_us)
        self.hand_over()


class FakeHall:
    """A floor with four bots and a hand on its clock."""

    def __init__(self, *, tables_max: int = 1) -> None:
        self.clock = FakeClock()
        self.floor = Floor(self.clock)
        self.bots = [FakeBot(name, self.floor, tables_max) for name in "abcd"]

    def start(self, table: Table, clock: TimeControl = CLOCK) -> MatchRun:
        return self.floor.start(table, self.bots, clock, content=("",) * 4)

    def pass_ms(self, ms: float) -> None:
        """Let time pass on a healthy machine, with a heartbeat every tick."""
        for _ in range(round(ms * 1_000_000 / TICK_NS)):
            self.clock.ns += TICK_NS
            self.wake()

    def pass_unswept_ms(self, ms: int) -> None:
        """Let time pass on a healthy machine of which only no deadline is looked at yet."""
        end_ns = self.clock.ns + ms * 1_000_000
        while self.clock.ns < end_ns:
            self.clock.ns = min(self.clock.ns + TICK_NS, end_ns)
            self.floor.beat()

    def stand_still_ms(self, ms: int) -> None:
        """Let time pass in which the referee does not run."""
        self.clock.ns += ms * 1_000_000

    def beat_and_stand_still_ms(self, ms: int) -> None:
        """Let a tick pass, with a heartbeat at its end, and more time before anything is swept."""
        self.clock.ns += TICK_NS
        self.floor.beat()
        self.stand_still_ms(ms)

    def wake(self) -> None:
        """Run the heartbeat that is overdue."""
        self.floor.beat()
        self.floor.sweep()

    def asked(self) -> list[FakeBot]:
        return [bot for bot in self.bots if bot.pending]

    def play_on(self, run: MatchRun, *silent: FakeBot) -> MatchRecord | Voided:
        """Let every bot but the silent ones answer at once until the match is over."""
        while not run.outcome.done():
            others = [bot for bot in self.asked() if bot not in silent]
            if others:
                others[0].answer()
            else:
                self.pass_ms(10)
        return run.outcome.result()


def record_of(run: MatchRun) -> MatchRecord:
    outcome = run.outcome.result()
    assert isinstance(outcome, MatchRecord)
    return outcome


def faults_by(bot: FakeBot) -> list[Fault]:
    return [event.fault for event in bot.faults]


def through_the_pass(hall: FakeHall) -> FakeBot:
    """Let all pass at once; give the bot that leads."""
    for bot in hall.bots:
        bot.answer()
    (leader,) = hall.asked()
    return leader
