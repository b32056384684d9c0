"""One process that plays matches: wire, floor and launcher on one event loop."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from referee.executors.bot_pool import BotPool
from referee.executors.work import HouseConfig, Unfit
from referee.floor import Floor, MonotonicClock, Voided
from referee.launch.launcher import BotProcess, Launcher, ProcessExit
from referee.launch.manifest import BotManifest, load_manifest
from referee.records import MatchRecord, MatchSpec
from referee.rules import dealing
from referee.rules.ruleset import RuleSet
from referee.table import Table
from referee.wire.line import Line
from referee.wire.server import Listener, WireServer
from referee.wire.session import StreamLimits


class House:
    """Plays matches between the bots of its config. Use as `async with House(config) as house`.

    `say` is told what the organiser should see at once, such as a bot that came with a wrong token.

    Raises:
        ManifestError: a bot's folder or file is wrong (at construction).
        ListenError: the address for remote bots cannot be had (on entering).
        LauncherError: local bots cannot be started at all (on entering).
    """

    def __init__(self, config: HouseConfig, *, say: Callable[[str], None] = lambda _: None) -> None:
        self.config = config
        self.rules = RuleSet.from_dict(config.rules)
        self.manifests: dict[str, BotManifest] = {
            entry.name: load_manifest(Path(entry.folder)) for entry in config.bots if not entry.is_remote
        }
        self.listening = ""
        self._entries = {entry.name: entry for entry in config.bots}
        self._seed = bytes.fromhex(config.seed)
        clock = MonotonicClock()
        self.floor = Floor(clock)
        limits = StreamLimits(hello_ms=config.clock.hello_ms, handoff_ms_max=config.clock.handoff_ms_max)
        self.server = WireServer(self.floor, clock.now_ns, limits)
        self.server.on_refused = lambda peer: say(
            f"refused a bot from {peer or 'this machine'}: its token is unknown"
        )
        self.launcher = Launcher(Path(config.log_dir), on_exit=self._on_exit)
        self._pool: BotPool | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._socket_dir = ""

    async def __aenter__(self) -> House:
        # The path of a unix socket must be short (108 bytes), whatever folder the tournament lies in.
        self._socket_dir = tempfile.mkdtemp(prefix="hearts-")
        address = f"unix:{self._socket_dir}/referee"
        listeners = [Listener(address)]
        if self.config.listen:
            listeners.append(Listener(self.config.listen, self._tls()))
        try:
            # The supervisor first: a process that already runs grpc had better not start others.
            await self.launcher.start()
            addresses = await self.server.start(listeners)
            self.listening = addresses[-1] if self.config.listen else ""
        except BaseException:
            await self.close()
            raise
        self._pool = BotPool(self.config, self.manifests, self.server, self.launcher, address)
        self._keeper = asyncio.create_task(self._keep(), name="timekeeper")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Say farewell to every bot, end the local ones, and leave nothing behind. Harmless again."""
        if self._keeper is not None:
            self._keeper.cancel()
        await self.server.stop()
        await self.launcher.close()
        if self._socket_dir:
            shutil.rmtree(self._socket_dir, ignore_errors=True)

    @property
    def remote_lines(self) -> dict[str, Line]:
        """The lines of the remote bots: who has joined is `line.is_ready`."""
        return dict(self._pool.remote_lines) if self._pool else {}

    async def ready(self, name: str, instance: str) -> Unfit | None:
        """Have a process of a bot ready to play, or say why it is not."""
        line = await self._seat(name, instance)
        return line if isinstance(line, Unfit) else None

    async def play(self, spec: MatchSpec) -> MatchRecord | Voided | Unfit:
        """Play one match to its end."""
        instance = f"r{spec.rotation}"
        seats: list[Line] = []
        for line in await asyncio.gather(*(self._seat(name, instance) for name in spec.bots)):
            if isinstance(line, Unfit):
                return line
            seats.append(line)
        run = self.floor.start(
            self._table(spec),
            seats,
            self.config.clock,
            content=tuple(self._content(name) for name in spec.bots),
            commitment=self.config.commitment,
            show_names=self.config.show_names,
        )
        assert self._keeper is not None
        mishaps: tuple[asyncio.Future[None], ...] = (self._keeper, self.server.crash)
        waited: set[asyncio.Future[Any]] = {run.outcome, *mishaps}
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        for mishap in mishaps:
            if mishap.done():
                mishap.result()  # our own mistake: raise it here rather than wait for ever
        return await run.outcome

    def _table(self, spec: MatchSpec) -> Table:
        where = (self._seed, self.config.salt, spec.board_set, spec.attempt)
        return Table(
            spec,
            self.rules,
            deal_cards=lambda number: dealing.deal_cards(self.rules, dealing.deal_seed(*where, number)),
            turn_seeds=lambda number: partial(dealing.turn_seed, dealing.turn_key(*where, number)),
            ruling=self.config.ruling,
            faults_max=self.config.faults_max,
        )

    async def _seat(self, name: str, instance: str) -> Line | Unfit:
        assert self._pool is not None
        return await self._pool.seat(self._entries[name], instance)

    def _content(self, name: str) -> str:
        manifest = self.manifests.get(name)
        return manifest.content_hash if manifest else ""

    def _tls(self) -> tuple[bytes, bytes] | None:
        if not self.config.tls_key:
            return None
        return Path(self.config.tls_key).read_bytes(), Path(self.config.tls_cert).read_bytes()

    def _on_exit(self, process: BotProcess, how: ProcessExit) -> None:
        if self._pool is not None:
            self._pool.on_exit(process, how)

    async def _keep(self) -> None:
        stuck = asyncio.create_task(self._end_stuck())
        try:
            await self.floor.keep_time()
        finally:
            stuck.cancel()

    async def _end_stuck(self) -> None:
        while True:
            await asyncio.sleep(1)
            self.server.end_stuck()
