"""`hearts publish`: a tournament's table as files and a site, from its store alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ratings.publish import publish as write_files
from referee.cli.console import JsonOption, QuietOption, emit, emit_json
from referee.cli.results import standings_of
from referee.cli.tournament_folder import TournamentFolder
from referee.store import Store


def publish(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The tournament's folder.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="SITE", help="Where to write; default: the tournament's folder.")
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Write a tournament's rating table anew and name the files."""
    place = TournamentFolder(folder)
    config = place.config()
    with Store.open(place.store_file, read_only=True) as store:
        files = write_files(standings_of(config, store), out or folder, title=config.name)
    if as_json:
        emit_json({"files": [str(file) for file in files]})
    elif not quiet:
        emit("\n".join(f"wrote {file}" for file in files))
