"""Messages and decisions that answer nothing."""

from __future__ import annotations

# Harmless one by one: a bot that is late at many tables sends some. So many of them within the window are a flood,
# which takes the referee's time from the others.
USELESS_MAX = 1_000
USELESS_WINDOW_NS = 10_000_000_000


class UselessCount:
    """Counts what a bot sends that answers nothing, and says when it is a flood."""

    def __init__(self) -> None:
        self._window_ns = 0
        self._in_window = 0

    def add(self, count: int, arrival_ns: int, tables_max: int) -> str:
        """Count some more, and return a sentence where it is a flood; a bot of many tables may send more."""
        if arrival_ns - self._window_ns > USELESS_WINDOW_NS:
            self._window_ns = arrival_ns
            self._in_window = 0
        self._in_window += count
        count_max = max(USELESS_MAX, 4 * tables_max)
        if self._in_window <= count_max:
            return ""
        self._in_window = 0
        window_s = USELESS_WINDOW_NS // 1_000_000_000
        return f"a flood: over {count_max} messages or decisions that answer nothing within {window_s} s"
