"""Whose process is replaced, and whose is not, without a process."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.executors import bot_pool
from referee.executors.bot_pool import BotPool
from referee.executors.work import BotEntry
from referee.floor import Floor
from referee.records import Ruling, TimeControl
from referee.table.turns import MatchStart
from referee.wire.line import Line
from referee.wire.server import WireServer, _hash
from referee.wire.stream import StreamLimits
from tests.contract.gallery import house_config
from tests.referee.floor.fakes import FakeClock

DUCK = BotEntry(name="duck", folder="/bots/duck")


class FakeLauncher:
    """Starts bots that say hello at once, and notes which were ended."""

    def __init__(self, server: WireServer) -> None:
        self.ended: list[int] = []
        self._ids = itertools.count(1)
        self._server = server

    async def launch(self, request: Any) -> Any:
        session: Any = SimpleNamespace(wake=lambda: None, close=lambda *_: None)
        self._server._lines[_hash(request.env["HEARTS_TOKEN"])].attach(session, "1", 8)
        return SimpleNamespace(
            id=next(self._ids),
            exit=None,
            log=Path("duck.log"),
            log_position=lambda: 0,
            exited=asyncio.get_running_loop().create_future,
        )

    async def end(self, process: Any, *, grace_s: float) -> None:
        self.ended.append(process.id)


class Pool:
    """A pool of one bot for which nobody waits: who is away when it is needed stays away."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        async def look_once(*_: object) -> None:
            await asyncio.sleep(0)

        monkeypatch.setattr(bot_pool, "first_of", look_once)
        clock = FakeClock()
        server = WireServer(Floor(clock), clock.now_ns, StreamLimits())
        manifest: Any = SimpleNamespace(run=("duck",), folder=root, limits=None, tables_max=8)
        self.launcher = launcher = FakeLauncher(server)
        config = house_config(root, {}, TimeControl(), Ruling.SUBSTITUTE)
        self.pool = BotPool(
            config,
            {"duck": manifest},
            server,
            launcher,  # type: ignore[arg-type]
            "unix:x",
            on_host_fault=lambda *_: None,
            on_crash=lambda _: None,
        )

    async def seat(self) -> Line:
        line = await self.pool.seat(DUCK, "r0")
        assert isinstance(line, Line)
        return line


def lose_stream(line: Line) -> None:
    assert line.session is not None
    line.detach(line.session)


async def test_a_bot_that_is_away_in_a_match_keeps_its_process_when_another_match_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = Pool(tmp_path, monkeypatch)
    line = await pool.seat()
    line.start_match(MatchStart(1, 0, {}, (), 4, 100, 0, 3, "substitute", ""))
    lose_stream(line)

    assert await pool.seat() is line
    assert not line.is_gone
    assert pool.launcher.ended == []


async def test_a_bot_that_is_away_outside_of_a_match_is_started_anew_and_its_old_line_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = Pool(tmp_path, monkeypatch)
    line = await pool.seat()
    lose_stream(line)
    fresh = await pool.seat()

    assert fresh is not line
    assert not fresh.is_gone
    assert line.is_gone, "a match that was waiting with it has to seat the bot again"
    assert pool.launcher.ended == [1]
