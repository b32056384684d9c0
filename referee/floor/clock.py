"""The floor's clock and its own health: how late the event loop runs."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol

TICK_NS = 10_000_000  # the heartbeat of the floor: deadlines are looked at this often
LATENESS_FREE_NS = 2_000_000  # what a timer may be late on a healthy machine; not counted as lag
# One heartbeat this late voids what is being played. Smaller lag only moves deadlines; but while a referee stands
# still for a second, the same machine may well have kept its bots from thinking, and nobody can tell.
STALL_VOID_NS = 1_000_000_000


class Clock(Protocol):
    """Where the time comes from; tests give a fake one."""

    def now_ns(self) -> int:
        """Nanoseconds of a clock that never goes back."""
        ...

    def utc(self) -> str:
        """The wall clock in UTC, ISO 8601, to the second."""
        ...


class MonotonicClock:
    """The machine's own clocks."""

    def now_ns(self) -> int:
        """See `Clock.now_ns`."""
        return time.monotonic_ns()

    def utc(self) -> str:
        """See `Clock.utc`."""
        return datetime.now(UTC).isoformat(timespec="seconds")


class LagMeter:
    """Adds up how late the heartbeat came: time in which the referee could not read an answer.

    A bot is never charged for it: elapsed times are shortened by, and deadlines moved by, the lag between the two
    readings of `stalled_ns`. What it says never falls, and rises no faster than time passes.
    """

    def __init__(self, now_ns: int) -> None:
        self._due_ns = now_ns + TICK_NS
        self._stalled_ns = 0

    def stalled_ns(self, at_ns: int) -> int:
        """All lag up to a moment since the last beat, the delay that is going on then included."""
        return self._stalled_ns + max(0, at_ns - self._due_ns - LATENESS_FREE_NS)

    def beat(self, now_ns: int) -> int:
        """Note a heartbeat, expect the next one a tick from now, and return the lag that is new, in nanoseconds."""
        stalled_before_ns, self._stalled_ns = self._stalled_ns, self.stalled_ns(now_ns)
        self._due_ns = now_ns + TICK_NS
        return self._stalled_ns - stalled_before_ns
