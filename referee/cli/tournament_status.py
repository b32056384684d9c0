"""`hearts tournament status`: where a tournament stands, from any terminal, while it runs or afterwards."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated

import typer

from ratings.observations import ResultError
from ratings.standings import Standings
from ratings.text_table import render
from referee.cli.console import (
    FolderArgument,
    JsonOption,
    QuietOption,
    count_text,
    duration_text,
    emit,
    emit_json,
    quoted,
    wrapped,
)
from referee.cli.report_table import report_json, report_table
from referee.cli.results import standings_of
from referee.cli.tournament_folder import TournamentFolder
from referee.cli.waits_file import WaitsFile
from referee.config import ConfigError, TournamentConfig
from referee.draws import AsTheyStand
from referee.executors.work import wait_to_dict
from referee.floor.waits import Wait
from referee.plan import plan_of, planned_for, progress_of
from referee.records import BotReport
from referee.schedule.pairing import ScheduleError
from referee.store.store import Store

_FOLLOW_S = 2.0
_ALIVE = ("running", "paused")


def status(
    folder: FolderArgument,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Show it again every two seconds while the tournament runs.")
    ] = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """Show how far a tournament is, what went wrong so far, and its table."""
    place = TournamentFolder(folder)
    config = place.config()
    first_done: int | None = None
    began_s = time.monotonic()
    while True:
        with place.open(config, read_only=True) as store, store.moment():
            seen = _seen(place, config, store)
        first_done = seen.done if first_done is None else first_done
        left_s = _left_s(seen, first_done, time.monotonic() - began_s)
        if as_json:
            emit_json({**seen.to_json(), "left_s": left_s}, indent=None if follow else 2)
        else:
            _show(place, config.name, seen, left_s)
        if not follow or seen.state not in _ALIVE:
            return
        time.sleep(_FOLLOW_S)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """A tournament at one moment."""

    state: str
    done: int
    total: int
    voided: int
    void_reason: str  # of the last one
    removed: dict[str, str]
    expected: list[str]  # remote bots, of a tournament that runs and has not begun
    waits: list[Wait]  # of a tournament that runs, for over a second
    standings: Standings | None
    reports: list[BotReport]
    report_of_all: BotReport

    def to_json(self) -> dict[str, object]:
        """Give it as JSON values."""
        return {
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "voided": self.voided,
            "void_reason": self.void_reason,
            "removed": self.removed,
            "expected": self.expected,
            "waits": [wait_to_dict(wait) for wait in self.waits],
            "standings": self.standings.to_json() if self.standings else None,
            "reports": report_json(self.reports, self.report_of_all),
        }


def _seen(place: TournamentFolder, config: TournamentConfig, store: Store) -> _Seen:
    plan = plan_of(config, store)
    done, total = progress_of(plan, store) if plan else (0, _matches_ordered(config))
    try:
        standings: Standings | None = standings_of(config, store)
    except ResultError:
        standings = None
    reports = list(standings.reports.values()) if standings else store.reports()
    state = _state(place, store)
    voids = store.attempts()
    return _Seen(
        state=state,
        done=done,
        total=total,
        voided=len(voids),
        void_reason=voids[-1].reason if voids else "",
        removed={str(event.data["bot"]): event.message for event in store.events(kind="removed")},
        expected=_expected(config, store) if state == "running" else [],
        waits=WaitsFile(place.waits_file).read() if state in _ALIVE else [],
        standings=standings,
        reports=reports,
        report_of_all=store.tournament_report(reports),
    )


def _matches_ordered(config: TournamentConfig) -> int:
    """How many matches there will be, should every bot be admitted; 0 where nobody can say."""
    from referee.cli.admission import candidates_of  # takes time to import, and bots are mostly admitted
    from referee.launch.manifest import ManifestError

    try:
        candidates, _ = candidates_of([(bot.path, bot.name, bot.owner) for bot in config.bots], config.house)
        present = [(candidate.entrant, candidate.is_remote) for candidate in candidates]
        return planned_for(config, config.digest(), present, AsTheyStand()).matches_total()
    except (ManifestError, ConfigError, ScheduleError):
        return 0


def _expected(config: TournamentConfig, store: Store) -> list[str]:
    """Remote bots that have to connect before the first match."""
    return [] if store.events(kind="started") else [bot.shown for bot in config.bots if bot.remote]


def _left_s(seen: _Seen, first_done: int, elapsed_s: float) -> float | None:
    """How long it will take at the pace since the first look; None where nothing was finished meanwhile."""
    fresh = seen.done - first_done
    if seen.state != "running" or fresh <= 0:
        return None
    return round((seen.total - seen.done) * elapsed_s / fresh, 1)


def _show(place: TournamentFolder, name: str, seen: _Seen, left_s: float | None) -> None:
    left = "" if left_s is None else f", {duration_text(left_s)} left"
    far = f", {seen.done:,} of {count_text(seen.total, 'match')}{left}" if seen.total else ""
    emit(f"{name}: {seen.state}{far}")
    if seen.state == "stopped":
        emit(f"`hearts tournament resume {quoted(place.path)}` goes on")
    if seen.voided:
        emit(f"{count_text(seen.voided, 'match')} void and played again, the last since {seen.void_reason}")
    for reason in seen.removed.values():
        emit(f"left out: {reason}")
    if seen.expected:
        emit(wrapped(f"waits for remote {'bot' if len(seen.expected) == 1 else 'bots'} {', '.join(seen.expected)}"))
    for wait in seen.waits:
        emit(str(wait))
    if seen.standings is not None:
        emit("\n" + render(seen.standings) + "\n")
        emit(report_table(seen.reports, seen.report_of_all))


def _state(place: TournamentFolder, store: Store) -> str:
    if store.events(kind="finished"):
        return "finished"
    if store.events(kind="closed"):
        return "closed"
    if not store.is_written:
        return "stopped"
    return "paused" if place.pause_file.exists() else "running"
