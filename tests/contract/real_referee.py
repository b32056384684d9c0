"""The real referee, wire and floor and table, in the test's own event loop, for bots that run as processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from referee.floor import Floor, MonotonicClock
from referee.floor.clock import Clock
from referee.records import MatchRecord, MatchSpec, Ruling, TimeControl
from referee.rules.dealing import Dealt, deal_cards, deal_seed, integer_seed, turn_key, turn_seed
from referee.rules.ruleset import RuleSet
from referee.table import Table
from referee.wire.line import Line
from referee.wire.server import Listener, WireServer
from referee.wire.stream import StreamLimits

SEED = integer_seed(7)
# Bots start slowly on a busy machine, and a test is no place to judge anybody's speed.
CLOCK = TimeControl(turn_ms=20_000, bank_ms=60_000)


@dataclass
class RealReferee:
    """A referee that listens and expects one bot a name; a bot's token is its name."""

    address: str
    floor: Floor
    lines: Sequence[Line]
    server: WireServer

    async def end(self) -> None:
        """Say farewell to every bot. Harmless again."""
        await self.server.stop()

    async def play(
        self,
        rules: RuleSet,
        *,
        deals: int,
        clock: TimeControl = CLOCK,
        rotation: int = 0,
        ruling: Ruling = Ruling.SUBSTITUTE,
        dealt: Mapping[int, Dealt] | None = None,
    ) -> MatchRecord:
        """Wait for all bots, seat them in the order of their names, and play one match.

        Args:
            rules: the rule set.
            deals: of the match.
            clock: of every seat.
            rotation: how many seats the bots move on.
            ruling: what is done about a fault.
            dealt: the cards of deals that are not to come from the seed, by number.
        """
        for line in self.lines:
            await line.is_ready.wait()
        lines = [*self.lines[-rotation:], *self.lines[:-rotation]] if rotation else self.lines
        spec = MatchSpec(
            key=f"contract {rotation}", number=rotation, round_number=1, board_set=0, attempt=0, rotation=rotation,
            bots=tuple(line.name for line in lines), deals=deals,
        )  # fmt: skip
        given = dealt or {}
        table = Table(
            spec,
            rules,
            deal_cards=lambda number: given.get(number) or deal_cards(rules, deal_seed(SEED, "", 0, 0, number)),
            turn_seeds=lambda number: partial(turn_seed, turn_key(SEED, "", 0, 0, number)),
            ruling=ruling,
        )
        record = await self.floor.start(table, lines, clock, content=("",) * len(lines)).outcome
        assert isinstance(record, MatchRecord), record
        return record


@asynccontextmanager
async def real_referee(
    names: Sequence[str],
    address: str,
    *,
    tls: tuple[bytes, bytes] | None = None,
    make_clock: Callable[[], Clock] = MonotonicClock,
) -> AsyncIterator[RealReferee]:
    """Serve until the block ends, then say farewell to every bot."""
    clock = make_clock()
    floor = Floor(clock)
    server = WireServer(floor, clock.now_ns, StreamLimits())
    lines = [server.expect(name, token=name) for name in names]
    [listening] = await server.start([Listener(address, tls)])
    heartbeat = asyncio.create_task(floor.keep_time())
    try:
        yield RealReferee(listening, floor, lines, server)
    finally:
        heartbeat.cancel()
        await server.stop()
