"""One run of a tournament in this process: bots mustered, matches played, signals heard, progress shown."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from referee.cli.admission import Candidate, build_all, candidates_of, entries_of, new_tokens
from referee.cli.console import Progress, count_text, note, quoted, wrapped
from referee.cli.errors import ExitCode, Failure
from referee.cli.field_check import check_tables, needed
from referee.cli.invitation import invitation
from referee.cli.tournament_folder import TournamentFolder
from referee.cli.waits_file import WaitsFile
from referee.config.tournament import TournamentConfig
from referee.draws import now_utc
from referee.executors.local import LocalExecutor
from referee.executors.work import HouseConfig
from referee.field import changes_of
from referee.plan import Plan, admitted_in, plan_for, salt_of, started
from referee.records import MatchRecord
from referee.schedule.pairing import Entrant, ScheduleError
from referee.store.model import Event
from referee.store.store import Store
from referee.tournament import Ending, Tournament, removal
from referee.tournament import Progress as Standing

_PAUSE_LOOK_S = 0.5


class Watch(Protocol):
    """Follows the results of a run and may end it before its schedule does."""

    @property
    def is_open(self) -> bool:
        """Whether nobody knows how much will be played."""
        ...

    def take(self, records: Sequence[MatchRecord]) -> None:
        """Take note of matches that were stored just now."""
        ...

    def ahead(self, settled: int) -> int | None:
        """Say which board set is the first that may not begin yet, when so many are whole; None where all may."""
        ...

    def look(self, settled: int) -> Look:
        """Say how far the goal is, when so many board sets at the schedule's beginning are whole."""
        ...


@dataclass(frozen=True, slots=True)
class Look:
    """What a watch sees: in a few words for the progress line, and whether the run may end.

    `end` is the first board set that is not to be played any more; None where those that have begun are the last.
    """

    words: str
    is_over: bool
    end: int | None = None


