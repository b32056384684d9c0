"""Coroutines that begin at once and go on without a task."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


def begin(coroutine: Coroutine[Any, None, object], on_end: Callable[[Exception | None], None]) -> None:
    """Run a coroutine up to its first wait now, and the rest as what it waits for comes.

    A task takes its first step in the loop's next turn, and needs one more to tell whoever awaits it (from Python
    3.12 on `eager_start` mends the first). Nothing cancels this: it ends with what it waits for.

    Args:
        coroutine: it may await futures, directly or within other coroutines, and nothing else.
        on_end: called once, with the exception that ended it if one did; perhaps before this returns.
    """

    def step(_: object = None) -> None:
        try:
            waits_for = coroutine.send(None)
        except StopIteration:
            on_end(None)
        except asyncio.CancelledError as error:
            on_end(RuntimeError(f"what was waited for is cancelled: {error!r}"))
        except Exception as error:  # noqa: BLE001  # whatever it is, it is for the caller to judge
            on_end(error)
        else:
            waits_for.add_done_callback(step)

    step()
