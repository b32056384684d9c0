"""`hearts tournament export`: every record as JSON Lines, to be checked, moved or analysed anywhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import FolderArgument, JsonOption, QuietOption, count_text, emit_json, fail, note
from referee.cli.site_records import public_meta
from referee.cli.tournament_folder import TournamentFolder
from referee.store.export import write_records


def export(
    folder: FolderArgument,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The file to write; default: standard output.")
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Write the records of all finished matches as JSON Lines, in schedule order.

    The first line says whose records they are, the last one how many, and their root; equal stores, equal bytes.
    With --json and --out a summary goes to standard output.
    """
    if as_json and out is None:
        fail("--json: needs --out FILE, since standard output is taken by the records")
    place = TournamentFolder(folder)
    config = place.config()
    with place.read() as store:
        meta = public_meta(store, config)
        if out is None:
            count = write_records(store, sys.stdout.buffer, meta)
            sys.stdout.flush()
        else:
            draft = out.with_name(f".{out.name}.new")  # half an export is never found under its name
            with draft.open("wb") as stream:
                count = write_records(store, stream, meta)
            draft.replace(out)
        root = store.root()
    if as_json:
        emit_json({"file": str(out), "matches": count, "root": root})
    note(f"exported {count_text(count, 'match')}, root {root}", quiet=quiet)
