"""`hearts tournament balance`: what a schedule comes to, before anything is played."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.admission import candidates_of
from referee.cli.console import JsonOption, QuietOption, duration_text, emit, emit_json, note
from referee.config import load_config
from referee.schedule.balance import balance as count_through
from referee.schedule.pairing import Entrant, field_of
from referee.schedule.round_robin import round_robin


def balance(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file.")],
    deal_ms: Annotated[
        int,
        typer.Option(
            "--deal-ms", min=1, help="What a deal takes one worker, for the estimated time; see `hearts play`."
        ),
    ] = 20,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Show how evenly a tournament's schedule treats its bots, and how long it will take.

    Counted are, for each bot or pair: board sets, matches in each seat, meetings, who sits on whose left, and who
    sits across. No bot is started; the manifests are read for names and owners.
    """
    config = load_config(file)
    candidates, _ = candidates_of([(bot.path, bot.name, bot.owner) for bot in config.bots], config.house)
    seats = config.rules.seats
    field = field_of([Entrant(c.name, c.owner, c.is_house) for c in candidates], seats)
    seatings = list(islice(round_robin(field, seats, config.digest(), config.cycles), config.board_sets))
    remote = {candidate.name for candidate in candidates if candidate.is_remote}
    once = sum(1 for seating in seatings if remote.intersection(seating.bots))
    report = count_through(seatings, field, rotations=1 if once == len(seatings) else None)
    matches = once + (len(seatings) - once) * seats
    deals = matches * config.deals or None  # nobody knows before how long a match to the target is
    workers = config.workers or os.cpu_count() or 1
    seconds = None if deals is None else deals * deal_ms / 1000 / workers
    if as_json:
        emit_json(report.to_dict() | {"matches": matches, "deals": deals, "estimated_s": seconds})
        return
    emit(report.to_text())
    if 0 < once < len(seatings):
        note(f"{once} board sets with a remote bot are played once, not in every seat", quiet=quiet)
    if deals is None or seconds is None:
        emit(f"{matches:,} matches, each to {config.rules.target} points")
    else:
        time = duration_text(seconds)
        emit(f"{matches:,} matches, {deals:,} deals: about {time} with {workers} workers and {deal_ms} ms a deal")
