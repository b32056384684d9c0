"""A wait, and how much longer the referee's own lag makes it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from referee.wire.patience import first_of


class LaggingWait:
    """Stands in for `asyncio.wait`: notes how long is waited; the lag meter says more after each wait."""

    def __init__(self, lags_ms: list[int]) -> None:
        self.waits_s: list[float] = []
        self.stalled_ns = 0
        self._lags_ms = lags_ms

    async def wait(self, waited: set[asyncio.Future[Any]], timeout: float, return_when: str) -> Any:  # noqa: ASYNC109
        self.waits_s.append(timeout)
        self.stalled_ns += self._lags_ms.pop(0) * 1_000_000
        return {future for future in waited if future.done()}, set()


@pytest.mark.parametrize(
    ("lags_ms", "waits_s"),
    [([0], [5.0]), ([6_000, 0], [5.0, 6.0]), ([6_000, 400, 0], [5.0, 6.0, 0.4])],
    ids=["healthy", "a stall", "two stalls"],
)
async def test_a_wait_goes_on_for_as_long_as_the_referee_stood_still(
    monkeypatch: pytest.MonkeyPatch, lags_ms: list[int], waits_s: list[float]
) -> None:
    lagging = LaggingWait(lags_ms)
    monkeypatch.setattr(asyncio, "wait", lagging.wait)
    await first_of({asyncio.get_running_loop().create_future()}, 5_000, lambda: lagging.stalled_ns)

    assert lagging.waits_s == waits_s


async def test_what_comes_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    lagging = LaggingWait([6_000])
    monkeypatch.setattr(asyncio, "wait", lagging.wait)
    came = asyncio.get_running_loop().create_future()
    came.set_result(None)
    await first_of({came}, 5_000, lambda: lagging.stalled_ns)

    assert lagging.waits_s == [5.0]
