"""`hearts publish`: a tournament's table as files and a site, from its store alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import JsonOption, QuietOption, emit, emit_json, note
from referee.cli.results import published_files
from referee.cli.site_details import REPLAYS
from referee.cli.tournament_folder import TournamentFolder


def publish(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The tournament's folder.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="SITE", help="Where to write; default: the tournament's folder.")
    ] = None,
    replays: Annotated[
        int, typer.Option("--replays", metavar="N", min=0, help="Show so many matches card by card at most.")
    ] = REPLAYS,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Write a tournament's rating table anew and name the files."""
    place = TournamentFolder(folder)
    config = place.config()
    with place.read() as store:
        files, problem = published_files(place, config, store, out=out, replays=replays)
    if as_json:
        emit_json({"files": [str(file) for file in files], "problem": problem or None})
    else:
        emit("\n".join(f"wrote {file}" for file in files))
    if problem:
        note(problem, quiet=quiet)
