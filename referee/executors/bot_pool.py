"""The bots of one process: launched when first needed, restarted when they die, waited for when remote."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.executors.process_budget import Key, ProcessBudget
from referee.executors.work import BotEntry, HouseConfig, Unfit
from referee.launch.launcher import BotProcess, Launcher, LaunchRequest, ProcessExit, SpawnFailure
from referee.launch.manifest import BotManifest
from referee.wire.line import Line
from referee.wire.patience import first_of
from referee.wire.server import WireServer

END_GRACE_S = 2.0  # for an idle process to end by itself
# A bot in the schedule has said hello at the muster, so it can start: a process of it that ends outside of a match
# may have been ended by anybody. So many of them running, with no match of it begun between, are its own doing.
# `restarts_max` is about matches and has no say here.
LOST_RUNNING_MAX = 3
STDERR_LINES = 5  # of a bot that did not start, shown to its author


@dataclass(slots=True, eq=False)
class _Slot:
    """One process of a local bot, across its restarts: the token and the line stay the same."""

    manifest: BotManifest
    instance: str
    token: str
    line: Line
    process: BotProcess | None = None
    restarts: int = 0  # since a match began last
    matches_begun: int = 0  # when a process of it ended last
    failure: Unfit | None = None


class BotPool:
    """Seats bots: `seat` gives the line of a process that has said hello, or says why there is none.

    Args:
        config: of the house.
        manifests: of the local bots, by name.
        server: where bots connect.
        launcher: what starts them.
        address: what they are told to dial.
        on_host_fault: called with a line and a sentence when the host has taken its process away.
        on_crash: called with a mistake of ours in a task that nobody waits for.
    """

    def __init__(
        self,
        config: HouseConfig,
        manifests: Mapping[str, BotManifest],
        server: WireServer,
        launcher: Launcher,
        address: str,
        *,
        on_host_fault: Callable[[Line, str], None],
        on_crash: Callable[[BaseException], None],
    ) -> None:
        self._config = config
        self._manifests = manifests
        self._server = server
        self._launcher = launcher
        self._address = address
        self._slots: dict[tuple[str, str], _Slot] = {}
        self._seating: dict[tuple[str, str], asyncio.Task[Line | Unfit]] = {}
        self._by_process: dict[int, _Slot] = {}
        self._lost: dict[Key, int] = {}  # processes running that ended outside of a match
        self._budget = ProcessBudget(config.processes_max)
        self._making_room = asyncio.Lock()
        self._on_host_fault = on_host_fault
        self._on_crash = on_crash
        self._restarting: set[asyncio.Task[None]] = set()
        self._remote: dict[str, Line] = {
            entry.name: server.expect(entry.name, entry.token) for entry in config.bots if entry.is_remote
        }
        self._lobby_ends_s = asyncio.get_running_loop().time() + config.lobby_s

    @property
    def remote_lines(self) -> Mapping[str, Line]:
        """The lines of the remote bots, by name."""
        return self._remote

    @contextlib.asynccontextmanager
    async def claimed(self, who: Iterable[tuple[BotEntry, str]]) -> AsyncIterator[None]:
        """Have processes at one's disposal, so many as may be alive at once: idle ones are ended for them.

        Under the isolation `match` they are ended afterwards, so that the next match gets fresh ones.
        """
        keys = [(entry.name, instance) for entry, instance in who if not entry.is_remote]
        async with self._making_room:  # first come, first served; what is ended is gone before others start
            await self._end_all(await self._budget.claim(keys))
        are_ended = False
        try:
            yield
            if self._config.isolation == "match":
                await self._end_all(keys)
                are_ended = True
        finally:
            self._budget.release(keys, are_ended=are_ended)

    async def seat(self, entry: BotEntry, instance: str, *, is_muster: bool = False) -> Line | Unfit:
        """Give the bot's line, starting its process or waiting for it where needed.

        At the muster a bot shows that it can start: there a process that ends before its hello is its only one.
        `instance` tells apart the processes of one bot: each plays one rotation of every board set, so that none
        sees a deal twice.
        """
        if entry.is_remote:
            return await self._remote_seat(entry.name)
        key = (entry.name, instance)
        slot = self._slots.get(key)
        if slot is not None and slot.failure is not None and not slot.failure.is_host:
            return slot.failure
        if slot is not None and slot.line.is_attached.is_set() and not slot.line.is_gone:
            return slot.line
        if key not in self._seating:
            self._seating[key] = asyncio.create_task(
                self._attend(key, is_muster=is_muster), name=f"start {entry.name}/{instance}"
            )
        try:
            return await asyncio.shield(self._seating[key])
        finally:
            if key in self._seating and self._seating[key].done():
                del self._seating[key]

    async def _end_all(self, keys: Iterable[Key]) -> None:
        await asyncio.gather(*(self._end(key) for key in keys))

    async def _end(self, key: Key) -> None:
        """End a process that nobody needs now; its bot may be started anew."""
        slot = self._slots.get(key)
        if slot is None or slot.failure is not None:
            return  # it is not alive, and why is still to be told
        del self._slots[key]
        self._server.forget(slot.token, is_done=True)
        if slot.process is not None:
            await self._launcher.end(slot.process, grace_s=END_GRACE_S)

    async def _remote_seat(self, name: str) -> Line | Unfit:
        line = self._remote[name]
        left_s = self._lobby_ends_s - asyncio.get_running_loop().time()
        try:
            await asyncio.wait_for(line.is_ready.wait(), max(0.001, left_s))
        except TimeoutError:
            why = line.refusal or f"it did not connect within {self._config.lobby_s:g} s"
            return Unfit(name, f"{name}: {why}")
        return line

    async def _attend(self, key: Key, *, is_muster: bool) -> Line | Unfit:
        """Have a process of a bot connected: wait for the one that is on its way back, or start a fresh one."""
        slot = self._slots.get(key)
        if slot is not None and slot.line.is_ready.is_set() and not slot.line.is_gone:
            back = asyncio.create_task(slot.line.is_attached.wait())
            gone = asyncio.create_task(slot.line.is_ended.wait())
            await first_of({back, gone}, self._start_ms, slot.line.stalled_ns)
            back.cancel()
            gone.cancel()
            # One that plays another match is left alone, away or not: the clocks of all its matches run.
            if not slot.line.is_gone and (slot.line.is_attached.is_set() or slot.line.is_playing):
                return slot.line
        return await self._start(key, is_muster=is_muster)

    @property
    def _start_ms(self) -> int:
        return self._config.clock.start_ms + self._config.clock.hello_ms

    async def _start(self, key: Key, *, is_muster: bool) -> Line | Unfit:
        """Start fresh processes until one has said hello, or too many have ended running (one, at the muster)."""
        while True:
            old = await self._discard(key)
            slot = self._new_slot(key)
            if old is not None and self._lost.get(key, 0) >= LOST_RUNNING_MAX:
                why = f"its process {old.line.ending}, the last of {LOST_RUNNING_MAX} that ended outside of a match"
                slot.failure = self._unfit(slot, old, f"{why}, with no match of it begun between")
            else:
                await self._launch(slot)
                await self._await_hello(slot)
            if slot.failure is None:
                return slot.line
            has_ended = slot.process is not None and slot.process.exit is not None and not slot.line.refusal
            if (is_muster and not _was_killed(slot)) or slot.failure.is_host or not has_ended:
                self._server.forget(slot.token)
                if slot.process is not None:
                    await self._launcher.end(slot.process, grace_s=0)
                return slot.failure

    async def _discard(self, key: Key) -> _Slot | None:
        """Let go of the process that is to be replaced, where there is one."""
        old = self._slots.pop(key, None)
        if old is not None:
            old.line.end(old.line.exit_code, old.line.ending or "was replaced")  # for matches that wait with it
            self._server.forget(old.token)
            if old.process is not None:
                await self._launcher.end(old.process, grace_s=0)
        return old

    def _new_slot(self, key: Key) -> _Slot:
        name, instance = key
        token = secrets.token_urlsafe(24)
        line = self._server.expect(name, token, instance=instance)
        line.tables_max_allowed = self._manifests[name].tables_max
        slot = self._slots[key] = _Slot(self._manifests[name], instance, token, line)
        return slot

    def _unfit(self, slot: _Slot, shown: _Slot, why: str, *, is_host: bool = False) -> Unfit:
        """Say in one line, and the last lines of its stderr, why a bot cannot play."""
        command = " ".join(slot.manifest.run)
        lines = shown.process.stderr_tail(STDERR_LINES) if shown.process is not None else []
        tail = "".join(f"\n    {line}" for line in lines)
        name = slot.line.name
        return Unfit(
            name, f"{name}: {why} (command: {command})" + (f"; its last lines:{tail}" if tail else ""), is_host
        )

    async def _launch(self, slot: _Slot) -> None:
        process = await self._launcher.launch(
            LaunchRequest(
                label=f"{slot.line.name}-{slot.instance}",
                argv=slot.manifest.run,
                cwd=slot.manifest.folder,
                env={
                    "HEARTS_REFEREE": self._address,
                    "HEARTS_TOKEN": slot.token,
                    "HEARTS_INSTANCE": slot.instance,
                    "HEARTS_BOT": slot.line.name,
                },
                limits=slot.manifest.limits,
            )
        )
        if isinstance(process, SpawnFailure):
            slot.failure = Unfit(slot.line.name, f"{slot.line.name}: {process.message}", process.host)
            slot.line.end(slot.line.exit_code, process.message)
            return
        slot.process = process
        self._by_process[process.id] = slot
        log = process.log.name
        slot.line.log_source = lambda: (log, process.log_position())
        if process.exit is not None:  # it ended before it was known here
            self.on_exit(process, process.exit)

    async def _await_hello(self, slot: _Slot) -> None:
        """Wait for the first hello; note in `slot.failure` why it did not come."""
        process = slot.process
        if process is None:
            return
        wrong_tokens = self._server.wrong_tokens
        settled = asyncio.create_task(slot.line.is_settled.wait())
        waited: set[asyncio.Future[Any]] = {settled, process.exited()}
        await first_of(waited, self._start_ms, slot.line.stalled_ns)
        settled.cancel()
        if slot.line.is_ready.is_set():
            return
        if slot.line.refusal:
            why = slot.line.refusal
        elif process.exit is not None:
            why = f"it {process.exit} before it said hello"
        else:
            why = f"no hello within {self._start_ms / 1000:g} s"
        refused = self._server.wrong_tokens - wrong_tokens
        if refused and not slot.line.refusal:
            why += f" (meanwhile a token that is not expected was refused {refused} times)"
        slot.failure = self._unfit(slot, slot, why, is_host=process.exit is not None and process.exit.host)

    def on_exit(self, process: BotProcess, how: ProcessExit) -> None:
        """Take note that a process has ended: restart it while it may be, else its turns are failed at once."""
        slot = self._by_process.pop(process.id, None)
        if slot is None or how.asked:
            return
        line = slot.line
        line.exit_code, line.ending = how.exit_code, str(how)
        if how.host:
            if line.is_ready.is_set():  # else `_await_hello` says what became of it
                line.end(how.exit_code, str(how))
                self._on_host_fault(line, f"{line.name} {how}")
        elif line.is_playing:
            self._lost.pop((line.name, slot.instance), None)
            self._restart(slot, how)
        else:
            self._lose(slot)
            line.end(how.exit_code, str(how))

    def _lose(self, slot: _Slot) -> None:
        """Count a process that ended outside of a match."""
        key = (slot.line.name, slot.instance)
        begun, slot.matches_begun = slot.matches_begun, slot.line.matches_begun
        self._lost[key] = 1 if slot.line.matches_begun != begun else self._lost.get(key, 0) + 1

    def _restart(self, slot: _Slot, how: ProcessExit) -> None:
        line = slot.line
        if line.matches_begun != slot.matches_begun:
            slot.matches_begun, slot.restarts = line.matches_begun, 0
        slot.restarts += 1
        if slot.restarts > self._config.restarts_max:
            line.end(how.exit_code, str(how))
        else:
            task = asyncio.create_task(self._launch(slot), name=f"restart {line.name}/{slot.instance}")
            self._restarting.add(task)
            task.add_done_callback(self._restarted)

    def _restarted(self, task: asyncio.Task[None]) -> None:
        self._restarting.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._on_crash(error)


def _was_killed(slot: _Slot) -> bool:
    """Whether a process ended by a signal that no program can send itself by mistake."""
    how = slot.process.exit if slot.process is not None else None
    return how is not None and how.exit_code == -signal.SIGKILL and not how.asked and not how.host
