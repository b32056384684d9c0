"""One match while it is played: table, seats, banks, and the record that comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from referee.floor.seated_bot import SeatedBot
from referee.floor.waits import Wait
from referee.records import MatchRecord, Stray, StrayKind, TimeControl
from referee.table import Ask, MatchEnded, Table
from referee.table.turns import MatchStart, Turn


@dataclass(frozen=True, slots=True)
class Voided:
    """A match that does not count, with the evidence against the host or the organiser's reason."""

    reason: str


class MatchRun:
    """A match on the floor. `outcome` is a future of its record, or of why it is void.

    Attributes:
        open: the turns that are asked, by seat.
        cap_ns: when the match has used up its wall time; the referee's own lag does not count.
        steps: how often anything happened; what does not grow is watched by `look`.
        flood_ends_ns: until then the referee's lag is put down to a seat that flooded it, and not to the host.
    """

    def __init__(
        self,
        match_id: int,
        table: Table,
        seats: Sequence[SeatedBot],
        clock: TimeControl,
        *,
        content: tuple[str, ...],
        commitment: str,
        started_ns: int,
        started_at: str,
        show_names: bool = True,
    ) -> None:
        self.match_id = match_id
        self.table = table
        self.seats = tuple(seats)
        self.clock = clock
        self.turn_us = clock.turn_ms * 1000
        self.bank_us = [clock.bank_ms * 1000] * len(seats)
        self.charged_us = [0] * len(seats)
        self.open: dict[int, Turn] = {}
        self.lag_ns_max = 0
        self.started_ns = started_ns
        self.cap_ns = started_ns + clock.match_ms_max * 1_000_000
        self.steps = 0
        self.flood_ends_ns = 0
        self._steps_seen = -1
        self._progress_ns = started_ns
        self._looks = [0] * len(seats)
        self.log_positions = [bot.log_position() for bot in seats]
        self.outcome: asyncio.Future[MatchRecord | Voided] = asyncio.get_running_loop().create_future()
        self._rules = table.rules.to_dict()
        self._content = content
        self._commitment = commitment
        self._started_at = started_at
        self._show_names = show_names

    def start(self, seat: int) -> MatchStart:
        """Describe the match to one seat."""
        table = self.table
        return MatchStart(
            match_id=self.match_id,
            seat=seat,
            rules=self._rules,
            bot_names=table.spec.bots if self._show_names else (),
            deals=table.spec.deals,
            turn_ms=self.clock.turn_ms,
            bank_ms=self.clock.bank_ms,
            faults_max=table.faults_max,
            ruling=table.ruling.value,
            commitment=self._commitment,
        )

    def turn(self, ask: Ask) -> Turn:
        """Make the turn of an ask, with what the seat has left on its clock."""
        seat = ask.seat
        rules = self.table.rules
        turn = Turn(
            ask,
            self.match_id,
            rules.name,
            rules.target,
            self.clock.turn_ms,
            self.bank_us[seat] // 1000,
            self.charged_us[seat],
        )
        self.open[seat] = turn
        return turn

    def charge(self, seat: int, elapsed_us: int, spent_us: int) -> None:
        """Charge a seat for a decision: what is over the turn time comes off its bank, never below zero.

        Args:
            seat: whose.
            elapsed_us: the whole time of the turn.
            spent_us: how much of it was charged before, for an earlier answer to the same turn.
        """
        self.charged_us[seat] = elapsed_us
        over = elapsed_us - max(self.turn_us, spent_us)
        if over > 0:
            self.bank_us[seat] = max(0, self.bank_us[seat] - over)

    def stand_still(self, lag_ns: int) -> None:
        """Note so much lag of the referee: nobody can play meanwhile, so it is no part of the wall time."""
        self.lag_ns_max = max(self.lag_ns_max, lag_ns)
        self.cap_ns += lag_ns

    def was_flooded(self, since_ns: int) -> bool:
        """Whether a flood may have made the lag since then."""
        return since_ns < self.flood_ends_ns

    def look(self, now_ns: int) -> None:
        """Note whether the match has gone on since the last look, and whom it waits for."""
        if self.steps != self._steps_seen:
            self._steps_seen = self.steps
            self._progress_ns = now_ns
        for seat in self.open:
            self._looks[seat] += 1

    def waits(self, now_ns: int) -> list[Wait]:
        """Say what the match waits for."""
        waited_ms = (now_ns - self._progress_ns) // 1_000_000
        return [
            Wait(
                bot=self.seats[seat].name,
                match=self.table.spec.key,
                seat=seat,
                turn_number=turn.ask.turn_number,
                turn_kind=turn.ask.kind,
                waited_ms=waited_ms,
            )
            for seat, turn in sorted(self.open.items())
        ]

    def slowest_seat(self) -> int:
        """Of the seats whose bots still play, the one that the match has waited for most."""
        playing = [seat for seat, flag in enumerate(self.table.autopilot) if not flag]
        return max(playing, key=lambda seat: self._looks[seat])

    def record(self, ended: MatchEnded, now_ns: int) -> MatchRecord:
        """Write the record of the finished match, while its seats still know it."""
        table = self.table
        return MatchRecord(
            spec=table.spec,
            rules=self._rules,
            ruling=table.ruling,
            faults_max=table.faults_max,
            clock=self.clock,
            versions=tuple(bot.version for bot in self.seats),
            content=self._content,
            deals=ended.deals,
            places=ended.places,
            totals=ended.totals,
            faults=ended.faults,
            started_at=self._started_at,
            duration_ms=(now_ns - self.started_ns) // 1_000_000,
            lag_us_max=self.lag_ns_max // 1000,
            strays=self._strays(),
        )

    def _strays(self) -> tuple[Stray, ...]:
        counted = [bot.strays(self.match_id) for bot in self.seats]
        return tuple(
            Stray(seat=seat, kind=kind, count=counts[kind])
            for seat, counts in enumerate(counted)
            for kind in StrayKind
            if kind in counts
        )