class Host:
    """One run of a tournament in this process, with its signals and its screen.

    Args:
        place: the tournament's folder.
        config: its configuration.
        store: its store, open for writing.
        workers: worker processes.
        watch: makes what may end it early, of the plan; None to play the whole schedule.
        quiet: say nothing on stderr.
    """

    def __init__(
        self,
        place: TournamentFolder,
        config: TournamentConfig,
        store: Store,
        workers: int,
        *,
        watch: Callable[[Plan], Watch] | None = None,
        quiet: bool,
    ) -> None:
        self._place = place
        self._config = config
        self._store = store
        # Each worker has to be able to play at least one table.
        self._workers = max(1, min(workers, config.processes_max // config.rules.seats))
        self._new_watch = watch
        self._quiet = quiet
        self._say: Callable[[str], None] = lambda text: note(text, quiet=quiet)
        self._tournament: Tournament | None = None
        self._executor: LocalExecutor | None = None
        self._task: asyncio.Task[Ending | None] | None = None
        self._stops = 0

    async def run(self) -> Ending | None:
        """Play to the end, or until stopped; None where it was stopped before play began."""
        loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._run())
        # Not by the loop's own way, which leaves SIGTERM deadly after it: what was there before comes back, so that
        # a signal during what follows the run stops it with the same exit code.
        before = {
            number: signal.signal(number, lambda *_: loop.call_soon_threadsafe(self._on_signal))
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            return await self._task
        except asyncio.CancelledError:
            if self._tournament is None and self._stops == 1:
                return None
            raise KeyboardInterrupt from None
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self) -> None:
        self._stops += 1
        if self._stops == 1 and self._tournament is not None and self._executor is not None:
            self._tournament.stop()
            self._say(f"finishing {self._executor.in_flight} matches in flight; Ctrl-C again stops at once")
        elif self._task is not None:
            self._task.cancel()

    async def _run(self) -> Ending:
        began = self._store.events(kind="started")
        candidates, manifests = candidates_of(
            [(b.path, b.name, b.owner) for b in self._config.bots] + self._entered(), self._config.house
        )
        left_out = await build_all(manifests, self._place.logs, self._say)
        if began:
            names = {entrant.name for entrant, _ in admitted_in(began[0])}
            names |= {change.entered.name for change in changes_of(self._store) if change.entered is not None}
            admitted = [c for c in candidates if c.name in names]
        else:
            for reason in left_out.values():
                self._say(reason)
            admitted = [c for c in candidates if c.name not in left_out]
            admitted = needed(admitted, self._config.rules.seats)
        tokens = new_tokens(admitted)
        house = self._house_config(admitted, tokens)
        async with LocalExecutor(house, self._workers, self._place.logs, self._pass_on) as executor:
            self._executor = executor
            self._announce(tokens)
            self._warn_of_churn(admitted)
            if not began:
                present = await self._muster(executor, admitted)
                seated = [(candidate.entrant, candidate.is_remote) for candidate in present]
            else:
                seated = admitted_in(began[0])
            ending = await self._compete(executor, seated)
            await executor.drain()
        return ending

    def _entered(self) -> list[tuple[Path | None, str | None, str | None]]:
        """Who joined since the start, with the folder that is kept on this machine."""
        folders = self._place.entered()
        found: list[tuple[Path | None, str | None, str | None]] = []
        for change in changes_of(self._store):
            if (entrant := change.entered) is None:
                continue
            if not change.is_remote and entrant.name not in folders:
                raise Failure(f"{self._place.entered_file}: does not say where {entrant.name} is: restore it")
            folder = None if change.is_remote else folders[entrant.name]
            found.append((folder, entrant.name, entrant.owner))
        return found

    def _pass_on(self, text: str) -> None:
        self._say(text)  # which changes with the screen

    def _house_config(self, admitted: list[Candidate], tokens: dict[str, str]) -> HouseConfig:
        config = self._config
        meta = self._store.tournament
        listen = config.listen
        return HouseConfig(
            rules=config.rules.to_dict(),
            ruling=config.faults.ruling,
            faults_max=config.faults.faults_max,
            clock=config.clock,
            seed=self._place.seed().hex(),
            salt=salt_of(config, self._store),
            commitment=meta.commitment,
            bots=entries_of(admitted, tokens),
            log_dir=str(self._place.logs),
            listen=listen.address if tokens else "",
            tls_cert=str(listen.tls_cert or ""),
            tls_key=str(listen.tls_key or ""),
            lobby_s=listen.lobby_s,
            restarts_max=config.faults.restarts_max,
            reconnects_max=config.faults.reconnects_max,
            show_names=config.show_names,
            processes_max=config.processes_max // self._workers,
            isolation=config.isolation,
        )

    def _announce(self, tokens: dict[str, str]) -> None:
        meta = self._store.tournament
        if meta.commitment:
            self._say(wrapped(f"the deals are committed to: {meta.commitment}"))
        else:
            self._say(f"public seed {self._config.seed}: anyone can work out the deals; not for a rated event")
        if tokens and self._executor is not None:
            self._say(
                f"waiting up to {self._config.listen.lobby_s} s for remote bots at {self._executor.listening}:"
            )
            for name, token in tokens.items():
                self._say(invitation(name, self._executor.listening, token, self._config.listen.tls_cert))

    def _warn_of_churn(self, admitted: list[Candidate]) -> None:
        """Say so where bots have to be started again and again, since not all may be alive at once."""
        limit = self._config.processes_max
        needed = sum(not candidate.is_remote for candidate in admitted) * self._config.rules.seats
        if self._config.isolation == "board-set" and needed > limit:
            self._say(
                f"processes_max = {limit}, but {needed} processes would keep every bot alive in every rotation: "
                "idle ones are ended and started again, which takes time; raise it if there is memory enough"
            )

    async def _muster(self, executor: LocalExecutor, admitted: list[Candidate]) -> list[Candidate]:
        """See each bot say hello; who cannot leaves before the schedule is made."""
        self._say(f"starting {count_text(len(admitted), 'bot')}")
        verdicts = await executor.muster([candidate.name for candidate in admitted])
        unfits = [unfit for unfit in verdicts.values() if unfit is not None]
        for unfit in unfits:
            if unfit.is_host:
                raise Failure(f"this machine cannot run the bots: {unfit.reason}", ExitCode.UNFIT)
            self._say(f"left out: {unfit.reason}")
        present = [candidate for candidate in admitted if verdicts[candidate.name] is None]
        if not [c for c in present if not c.is_house]:
            raise Failure("no bot can play: see the lines above", ExitCode.USAGE)
        try:
            check_tables(self._config, present)
        except ScheduleError as error:  # nothing is written yet, so that a resume musters all of them again
            again = "compare --dir" if self._store.events(kind="question") else "tournament resume"
            raise Failure(
                f"{error} Or mend who was left out: `hearts {again} {quoted(self._place.path)}` tries again",
                ExitCode.USAGE,
            ) from error
        for unfit in unfits:
            self._store.add_event(removal(unfit, schedule_began=False))
        origins = {candidate.name: candidate.origin for candidate in present}
        self._store.add_event(started([(c.entrant, c.is_remote) for c in present], now_utc(), origins))
        return present

    async def _compete(self, executor: LocalExecutor, seated: list[tuple[Entrant, bool]]) -> Ending:
        plan = plan_for(self._config, self._store, seated, workers=self._workers)
        watch = self._new_watch(plan) if self._new_watch is not None else None
        with contextlib.ExitStack() as stack:
            screen: Progress | None = None

            def show(standing: Standing) -> None:
                nonlocal screen
                if screen is None:
                    screen = stack.enter_context(
                        Progress(
                            "matches",
                            standing.total,
                            done=standing.done,
                            is_at_most=watch is not None and watch.is_open,
                            quiet=self._quiet,
                        )
                    )
                    self._say = screen.say
                words = [f"{standing.voided} void"] if standing.voided else []
                screen.last_words = ", ".join(words)
                if watch is not None:
                    look = watch.look(standing.settled)
                    words.append(look.words)
                    if look.is_over and self._tournament is not None:
                        self._tournament.close(look.end)
                screen.total = standing.total
                screen.update(standing.done, ", ".join(words))

            self._tournament = Tournament(
                plan,
                self._store,
                executor,
                ahead=watch.ahead if watch is not None else lambda _: None,
                on_progress=show,
                on_stored=watch.take if watch is not None else lambda _: None,
                on_removed=lambda unfit: self._say(f"leaves the schedule: {unfit.reason}"),
            )
            waits = WaitsFile(self._place.waits_file)
            keepers = (
                asyncio.create_task(self._mind_pauses(self._tournament), name="pauses"),
                asyncio.create_task(waits.keep(lambda: executor.waits, self._pass_on), name="waits"),
            )
            try:
                ending = await self._tournament.run()
            finally:
                for keeper in keepers:
                    keeper.cancel()
                waits.write([])
        self._say = lambda text: note(text, quiet=self._quiet)
        if ending is not Ending.STOPPED:
            self._finish(ending)
        return ending

    async def _mind_pauses(self, tournament: Tournament) -> None:
        """Hold the tournament while its folder says so."""
        while True:
            wanted = self._place.pause_file.exists()
            if wanted and not tournament.is_paused:
                tournament.pause()
                self._say(f"paused; `hearts tournament continue {quoted(self._place.path)}` goes on")
            elif not wanted and tournament.is_paused:
                tournament.go_on()
                self._say("continued: the tournament goes on")
            await asyncio.sleep(_PAUSE_LOOK_S)

    def _finish(self, ending: Ending) -> None:
        """Reveal the seed, once: a tournament whose goal was reached may be resumed and have nothing to play."""
        if self._store.events(kind="finished"):
            return
        seed = self._place.seed().hex()
        why = "every match is played" if ending is Ending.FINISHED else "its goal is reached"
        data: dict[str, object] = {"seed": seed, "ending": ending.value}
        self._store.add_event(Event(at=now_utc(), kind="finished", message=why, data=data))
        what = "comparison" if self._config.schedule == "duel" else "tournament"
        self._say(wrapped(f"the {what} is over: {why}; the seed is revealed: {seed}"))
