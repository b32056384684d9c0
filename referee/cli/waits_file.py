"""What a running tournament waits for, for other terminals: a small file in its folder, while it waits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from referee.executors.work import wait_from_dict, wait_to_dict
from referee.floor.waits import Wait

LOOK_S = 1.0
SAID_MS = 5_000  # a bot that is waited for longer is named on the screen, once until it goes on


class WaitsFile:
    """The file, by its path."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, waits: Sequence[Wait]) -> None:
        """Put `waits` in place of what it says; without any there is no file."""
        if not waits:
            self._path.unlink(missing_ok=True)
            return
        fresh = self._path.with_name(self._path.name + ".new")
        fresh.write_text(json.dumps([wait_to_dict(wait) for wait in waits]), encoding="utf-8")
        fresh.replace(self._path)

    def read(self) -> list[Wait]:
        """Say what was written last."""
        try:
            text = self._path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return []
        return [wait_from_dict(raw) for raw in json.loads(text)]

    async def keep(
        self, waits: Callable[[], Sequence[Wait]], say: Callable[[str], None], *, pause_s: float = LOOK_S
    ) -> None:
        """Write the file about once a second until cancelled, and say whom matches wait for long."""
        said: set[str] = set()
        while True:
            now = waits()
            try:
                self.write(now)
            except OSError as error:  # a full disk ends the tournament where results are stored, not here
                say(f"{self._path}: cannot be written ({error.strerror}), so `status` does not show waits")
                return
            long = [wait for wait in now if wait.waited_ms >= SAID_MS]
            for wait in long:
                if wait.bot not in said:
                    say(str(wait))
            said = {wait.bot for wait in long}
            await asyncio.sleep(pause_s)
