"""One process that plays matches: wire, floor and launcher on one event loop."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from referee.executors.bot_pool import BotPool
from referee.executors.work import HouseConfig, Unfit
from referee.executors.wrong_tokens import WrongTokens
from referee.floor import Floor, MonotonicClock, Voided, Wait
from referee.floor.waits import by_bot
from referee.launch.launcher import BotProcess, Launcher, ProcessExit
from referee.launch.manifest import BotManifest, load_manifest
from referee.launch.scratch import Scratch
from referee.records import MatchRecord, MatchSpec
from referee.rules import dealing
from referee.rules.ruleset import RuleSet
from referee.table import Table
from referee.wire.line import Line
from referee.wire.server import Listener, ListenError, WireServer
from referee.wire.stream import StreamLimits
from referee.wire.tls import read_tls

LOOK_S = 1.0  # how often streams are looked at that may be stuck
WAIT_MS_REPORTED = 10_000  # a bot is named in the log for which a match waits so long
_logger = logging.getLogger(__name__)


class House:
    """Plays matches between the bots of its config. Use as `async with House(config) as house`.

    `say` is told what the organiser should see at once, such as a bot that came with a wrong token.

    Raises:
        ManifestError: a bot's folder or file is wrong (at construction).
        ListenError: the address for remote bots cannot be had, or its certificate not be used (on entering).
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
        limits = StreamLimits(
            hello_ms=config.clock.hello_ms,
            handoff_ms_max=config.clock.handoff_ms_max,
            reconnects_max=config.reconnects_max,
        )
        self.server = WireServer(self.floor, clock.now_ns, limits)
        self._wrong_tokens = WrongTokens()
        self._say = say
        self.server.on_refused = self._on_refused
        self.launcher = Launcher(Path(config.log_dir), on_exit=self._on_exit)
        self._pool: BotPool | None = None
        self._keepers: tuple[asyncio.Task[None], ...] = ()
        # A mistake of ours that no caller would see: raised by every match, so that nothing hangs on it.
        self._crash: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._scratch: Scratch | None = None
        self.socket_folder = ""

    async def __aenter__(self) -> House:
        # The path of a unix socket must be short (108 bytes), whatever folder the tournament lies in.
        self._scratch = Scratch()
        self.socket_folder = str(self._scratch.path)
        address = f"unix:{self.socket_folder}/referee"
        listeners = [Listener(address)]
        try:
            if self.config.listen:
                listeners.append(Listener(self.config.listen, self._tls()))
            # The supervisor first: a process that already runs grpc had better not start others.
            await self.launcher.start()
            addresses = await self.server.start(listeners)
            self.listening = addresses[-1] if self.config.listen else ""
        except BaseException:  # cancelled, too: the supervisor and its bots must not outlive us
            await self.close()
            raise
        self._pool = BotPool(
            self.config,
            self.manifests,
            self.server,
            self.launcher,
            address,
            on_host_fault=self.floor.void_matches_of,
            on_crash=self._crashed,
        )
        self._keepers = (
            asyncio.create_task(self.floor.keep_time(), name="timekeeper"),
            asyncio.create_task(self._watch(), name="watchdog"),
        )
        for mishap in self._mishaps:
            mishap.add_done_callback(self._end_matches)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Say farewell to every bot, end the local ones, and leave nothing behind. Harmless again."""
        for keeper in self._keepers:
            keeper.cancel()
        await self.server.stop()
        await self.launcher.close()
        if self._scratch is not None:
            self._scratch.remove()

    @property
    def remote_lines(self) -> dict[str, Line]:
        """The lines of the remote bots: who has joined is `line.is_ready`."""
        return dict(self._pool.remote_lines) if self._pool else {}

    async def ready(self, name: str, instance: str) -> Unfit | None:
        """Muster a bot: have a process of it ready to play, or say why it is not."""
        entry = self._entries[name]
        async with self._bots.claimed([(entry, instance)]):
            line = await self._bots.seat(entry, instance, is_muster=True)
        return line if isinstance(line, Unfit) else None

    async def play(self, spec: MatchSpec) -> MatchRecord | Voided | Unfit:
        """Play one match to its end.

        Returns:
            The record, or why the match is void, or which bot cannot play.

        Raises:
            Exception: a mistake of ours anywhere in this house.
        """
        who = list(zip(spec.bots, instances(spec, self.config.isolation), strict=True))
        async with self._bots.claimed([(self._entries[name], instance) for name, instance in who]):
            seats = await self._seats(who)
            return seats if isinstance(seats, Unfit) else await self._played(spec, seats)

    async def _played(self, spec: MatchSpec, seats: list[Line]) -> MatchRecord | Voided:
        for mishap in self._mishaps:
            if mishap.done():
                mishap.result()  # raise it here rather than wait for ever
        run = self.floor.start(
            self._table(spec),
            seats,
            self.config.clock,
            content=tuple(self._content(name) for name in spec.bots),
            commitment=self.config.commitment,
            show_names=self.config.show_names,
        )
        return await run.outcome

    @property
    def _mishaps(self) -> tuple[asyncio.Future[None], ...]:
        return (*self._keepers, self._crash, self.server.crash)

    def _end_matches(self, mishap: asyncio.Future[None]) -> None:
        """Let every match that is being played raise a mishap.

        One callback for all of them: to wait for it beside each match costs a search among all others at its end.
        """
        for run in self.floor.runs.values():
            if mishap.cancelled():
                run.outcome.cancel()
            elif (error := mishap.exception()) is not None and not run.outcome.done():
                run.outcome.set_exception(error)

    async def _seats(self, who: list[tuple[str, str]]) -> list[Line] | Unfit:
        """Have every bot of a match, by name and instance, connected at the same moment.

        One may end while another starts; then it is started again. The pool bounds how often that happens.
        """
        while True:
            seats: list[Line] = []
            for line in await asyncio.gather(*(self._seat(name, instance) for name, instance in who)):
                if isinstance(line, Unfit):
                    return line
                seats.append(line)
            if not any(line.is_gone for line in seats):
                return seats

    def waits(self, waited_ms_min: int = 0) -> list[Wait]:
        """Say what the matches wait for in which nothing has happened for so long."""
        return self.floor.waits(waited_ms_min)

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

    @property
    def _bots(self) -> BotPool:
        assert self._pool is not None  # entered
        return self._pool

    async def _seat(self, name: str, instance: str) -> Line | Unfit:
        return await self._bots.seat(self._entries[name], instance)

    def _content(self, name: str) -> str:
        manifest = self.manifests.get(name)
        return manifest.content_hash if manifest else ""

    def _tls(self) -> tuple[bytes, bytes] | None:
        key, certificate = self.config.tls_key, self.config.tls_cert
        if bool(key) != bool(certificate):
            raise ListenError("TLS: give both a certificate and its key, or none: `hearts cert` makes both")
        return read_tls(Path(key), Path(certificate)) if key else None

    def _on_exit(self, process: BotProcess, how: ProcessExit) -> None:
        if self._pool is not None:
            self._pool.on_exit(process, how)

    def _on_refused(self, peer: str) -> None:
        if line := self._wrong_tokens.line(peer):
            self._say(line)

    def _crashed(self, error: BaseException) -> None:
        if not self._crash.done():
            self._crash.set_exception(error)

    async def _watch(self) -> None:
        """End streams that are stuck, and name what matches wait for that do not go on."""
        reported: set[str] = set()
        while True:
            await asyncio.sleep(LOOK_S)
            self.server.end_stuck()
            waits = by_bot(self.floor.waits(WAIT_MS_REPORTED))
            for wait in waits:
                if wait.bot not in reported:
                    _logger.warning("%s", wait)
            reported = {wait.bot for wait in waits}


def instances(spec: MatchSpec, isolation: str) -> tuple[str, ...]:
    """Name the process that takes each seat of a match: one for each rotation or match, and for each copy of a bot.

    So none sees a deal twice, and copies at one table are strangers to each other.
    """
    serves = f"r{spec.rotation}" if isolation == "board-set" else f"m{spec.number}.{spec.attempt}"
    copies: Counter[str] = Counter()
    names = []
    for name in spec.bots:
        copies[name] += 1
        names.append(serves if copies[name] == 1 else f"{serves}-{copies[name]}")
    return tuple(names)
