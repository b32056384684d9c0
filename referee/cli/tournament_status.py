"""`hearts tournament status`: where a tournament stands, from any terminal, while it runs or afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ratings.observations import ResultError
from ratings.standings import Standings
from ratings.text_table import render
from referee.cli.console import JsonOption, QuietOption, count_text, emit, emit_json
from referee.cli.results import standings_of
from referee.cli.tournament_folder import TournamentFolder
from referee.plan import plan_of, progress_of
from referee.store.lock import FileLock
from referee.store.model import StoreError
from referee.store.store import Store


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
