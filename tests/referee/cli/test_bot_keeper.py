"""Keeping a bot running: restarts with growing pauses, a limit, and a clean end."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from referee.cli.bot_keeper import LASTED_S, RESTARTS_MAX, BotKeeper, Ending, how_text


class Script:
    """A bot whose processes exit with the codes given, one after the other, after `lasts_s` of a made-up clock."""

    def __init__(self, folder: Path, codes: list[int], *, lasts_s: float = 0) -> None:
        self.pauses: list[float] = []
        self.said: list[str] = []
        self._now_s = 0.0
        self._lasts_s = lasts_s
        (folder / "codes").write_text("\n".join(map(str, codes)))
        code = (
            "import sys, pathlib; p = pathlib.Path('codes'); c, *rest = p.read_text().split('\\n');"
            "p.write_text('\\n'.join(rest)); sys.exit(int(c))"
        )
        self.keeper = BotKeeper(
            argv=(sys.executable, "-S", "-c", code),
            cwd=folder,
            env=os.environ,
            say=self.said.append,
            now_s=self._now,
            pause=self._pause,
        )

    def _now(self) -> float:
        self._now_s += self._lasts_s
        return self._now_s

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)


async def test_a_bot_that_ends_well_is_not_started_again(tmp_path: Path) -> None:
    script = Script(tmp_path, [0])

    assert await script.keeper.run(asyncio.Event()) == Ending(0, 0)
    assert script.pauses == []


async def test_a_bot_that_dies_is_started_again_after_growing_pauses(tmp_path: Path) -> None:
    script = Script(tmp_path, [1, 1, 1, 0])

    assert await script.keeper.run(asyncio.Event()) == Ending(0, 3)
    assert script.pauses == [0.5, 1.0, 2.0]
    assert script.said[0] == "the bot exited with code 1; starting it again in 0.5 s (1 of 10)"


async def test_a_bot_that_dies_too_often_is_given_up(tmp_path: Path) -> None:
    script = Script(tmp_path, [3] * (RESTARTS_MAX + 1))

    assert await script.keeper.run(asyncio.Event()) == Ending(3, RESTARTS_MAX)
    assert script.pauses[-1] == 30.0


async def test_a_bot_that_lasted_has_all_its_restarts_again(tmp_path: Path) -> None:
    script = Script(tmp_path, [1] * 12 + [0], lasts_s=LASTED_S)

    assert await script.keeper.run(asyncio.Event()) == Ending(0, 12)
    assert set(script.pauses) == {0.5}


async def test_stopping_ends_a_running_bot_by_sigterm(tmp_path: Path) -> None:
    stop = asyncio.Event()
    obeys = "import os, signal, time; signal.signal(15, lambda *_: os._exit(7)); "
    code = obeys + "open('up', 'w').close(); time.sleep(60)"
    await asyncio.to_thread(os.mkfifo, tmp_path / "up")  # opening it waits for the other side
    keeper = BotKeeper(
        argv=(sys.executable, "-S", "-c", code), cwd=tmp_path, env=os.environ, say=print, now_s=lambda: 0.0
    )

    running = asyncio.create_task(keeper.run(stop))
    await asyncio.to_thread((tmp_path / "up").read_text)
    stop.set()

    assert await running == Ending(7, 0, is_stopped=True)


async def test_stopping_during_a_pause_starts_nothing_more(tmp_path: Path) -> None:
    stop = asyncio.Event()
    script = Script(tmp_path, [1, 0])

    async def stopped_meanwhile(_: float) -> None:
        stop.set()
        await asyncio.Event().wait()

    script.keeper.pause = stopped_meanwhile

    assert await script.keeper.run(stop) == Ending(1, 1, is_stopped=True)
    assert (tmp_path / "codes").read_text() == "0"


def test_an_end_is_said_in_words() -> None:
    assert how_text(3) == "exited with code 3"
    assert how_text(-9) == "was killed by SIGKILL"
