"""Keeps one bot running: starts it again when it dies, the later the more often, and ends it cleanly.

The bot's own output goes where ours goes. It gets a session of its own, so that Ctrl-C is ours to pass on.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

RESTARTS_MAX = 10  # in a row, none of which lasted
LASTED_S = 60.0  # a process that ran this long has proven itself
PAUSE_S_MAX = 30.0
GRACE_S = 3.0


@dataclass(frozen=True, slots=True)
class Ending:
    """Why the bot does not run any more: `code` is its exit code, None where it was never started."""

    code: int | None
    restarts: int
    is_stopped: bool = False  # we were asked to


@dataclass(slots=True, kw_only=True)
class BotKeeper:
    """Runs a command until it ends with code 0, dies too often, or `stop` is set.

    Args:
        argv, cwd, env: of the bot.
        say: told of every restart.
        now_s: a clock in seconds; pause: waits that long. Tests give their own.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    say: Callable[[str], None]
    now_s: Callable[[], float]
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def run(self, stop: asyncio.Event) -> Ending:
        """Keep the bot running.

        Raises:
            OSError: the command cannot be started.
        """
        in_a_row = restarts = 0
        while True:
            began_s = self.now_s()
            code = await self._once(stop)
            if stop.is_set():
                return Ending(code, restarts, is_stopped=True)
            if code == 0:
                return Ending(code, restarts)
            in_a_row = 0 if self.now_s() - began_s >= LASTED_S else in_a_row
            if in_a_row >= RESTARTS_MAX:
                return Ending(code, restarts)
            pause_s = min(PAUSE_S_MAX, 0.5 * 2**in_a_row)
            in_a_row += 1
            restarts += 1
            self.say(f"the bot {how_text(code)}; starting it again in {pause_s:g} s ({in_a_row} of {RESTARTS_MAX})")
            if await self._stopped_during(pause_s, stop):
                return Ending(code, restarts, is_stopped=True)

    async def _once(self, stop: asyncio.Event) -> int:
        """Run one process to its end, or until `stop`."""
        process = await asyncio.create_subprocess_exec(
            *self.argv, cwd=self.cwd, env=dict(self.env), start_new_session=True
        )
        ended = asyncio.ensure_future(process.wait())
        stopped = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait({ended, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                _signal(process.pid, signal.SIGTERM)
                await asyncio.wait({ended}, timeout=GRACE_S)
        finally:
            stopped.cancel()
            if not ended.done():
                _signal(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        return await ended

    async def _stopped_during(self, seconds: float, stop: asyncio.Event) -> bool:
        pause = asyncio.ensure_future(self.pause(seconds))
        stopped = asyncio.ensure_future(stop.wait())
        await asyncio.wait({pause, stopped}, return_when=asyncio.FIRST_COMPLETED)
        pause.cancel()
        stopped.cancel()
        return stop.is_set()


def how_text(code: int) -> str:
    """How a process ended, in words."""
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:  # a real-time signal
        return f"was killed by signal {-code}"


def _signal(pid: int, number: int) -> None:
    """Signal the bot and what it started; only itself where a system has no groups of processes."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(pid, number)
        else:
            os.kill(pid, number)
