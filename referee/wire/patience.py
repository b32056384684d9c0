"""Waits that the referee's own lag makes longer: nobody is charged for what it could not read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

_LEAST_S = 0.001


async def first_of(waited: set[asyncio.Future[Any]], wait_ms: int, stalled_ns: Callable[[], int]) -> None:
    """Wait for the first of some futures, so long at most, and longer by what the referee stands still meanwhile.

    Args:
        waited: nothing happens to them.
        wait_ms: how long.
        stalled_ns: reads the lag meter.
    """
    left_s = wait_ms / 1000
    while left_s >= _LEAST_S:
        before_ns = stalled_ns()
        done, _ = await asyncio.wait(waited, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
        if done:
            return
        left_s = (stalled_ns() - before_ns) / 1e9
