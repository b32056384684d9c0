"""`hearts tournament commit`, `salt` and `close`: the deals fixed, salted, and the seed revealed before the end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ratings.observations import ResultError
from referee.cli.config_file import read_config
from referee.cli.console import (
    FolderArgument,
    JsonOption,
    QuietOption,
    emit,
    emit_json,
    fail,
    note,
    quoted,
    wrapped,
)
from referee.cli.field_check import check_field
from referee.cli.results import published_files
from referee.cli.tournament_folder import TournamentFolder
from referee.cli.tournament_run import StoreOption, folder_for, with_store
from referee.draws import now_utc
from referee.plan import revealed_seed, salt_of
from referee.store import Event

SALT_CHARS_MAX = 200


def commit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file.")],
    folder: Annotated[
        Path | None,
        typer.Option("--dir", help="Where to keep the tournament; default: the file's name without .toml."),
    ] = None,
    store_url: StoreOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Make a tournament and print the commitment to its deals, without playing.

    Publish the commitment, give the salt when it is known, then play with `hearts tournament resume`.
    """
    folder = folder_for(file, folder)
    config = with_store(read_config(file), store_url)
    if config.seed is not None:
        fail(f"{file}: seed = {config.seed} is public, so there is nothing to commit to: leave seed out")
    place = TournamentFolder(folder)
    check_field(config, str(file))
    with place.create(config) as store:
        commitment = store.tournament.commitment
    if as_json:
        emit_json({"folder": str(place.path), "commitment": commitment})
        return
    emit(commitment)
    note(f"publish it, then `hearts tournament salt {quoted(place.path)} TEXT`", quiet=quiet)
    note(f"then `hearts tournament resume {quoted(place.path)}` plays", quiet=quiet)


def salt(
    folder: FolderArgument,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="What nobody could know before, such as a lottery draw.")
    ],
    as_json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """Mix a text into all deals, which was learned only after the commitment; once, and before the first deal."""
    if not 1 <= len(text) <= SALT_CHARS_MAX or not text.isprintable() or text != text.strip():
        fail(f"salt {text!r}: give one line of 1 to {SALT_CHARS_MAX} characters, no blanks around it")
    place = TournamentFolder(folder)
    config = place.config()
    with place.open(config) as store:
        if store.events(kind="started"):
            fail(f"{folder}: cards have been dealt already, so they can no longer be salted")
        if before := salt_of(config, store):
            fail(f"{folder}: the deals are salted already, with {before!r}")
        event = Event(at=now_utc(), kind="salt", message="the salt is known", data={"salt": text})
        store.add_event(event)
        commitment = store.tournament.commitment
    if as_json:
        emit_json({"commitment": commitment, "salt": text})
        return
    emit(f"the deals come from {commitment} and the salt {text!r}: committed and salted")


def close(folder: FolderArgument, as_json: JsonOption = False, quiet: QuietOption = False) -> None:
    """End a stopped tournament for good and reveal its seed, so that what was played can be verified."""
    place = TournamentFolder(folder)
    config = place.config()
    with place.open(config) as store:
        if revealed_seed(store) is not None:
            fail(f"{folder}: the tournament is over already and its seed is revealed")
        seed = place.seed().hex()
        store.add_event(Event(at=now_utc(), kind="closed", message="closed before its end", data={"seed": seed}))
        try:
            files, _ = published_files(place, config, store)
        except ResultError:
            files = ()
    if as_json:
        emit_json({"seed": seed, "files": [str(file) for file in files]})
        return
    emit(wrapped(f"closed; the seed is revealed: {seed}"))
    note(f"`hearts verify {quoted(folder)}` checks what was played", quiet=quiet)
