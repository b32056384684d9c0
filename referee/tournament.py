"""Walks a schedule through an executor into the store.

The schedule is a pure function of the tournament's identity, its entrants and what was drawn between its rounds;
the store knows what is finished, what was voided and what was drawn. So stopping needs no state of its own, and
resuming is running again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from referee.draws import now_utc
from referee.executors.local import NotPlayed, Outcome, Played, Void
from referee.executors.work import Unfit
from referee.plan import Plan, attempts_of
from referee.records import Blame, MatchRecord, MatchSpec
from referee.schedule.pairing import Seating
from referee.store.model import Event
from referee.store.store import Store

VOIDS_RUNNING_MAX = 3
COMMIT_MATCHES_MAX = 64


class TournamentError(RuntimeError):
    """The tournament cannot go on; the message says why and what to do."""


class Ending(StrEnum):
    """How a run of a tournament ended."""

    FINISHED = "finished"
    STOPPED = "stopped"  # as asked; resumable
    CLOSED = "closed"  # by its own results, before the schedule's end; every board set begun is whole


class Executor(Protocol):
    """Where matches are played: `referee.executors.local.LocalExecutor`."""

    @property
    def in_flight(self) -> int:
        """How many matches are being played."""
        ...

    def submit(self, spec: MatchSpec) -> None:
        """Begin a match."""
        ...

    async def outcomes(self) -> Sequence[Outcome]:
        """Wait until matches are over, and give those that are."""
        ...


@dataclass(slots=True)
class Progress:
    """Where a run stands: for the screen, and for `status`."""

    total: int
    done: int
    settled: int = 0  # board sets at the schedule's beginning of which nothing is left to play
    played: int = 0  # in this run
    voided: int = 0
    removed: dict[str, str] = field(default_factory=dict)  # bot to the reason


class Tournament:
    """One run of a tournament, fresh or resumed.

    Args:
        plan: what is to be played.
        store: what is finished; everything that finishes goes there.
        executor: where matches are played.
        ahead: the first board set that may not begin yet, by how many at the schedule's beginning are whole; None
            where all may. With a bound, a run that is closed by its results ends at a place that does not depend
            on which match ends first.
        on_progress: called after each commit.
        on_stored: called with the records of each commit, before `on_progress`.
        on_removed: called when a bot leaves the schedule.
    """

    def __init__(
        self,
        plan: Plan,
        store: Store,
        executor: Executor,
        *,
        ahead: Callable[[int], int | None] = lambda _: None,
        on_progress: Callable[[Progress], None] = lambda _: None,
        on_stored: Callable[[Sequence[MatchRecord]], None] = lambda _: None,
        on_removed: Callable[[Unfit], None] = lambda _: None,
    ) -> None:
        self.plan = plan
        self._store = store
        self._executor = executor
        self._ahead = ahead
        self._on_progress = on_progress
        self._on_stored = on_stored
        self._on_removed = on_removed
        self._finished = store.finished_keys()
        self._attempts = attempts_of(store)
        self._voids: dict[int, int] = {}  # of this run, by board set: a resumed run begins to count anew
        self._specs: dict[str, MatchSpec] = {}  # in flight
        self._again: list[MatchSpec] = []
        self._held: MatchSpec | None = None  # the next one, which is too far ahead
        self._dropped = 0  # matches of this run that are never to be played, since a bot has left
        self._is_stopping = self._is_round_over = False
        self._end: int | None = None  # board sets from here on are not begun any more
        self._may_begin = asyncio.Event()
        self._may_begin.set()
        removed = {str(e.data["bot"]): e.message for e in store.events(kind="removed") if e.data["schedule_began"]}
        self._last_begun, done = -1, 0  # board set, matches
        self._left: dict[int, int] = {}  # matches to play of each board set met so far
        for spec in plan.drawn_specs(self._attempts):
            is_finished = spec.key in self._finished
            is_left = not is_finished and not removed.keys() & set(spec.bots)
            self._left[spec.board_set] = self._left.get(spec.board_set, 0) + is_left
            if is_finished:
                self._last_begun, done = spec.board_set, done + 1
        self.progress = Progress(plan.matches_total(), done, removed=removed)
        self._advance()

    def stop(self) -> None:
        """Start nothing new; `run` returns when what is in flight has finished and is stored."""
        self._is_stopping = True
        self._may_begin.set()

    @property
    def is_paused(self) -> bool:
        """Whether no match is begun at present."""
        return not self._may_begin.is_set()

    def pause(self) -> None:
        """Begin no match until told to go on; what is in flight is finished and stored."""
        if not self._is_stopping:
            self._may_begin.clear()

    def go_on(self) -> None:
        """Begin matches again after a pause."""
        self._may_begin.set()

    def close(self, end: int | None = None) -> None:
        """Let the tournament be over when the board sets before `end` are whole, or those that have begun."""
        self._end = self._last_begun + 1 if end is None else end

    async def run(self) -> Ending:
        """Play what is missing.

        Raises:
            TournamentError: a board set was voided three times running, or too few bots are left.
            WorkerError, RefusedError: the executor failed.
            StoreError: the store failed; nothing finished before is lost.
        """
        specs = self.plan.specs(self._attempts)
        self._on_progress(self.progress)
        while True:
            self._fill(specs)
            if not self._executor.in_flight and not self._specs:
                if not self.is_paused:
                    break
                await self._may_begin.wait()
                continue
            self._settle(await self._executor.outcomes())
            self._on_progress(self.progress)
        if self._is_stopping:
            return Ending.STOPPED
        return Ending.CLOSED if self._end is not None else Ending.FINISHED

    def _fill(self, specs: Iterator[MatchSpec | None]) -> None:
        while not self._is_stopping and not self.is_paused and len(self._specs) < self.plan.in_flight_max:
            if self._is_round_over and not self._again and self._specs:
                return  # the next round is drawn from the results of all that is in flight
            is_again = bool(self._again)
            try:
                spec = self._next(specs)
            except StopIteration:
                return
            if spec is None:
                self._is_round_over = True
                continue
            if self._is_round_over and not is_again:  # the next one is drawn, and its matches can be counted
                self._is_round_over = False
                self.progress.total = self.plan.matches_total() - self._dropped
            self._left.setdefault(spec.board_set, len(self.plan.rotations(Seating(0, 0, spec.bots))))
            if spec.attempt < self._attempts.get(spec.board_set, 0):
                again = self.plan.board_set_of(spec, self._attempts[spec.board_set])
                spec = next(other for other in again if other.rotation == spec.rotation)
            if spec.key in self._specs or spec.key in self._finished:
                continue  # it came up again with its board set after a void
            if self.progress.removed.keys() & set(spec.bots):
                self._drop(spec)
                continue
            if self._end is not None and spec.board_set >= self._end:
                return
            ahead = self._ahead(self.progress.settled)
            if ahead is not None and spec.board_set >= ahead:
                self._held = spec
                return
            self._last_begun = max(self._last_begun, spec.board_set)
            self._specs[spec.key] = spec
            self._executor.submit(spec)

    def _next(self, specs: Iterator[MatchSpec | None]) -> MatchSpec | None:
        if self._again:
            return self._again.pop()
        held, self._held = self._held, None
        return held or next(specs)

    def _settled(self, spec: MatchSpec) -> None:
        """Take note that a match is over, or never to be played."""
        self._left[spec.board_set] -= 1
        self._advance()

    def _advance(self) -> None:
        while self._left.get(self.progress.settled, 1) <= 0:
            self.progress.settled += 1

    def _settle(self, outcomes: Sequence[Outcome]) -> None:
        """Take note of all that came: first what was played, since any of the others may end the tournament."""
        self._commit([outcome.record for outcome in outcomes if isinstance(outcome, Played)])
        errors: list[TournamentError] = []
        for outcome in outcomes:
            try:
                if isinstance(outcome, Void):
                    self._void(self._specs.pop(outcome.key), outcome.reason)
                elif isinstance(outcome, NotPlayed):
                    spec = self._specs.pop(outcome.key)
                    self._remove(outcome.unfit)
                    self._drop(spec)
            except TournamentError as error:
                errors.append(error)
        if errors:
            raise errors[0]

    def _commit(self, played: Sequence[MatchRecord]) -> None:
        """Store what was played, unless its board set has been voided meanwhile."""
        records: list[MatchRecord] = []
        for record in played:
            spec = self._specs.pop(record.spec.key)
            if spec.attempt == self._attempts.get(spec.board_set, 0):
                records.append(record)
        for start in range(0, len(records), COMMIT_MATCHES_MAX):
            group = records[start : start + COMMIT_MATCHES_MAX]
            added = self._store.add_matches(group)
            self._finished.update(record.spec.key for record in group)
            self._on_stored(group)
            for record in group:
                self._settled(record.spec)
            self.progress.done += added
            self.progress.played += added

    def _void(self, spec: MatchSpec, reason: str) -> None:
        """Void a match and its whole board set: bots that are not sandboxed may have seen the cards of it."""
        board_set, current = spec.board_set, self._attempts.get(spec.board_set, 0)
        if spec.attempt < current:
            return  # another match of it was voided before; this one will be asked for again
        self._store.add_attempt(spec, reason=reason, blame=Blame.HOST, whole_board_set=True, at=now_utc())
        self.progress.voided += 1
        self._voids[board_set] = self._voids.get(board_set, 0) + 1
        if self._voids[board_set] == VOIDS_RUNNING_MAX:
            raise TournamentError(
                f"board set {board_set} was void {VOIDS_RUNNING_MAX} times running, the last time since {reason}: "
                "free the machine of other work, then resume"
            )
        self.progress.done -= sum(old.key in self._finished for old in self.plan.board_set_of(spec, current))
        self._attempts[board_set] = current + 1
        self._left[board_set] = len(self.plan.board_set_of(spec, current + 1))
        self._again.extend(self.plan.board_set_of(spec, current + 1))

    def _drop(self, spec: MatchSpec) -> None:
        """Take a match off the schedule, since a bot of it cannot play."""
        self._dropped += 1
        self.progress.total -= 1
        self._settled(spec)

    def _remove(self, unfit: Unfit) -> None:
        if unfit.is_host:
            raise TournamentError(f"this machine cannot run the bots: {unfit.reason}")
        if unfit.bot not in self.progress.removed:
            self.progress.removed[unfit.bot] = unfit.reason
            self._store.add_event(removal(unfit, schedule_began=True))
            self._on_removed(unfit)


def removal(unfit: Unfit, *, schedule_began: bool) -> Event:
    """The event of a bot that leaves the schedule."""
    data = {"bot": unfit.bot, "schedule_began": schedule_began}
    return Event(at=now_utc(), kind="removed", message=unfit.reason, data=data)
