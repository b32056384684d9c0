"""How long new turns wait for a bot that is busy: see docs/decisions/0003."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

# How long turns may wait for a bot that is busy with others, by how many those are. Nobody is charged for it: no
# clock has begun. (Measured at 256 and 1,024 tables: twice as many turns a message as with 5 ms, and a decision
# costs the referee a tenth to a quarter less.)
HOLD_TURN_S = 0.0002
HOLD_S_MIN, HOLD_S_MAX = 0.005, 0.05


class Hold:
    """Holds back new turns while a bot still has more than half of what it was last given.

    Args:
        release: called when the turns have waited long enough.
    """

    def __init__(self, release: Callable[[], None]) -> None:
        self._release = release
        self._low_water = 0  # pending turns down to which the bot counts as idle
        self._timer: asyncio.TimerHandle | None = None

    def is_on(self, pending: int) -> bool:
        """Whether what is owed waits for the bot's next answer, while so many turns are pending."""
        if pending <= self._low_water:
            self.lift()
            return False
        if self._timer is None:
            hold_s = min(max(HOLD_S_MIN, HOLD_TURN_S * pending), HOLD_S_MAX)
            self._timer = asyncio.get_running_loop().call_later(hold_s, self._expire, pending)
        return True

    def given(self, pending: int) -> None:
        """Note that the bot has been given what it was owed, and how many turns it has now."""
        self._low_water = pending // 2

    def lift(self) -> None:
        """Hold nothing back for now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self, pending: int) -> None:
        self._timer = None
        self._low_water = pending
        self._release()
