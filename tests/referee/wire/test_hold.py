"""New turns wait for a bot that is busy, and not for long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from referee.wire.hold import HOLD_S_MAX, HOLD_S_MIN, Hold


class Bench:
    """A hold whose timer is set off by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.delays: list[float] = []
        self.expire: Callable[[], None] = lambda: None
        self.released = 0
        self.cancelled = 0
        self.hold = Hold(self._release)
        monkeypatch.setattr(asyncio, "get_running_loop", lambda: self)

    def call_later(self, delay_s: float, then: Callable[[int], None], pending: int) -> Bench:
        """As the loop's."""
        self.delays.append(delay_s)
        self.expire = lambda: then(pending)
        return self

    def cancel(self) -> None:
        """As a timer's."""
        self.cancelled += 1

    def _release(self) -> None:
        self.released += 1


def test_a_bot_with_more_than_half_of_what_it_was_given_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(monkeypatch)
    assert not bench.hold.is_on(0), "nothing was given yet"
    bench.hold.given(8)

    assert [bench.hold.is_on(pending) for pending in (8, 5, 4)] == [True, True, False]
    assert (bench.delays, bench.cancelled) == ([HOLD_S_MIN], 1)


def test_the_wait_ends_by_itself_and_a_new_message_begins_another(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(monkeypatch)
    bench.hold.given(8)
    assert bench.hold.is_on(8)
    bench.expire()

    assert bench.released == 1
    assert not bench.hold.is_on(8)
    bench.hold.given(8)
    assert bench.hold.is_on(8)


def test_the_more_a_bot_has_to_do_the_longer_is_the_wait_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(monkeypatch)
    for given in (100, 1000):
        bench.hold.given(given)
        assert bench.hold.is_on(given)
        bench.hold.lift()

    assert bench.delays == [pytest.approx(0.02), HOLD_S_MAX]
    assert bench.cancelled == 2
