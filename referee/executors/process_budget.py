"""How many bot processes may be alive at once, and which of the idle ones make room."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable

Key = tuple[str, str]  # bot and instance


class ProcessBudget:
    """Counts processes: a match claims all of its own at once, so that no two matches wait for each other.

    Args:
        limit: processes alive at once; a match may never need more.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._alive: dict[Key, None] = {}  # the longest idle first
        self._claims: Counter[Key] = Counter()
        self._freed = asyncio.Event()

    async def claim(self, keys: Iterable[Key]) -> list[Key]:
        """Wait until these processes may be alive together with those that are playing.

        One caller at a time: whoever came first is served first. The claim stands when this returns.

        Returns:
            The idle processes that have to end before these are started, the longest idle first.
        """
        wanted = dict.fromkeys(keys)  # in their order, so that the same run ends the same ones
        while len(self._claims.keys() | wanted.keys()) > self._limit:
            self._freed.clear()
            await self._freed.wait()
        self._claims.update(list(wanted))
        for key in wanted:
            self._touch(key)
        idle = [key for key in self._alive if key not in self._claims]
        ended = idle[: max(0, len(self._alive) - self._limit)]
        for key in ended:
            del self._alive[key]
        return ended

    def release(self, keys: Iterable[Key], *, are_ended: bool = False) -> None:
        """Take back a claim: the processes live on, idle, or were ended."""
        for key in dict.fromkeys(keys):
            self._claims[key] -= 1
            if not self._claims[key]:
                del self._claims[key]
            self._touch(key)
            if are_ended:
                del self._alive[key]
        self._freed.set()

    def _touch(self, key: Key) -> None:
        self._alive.pop(key, None)
        self._alive[key] = None
