"""`hearts tournament status`: where a tournament stands, from any terminal, while it runs or afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ratings.observations import ResultError
from ratings.standings import Standings
from ratings.text_table import render
from referee.cli.admission import candidates_of
from referee.cli.console import JsonOption, QuietOption, count_text, emit, emit_json
from referee.cli.planning import plan_for
from referee.cli.results import standings_of
from referee.cli.tournament_folder import TournamentFolder
from referee.config.tournament import TournamentConfig
from referee.store.lock import FileLock
from referee.store.model import StoreError
from referee.store.store import Store
from referee.tournament import Plan, attempts_of


def status(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the tournament.")],
    as_json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """Show how far a tournament is, what went wrong so far, and its table."""
    place = TournamentFolder(folder)
    config = place.config()
    with place.open(config, read_only=True) as store:
        plan = plan_of(config, store)
        done, total = progress_of(plan, store) if plan else (0, 0)
        state = _state(place, store)
        removed = {str(event.data["bot"]): event.message for event in store.events(kind="removed")}
        voids = len(store.attempts())
        try:
            standings: Standings | None = standings_of(config, store)
        except ResultError:
            standings = None
    if as_json:
        emit_json(
            {
                "state": state,
                "done": done,
                "total": total,
                "voided": voids,
                "removed": removed,
                "standings": standings.to_json() if standings else None,
            }
        )
        return
    emit(
        f"{config.name}: {state}, {done:,} of {count_text(total, 'match')}" if total else f"{config.name}: {state}"
    )
    if voids:
        emit(f"{count_text(voids, 'match')} void and played again")
    for reason in removed.values():
        emit(f"left out: {reason}")
    if standings is not None:
        emit("\n" + render(standings))


def plan_of(config: TournamentConfig, store: Store) -> Plan | None:
    """Give what is to be played; None before the bots are admitted."""
    began = store.events(kind="started")
    if not began:
        return None
    entrants = began[0].data["entrants"]
    assert isinstance(entrants, list)
    candidates, _ = candidates_of([(b.path, b.name, b.owner) for b in config.bots], config.house)
    return plan_for(config, store, [c for c in candidates if c.name in entrants])


def progress_of(plan: Plan, store: Store) -> tuple[int, int]:
    """Count the matches that are finished, and all that are to be."""
    attempts, finished = attempts_of(store), store.finished_keys()
    keys = [spec.key in finished for spec in plan.specs(attempts)]
    return sum(keys), len(keys)


def _state(place: TournamentFolder, store: Store) -> str:
    if store.events(kind="finished"):
        return "finished"
    return "running" if _is_written(place.store_file) else "stopped"


def _is_written(store_file: Path) -> bool:
    """Whether another process holds the lock of a store."""
    try:
        FileLock(store_file).release()
    except StoreError:
        return True
    return False
