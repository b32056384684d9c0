"""`hearts tournament balance`: what a schedule comes to, before anything is played."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.admission import candidates_of
from referee.cli.config_file import read_config
from referee.cli.console import JsonOption, QuietOption, duration_text, emit, emit_json, note
from referee.draws import AsTheyStand
from referee.plan import planned_for
from referee.schedule.balance import balance as count_through
from referee.schedule.pairing import Entrant, field_of


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
    config = read_config(file)
    candidates, _ = candidates_of([(bot.path, bot.name, bot.owner) for bot in config.bots], config.house)
    seats = config.rules.seats
    remote = {candidate.name for candidate in candidates if candidate.is_remote}
    field: Sequence[Entrant] = [candidate.entrant for candidate in candidates]
    if config.schedule != "duel":
        field = field_of(field, seats)
    plan = planned_for(config, config.digest(), [(e, e.name in remote) for e in field], AsTheyStand())
    seatings = [seating for seating in plan.seatings() if seating is not None]
    once = sum(1 for seating in seatings if len(plan.rotations(seating)) == 1)
    matches = sum(len(plan.rotations(seating)) for seating in seatings)
    report = replace(
        count_through(
            seatings,
            field,
            rotations=1 if once == len(seatings) else None,
            owners_apart=config.owners_apart,
        ),
        matches=matches,
    )
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
        time = f"about {duration_text(seconds)}" if seconds >= 1 else "less than a second"
        emit(f"{matches:,} matches, {deals:,} deals: {time} with {workers} workers and {deal_ms} ms a deal")
