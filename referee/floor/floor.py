"""The floor: all tables of one process, on one clock.

Everything happens in two places: something that arrives (`answered`, `failed` and `expel`, called by the bot's line
as it reads) and the heartbeat (`beat` and `sweep`), which looks for turns whose clock has run out. There is no task
and no timer per turn.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Collection, Sequence

from referee.floor.clock import STALL_VOID_NS, TICK_NS, Clock, LagMeter
from referee.floor.deadlines import expired_turns
from referee.floor.match_run import MatchRun, Voided
from referee.floor.seated_bot import SeatedBot
from referee.floor.waits import Wait
from referee.records import FaultKind, TimeControl
from referee.table import Answer, DealEnded, Failure, MatchEnded, SeatFaulted, Step, Table, Timing
from referee.table.turns import Turn

FLOOD_NS = 10_000_000_000  # for so long after a flood the lag of its matches is put down to it
LOOK_NS = 250_000_000  # how often it is looked whether matches go on, and whether their wall time is used up


class Floor:
    """Runs any number of tables between bots that are connected or on their way back."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.lag = LagMeter(clock.now_ns())
        self.runs: dict[int, MatchRun] = {}
        self._match_ids = itertools.count(1)
        self._look_at_ns = clock.now_ns() + LOOK_NS
        self._bots: dict[int, SeatedBot] = {}  # by id(): whoever has a seat, each once
        self._seats_held: dict[int, int] = {}

    def start(
        self,
        table: Table,
        seats: Sequence[SeatedBot],
        clock: TimeControl,
        *,
        content: tuple[str, ...],
        commitment: str = "",
        show_names: bool = True,
    ) -> MatchRun:
        """Begin a match; its result comes by `MatchRun.outcome`."""
        run = MatchRun(
            next(self._match_ids),
            table,
            seats,
            clock,
            content=content,
            commitment=commitment,
            started_ns=self.clock.now_ns(),
            started_at=self.clock.utc(),
            show_names=show_names,
        )
        self.runs[run.match_id] = run
        for seat, bot in enumerate(seats):
            self._bots[id(bot)] = bot
            self._seats_held[id(bot)] = self._seats_held.get(id(bot), 0) + 1
            bot.start_match(run.start(seat))
        self._follow(run, table.open())
        return run

    # -- what arrives --------------------------------------------------------------------------------------------

    def answered(self, turn: Turn, answer: Answer, elapsed_us: int, lag_us: int) -> None:
        """Judge the time of an answer to a pending turn, then let the table judge the decision.

        Args:
            turn: what is answered.
            answer: the decision as it came.
            elapsed_us: its share of the time since the turn was handed over or the stream's last message was read.
            lag_us: the same share of the loop's lag meanwhile, which nobody is charged for.
        """
        seat = turn.ask.seat
        run = self.runs.get(turn.match_id)
        if run is None or run.open.get(seat) is not turn:
            return  # taken back by what the same message answered before
        timing = self._timing(run, turn, elapsed_us, lag_us)
        if timing.elapsed_us > timing.allowed_us:
            self._time_out(run, turn, timing, answer)
            return
        run.charge(seat, timing.elapsed_us, turn.spent_us)
        turn.spent_us = timing.elapsed_us
        del run.open[seat]
        self._follow(run, run.table.answer(seat, answer, timing), turn)

    def failed(
        self,
        turn: Turn,
        kind: FaultKind,
        message: str,
        answer: tuple[int, ...],
        elapsed_us: int,
        lag_us: int,
    ) -> None:
        """Rule on something that ends the wait for a pending turn but is no decision.

        Args:
            turn: what was waited for.
            kind: what came instead.
            message: one sentence for the author.
            answer: the card numbers in it, if any.
            elapsed_us: as for `answered`.
            lag_us: as for `answered`.
        """
        seat = turn.ask.seat
        run = self.runs.get(turn.match_id)
        if run is None or run.open.get(seat) is not turn:
            return
        timing = self._timing(run, turn, elapsed_us, lag_us)
        run.charge(seat, timing.elapsed_us, turn.spent_us)
        turn.spent_us = timing.elapsed_us
        failure = self._failure(run, seat, kind, message, answer)
        del run.open[seat]
        self._follow(run, run.table.fail(seat, failure, timing), turn)

    def expel(self, bot: SeatedBot, kind: FaultKind, message: str, match_ids: Collection[int]) -> None:
        """Take a bot out of matches, for something that is no single turn's fault."""
        for match_id in tuple(match_ids):
            run = self.runs.get(match_id)
            for seat, seated in enumerate(run.seats if run is not None else ()):
                if run is not None and seated is bot and match_id in self.runs:
                    self._expel(run, seat, self._failure(run, seat, kind, message))

    def flooded(self, bot: SeatedBot, message: str) -> None:
        """Take a bot that floods the referee out of all its matches; the lag that it makes voids none of them."""
        flooded = [run for run in self.runs.values() if bot in run.seats]
        for run in flooded:
            run.flood_ends_ns = self.clock.now_ns() + FLOOD_NS
        self.expel(bot, FaultKind.RESOURCE, message, [run.match_id for run in flooded])

    def stalled_ns(self, at_ns: int) -> int:
        """Read the lag meter: the loop's lateness added up, up to a moment since the last heartbeat."""
        return self.lag.stalled_ns(at_ns)

    # -- the heartbeat -------------------------------------------------------------------------------------------

    async def keep_time(self) -> None:
        """Beat until cancelled. What is already readable is read before any deadline is looked at."""
        while True:
            await asyncio.sleep(TICK_NS / 1e9)
            self.beat()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            self.sweep()

    def beat(self) -> None:
        """Measure how late the heartbeat is; the lateness moves every deadline that is running."""
        now_ns = self.clock.now_ns()
        lateness_ns = self.lag.beat(now_ns)
        if not lateness_ns:
            return
        for run in list(self.runs.values()):
            run.stand_still(lateness_ns)
            if lateness_ns >= STALL_VOID_NS and not run.was_flooded(now_ns - lateness_ns):
                self.void(run, f"the referee stood still for {lateness_ns / 1e9:.1f} s while turns were open")

    def sweep(self) -> None:
        """Turn silence into faults: turns whose clock has run out, matches over their wall cap."""
        self.beat()  # the reading since the last one may have been late, too; and so may what is done here
        now_ns = self.clock.now_ns()
        for bot in list(self._bots.values()):
            if bot.pending:
                self._sweep_bot(bot, now_ns)
        if now_ns >= self._look_at_ns:
            self._look_at_ns = now_ns + LOOK_NS
            for run in list(self.runs.values()):
                run.look(now_ns)
                if now_ns >= run.cap_ns:
                    self._cap(run)
        self.beat()

    def waits(self, waited_ms_min: int) -> list[Wait]:
        """Say what the matches wait for in which nothing has happened for so long."""
        now_ns = self.clock.now_ns()
        waits = [wait for run in self.runs.values() for wait in run.waits(now_ns)]
        return [wait for wait in waits if wait.waited_ms >= waited_ms_min]

    def _sweep_bot(self, bot: SeatedBot, now_ns: int) -> None:
        for expired in expired_turns(bot, self.runs, now_ns, self.lag.stalled_ns(now_ns)):
            turn = expired.turn
            run = self.runs.get(turn.match_id)
            if run is not None and turn.turn_id in bot.pending:
                bot.withdraw(turn)
                timing = self._timing(run, turn, expired.elapsed_us, expired.lag_us)
                self._time_out(run, turn, timing, None)

    def _cap(self, run: MatchRun) -> None:
        """End a match that has used up its wall time: the seat it waited for most is played for from here on.

        The others get a quarter of the time more; so a match lasts no longer than twice its wall time.
        """
        seat = run.slowest_seat()
        cap_ms = run.clock.match_ms_max
        run.cap_ns += cap_ms * 1_000_000 // len(run.seats)
        message = f"the match took longer than {cap_ms / 1000:g} s, and most of that it waited for this seat"
        self._expel(run, seat, self._failure(run, seat, FaultKind.TIMEOUT, message))

    # -- what follows --------------------------------------------------------------------------------------------

    def void(self, run: MatchRun, reason: str) -> None:
        """End a match without a result, and tell its bots."""
        for seat, turn in run.open.items():
            run.seats[seat].withdraw(turn)
        self._leave(run, None)
        if not run.outcome.done():
            run.outcome.set_result(Voided(reason))

    def void_matches_of(self, bot: SeatedBot, reason: str) -> None:
        """Void whatever a bot plays: the host has failed it."""
        for run in list(self.runs.values()):
            if bot in run.seats:
                self.void(run, reason)

    def _expel(self, run: MatchRun, seat: int, failure: Failure) -> None:
        turn = run.open.pop(seat, None)
        timing = Timing()
        if turn is not None:
            run.seats[seat].withdraw(turn)
            now_ns = self.clock.now_ns()
            elapsed_us = lag_us = 0
            if turn.handed_ns:  # else it is still in line, and no clock has begun
                elapsed_us = max(0, now_ns - turn.handed_ns) // 1000
                lag_us = (self.stalled_ns(now_ns) - turn.stalled_ns) // 1000
            timing = self._timing(run, turn, elapsed_us, lag_us)
        self._follow(run, run.table.expel(seat, failure, timing))

    def _timing(self, run: MatchRun, turn: Turn, elapsed_us: int, lag_us: int) -> Timing:
        """Measure a turn: what it took with earlier answers to it, and what it might take by now."""
        spent_us = turn.spent_us
        charged_us = spent_us + max(0, elapsed_us - lag_us)
        return Timing(charged_us, max(run.turn_us, spent_us) + run.bank_us[turn.ask.seat], lag_us)

    def _time_out(self, run: MatchRun, turn: Turn, timing: Timing, late: Answer | None) -> None:
        """Rule on a turn that has run out, before its answer came or without one."""
        is_mostly_lag = timing.lag_us * 1000 >= STALL_VOID_NS and timing.lag_us >= timing.elapsed_us
        if is_mostly_lag and not run.was_flooded(turn.handed_ns):
            self.void(run, f"of a turn that ran out the referee itself stood still for {timing.lag_us / 1e6:.1f} s")
            return
        seat = turn.ask.seat
        run.charge(seat, timing.elapsed_us, turn.spent_us)
        answer: tuple[int, ...] = ()
        if late is not None:
            kind, why, exit_code, answer = FaultKind.TIMEOUT, "answered late", None, late.cards
        else:
            kind, why, exit_code = run.seats[seat].silence()
        message = f"{why}: {timing.elapsed_us / 1000:.0f} ms, {timing.allowed_us / 1000:.0f} ms were allowed"
        failure = self._failure(run, seat, kind, message, answer, exit_code)
        del run.open[seat]
        self._follow(run, run.table.fail(seat, failure, timing), turn)

    def _failure(
        self,
        run: MatchRun,
        seat: int,
        kind: FaultKind,
        message: str,
        answer: tuple[int, ...] = (),
        exit_code: int | None = None,
    ) -> Failure:
        """Collect the evidence. Where the process is not the one of the match's start, all its stderr is meant."""
        path, end = run.seats[seat].log_position()
        path_before, begin = run.log_positions[seat]
        window = (path, begin if path == path_before else 0, end) if path else None
        return Failure(kind, message, answer=answer, exit_code=exit_code, stderr_window=window)

    def _follow(self, run: MatchRun, step: Step, answered: Turn | None = None) -> None:
        run.steps += 1
        for seat in step.withdrawn:
            run.seats[seat].withdraw(run.open.pop(seat))
        for event in step.events:
            if isinstance(event, DealEnded):
                for bot in run.seats:
                    bot.end_deal(run.match_id, event)
            elif isinstance(event, SeatFaulted):
                run.seats[event.fault.seat].tell_fault(run.match_id, event)
            else:
                self._finish(run, event)
                return
        for ask in step.asks:
            turn = run.turn(ask)
            if answered is not None and answered.ask is ask:
                turn.spent_us = answered.spent_us  # the ruling `retry`: the same clock runs on
                turn.turn_ms = max(0, run.turn_us - turn.spent_us) // 1000
            run.seats[ask.seat].ask(turn)

    def _finish(self, run: MatchRun, ended: MatchEnded) -> None:
        record = run.record(ended, self.clock.now_ns())
        self._leave(run, ended)
        if not run.outcome.done():
            run.outcome.set_result(record)

    def _leave(self, run: MatchRun, ended: MatchEnded | None) -> None:
        del self.runs[run.match_id]
        counts = tuple(run.table.fault_counts)
        for bot in run.seats:
            bot.end_match(run.match_id, ended, counts)
            self._seats_held[id(bot)] -= 1
            if not self._seats_held[id(bot)]:
                del self._seats_held[id(bot)], self._bots[id(bot)]
