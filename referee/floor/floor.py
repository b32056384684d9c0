"""The floor: all tables of one process, on one clock.

Everything happens in two places: an answer that arrives (`answered`, called by the bot's line as it reads) and the
heartbeat (`beat` and `sweep`), which looks for turns whose clock has run out. There is no task and no timer
per turn.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence

from referee.floor.clock import TICK_NS, Clock, LagMeter
from referee.floor.match_run import MatchRun, Voided
from referee.floor.seated_bot import SeatedBot
from referee.records import FaultKind, TimeControl
from referee.table import Answer, DealEnded, Failure, MatchEnded, SeatFaulted, Step, Table, Timing
from referee.table.turns import Turn


class Floor:
    """Runs any number of tables between bots that are connected or on their way back."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.lag = LagMeter(clock.now_ns())
        self.runs: dict[int, MatchRun] = {}
        self._match_ids = itertools.count(1)
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
        run = self.runs.get(turn.match_id)
        if run is None:
            return
        seat = turn.ask.seat
        timing = self._timing(run, turn, elapsed_us, lag_us)
        if timing.elapsed_us > timing.allowed_us:
            self._time_out(run, turn, timing, answer.cards)
            return
        turn.spent_us = timing.elapsed_us
        run.charge(seat, timing.elapsed_us)
        del run.open[seat]
        self._follow(run, run.table.answer(seat, answer, timing), turn)

    def malformed(self, turn: Turn, message: str, answer: tuple[int, ...], elapsed_us: int, lag_us: int) -> None:
        """Rule on something that answers a pending turn but is no decision. Arguments as for `answered`."""
        run = self.runs.get(turn.match_id)
        if run is None:
            return
        timing = self._timing(run, turn, elapsed_us, lag_us)
        run.charge(turn.ask.seat, timing.elapsed_us)
        turn.spent_us = timing.elapsed_us
        failure = self._failure(run, turn, FaultKind.MALFORMED, message, answer)
        del run.open[turn.ask.seat]
        self._follow(run, run.table.fail(turn.ask.seat, failure, timing), turn)

    def stalled_ns(self) -> int:
        """Read the lag meter: the loop's lateness added up, the one that is going on included."""
        return self.lag.stalled_ns(self.clock.now_ns())

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
        lateness_ns = self.lag.beat(self.clock.now_ns())
        if lateness_ns:
            for run in self.runs.values():
                run.lag_ns_max = max(run.lag_ns_max, lateness_ns)

    def sweep(self) -> None:
        """Turn silence into faults: turns whose clock has run out, matches over their wall cap."""
        now_ns = self.clock.now_ns()
        for bot in list(self._bots.values()):
            if bot.pending:
                self._sweep_bot(bot, now_ns)
        for run in list(self.runs.values()):
            if now_ns - run.started_ns > run.clock.match_ms_max * 1_000_000:
                self._cap(run)
        self.lag.rest(self.clock.now_ns())

    def _sweep_bot(self, bot: SeatedBot, now_ns: int) -> None:
        stalled_ns = self.lag.stalled_ns(now_ns)
        expired: list[tuple[Turn, int, int]] = []
        for turn in bot.pending.values():
            waited_ns = now_ns - max(turn.handed_ns, bot.last_arrival_ns)
            if waited_ns <= turn.turn_ms * 1_000_000 and not bot.is_gone:
                break  # turns behind this one were handed over later still
            run = self.runs[turn.match_id]
            lag_ns = stalled_ns - max(turn.stalled_ns, bot.last_stalled_ns)
            bank_ns = run.bank_us[turn.ask.seat] * 1000
            allowed_ns = run.turn_us * 1000 + bank_ns - turn.spent_us * 1000
            cap_ns = bot.tables_max * run.turn_us * 1000 + bank_ns
            whole_ns = now_ns - turn.handed_ns - (stalled_ns - turn.stalled_ns)
            if bot.is_gone or waited_ns - lag_ns > allowed_ns or whole_ns > cap_ns:
                expired.append((turn, waited_ns, lag_ns))
        for turn, waited_ns, lag_ns in expired:
            current = self.runs.get(turn.match_id)
            if current is not None and bot.pending.pop(turn.turn_id, None) is not None:
                timing = self._timing(current, turn, waited_ns // 1000, lag_ns // 1000)
                self._time_out(current, turn, timing, ())

    def _cap(self, run: MatchRun) -> None:
        """End a match that has used up its wall time: those who are asked now are at fault until it is over."""
        while run.match_id in self.runs and run.open:
            turn = next(iter(run.open.values()))
            run.seats[turn.ask.seat].withdraw(turn)
            self._time_out(run, turn, Timing(run.turn_us, 0), ())

    # -- what follows --------------------------------------------------------------------------------------------

    def void(self, run: MatchRun, reason: str) -> None:
        """End a match without a result, and tell its bots."""
        for seat, turn in run.open.items():
            run.seats[seat].withdraw(turn)
        self._leave(run, None)
        run.outcome.set_result(Voided(reason))

    def _timing(self, run: MatchRun, turn: Turn, elapsed_us: int, lag_us: int) -> Timing:
        charged_us = turn.spent_us + max(0, elapsed_us - lag_us)
        return Timing(charged_us, run.turn_us + run.bank_us[turn.ask.seat], lag_us)

    def _time_out(self, run: MatchRun, turn: Turn, timing: Timing, answer: tuple[int, ...]) -> None:
        bot = run.seats[turn.ask.seat]
        run.charge(turn.ask.seat, timing.elapsed_us)
        if answer:
            kind, why, exit_code = FaultKind.TIMEOUT, "answered late", None
        else:
            kind, why, exit_code = bot.silence()
        message = f"{why}: {timing.elapsed_us / 1000:.0f} ms, {timing.allowed_us / 1000:.0f} ms were allowed"
        failure = self._failure(run, turn, kind, message, answer, exit_code)
        del run.open[turn.ask.seat]
        self._follow(run, run.table.fail(turn.ask.seat, failure, timing), turn)

    def _failure(
        self,
        run: MatchRun,
        turn: Turn,
        kind: FaultKind,
        message: str,
        answer: tuple[int, ...] = (),
        exit_code: int | None = None,
    ) -> Failure:
        seat = turn.ask.seat
        path, begin = run.log_positions[seat]
        _, end = run.seats[seat].log_position()
        window = (path, begin, end) if path else None
        return Failure(kind, message, answer=answer, exit_code=exit_code, stderr_window=window)

    def _follow(self, run: MatchRun, step: Step, answered: Turn | None = None) -> None:
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
            run.seats[ask.seat].ask(turn)

    def _finish(self, run: MatchRun, ended: MatchEnded) -> None:
        self._leave(run, ended)
        if not run.outcome.done():
            run.outcome.set_result(run.record(ended, self.clock.now_ns()))

    def _leave(self, run: MatchRun, ended: MatchEnded | None) -> None:
        del self.runs[run.match_id]
        counts = tuple(run.table.fault_counts)
        for bot in run.seats:
            bot.end_match(run.match_id, ended, counts)
            self._seats_held[id(bot)] -= 1
            if not self._seats_held[id(bot)]:
                del self._seats_held[id(bot)], self._bots[id(bot)]
