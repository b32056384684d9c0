"""`hearts tournament run` and `resume`: from a file, or a folder left by an earlier run, to a rating table."""

from __future__ import annotations

import asyncio
import os
import shutil
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.config_file import read_config
from referee.cli.console import (
    FolderArgument,
    JsonOption,
    QuietOption,
    StrictOption,
    emit,
    emit_json,
    fail,
    note,
    quoted,
    wrapped,
)
from referee.cli.errors import ExitCode
from referee.cli.field_check import check_field
from referee.cli.report_table import report_table
from referee.cli.results import Results, publish_results
from referee.cli.stop_watch import StopWatch
from referee.cli.tournament_folder import TournamentFolder
from referee.cli.tournament_host import Host
from referee.config.tournament import TournamentConfig
from referee.executors.worker_process import RefusedError
from referee.store.model import UnreachableError
from referee.store.store import Store
from referee.tournament import Ending

WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, max=1024, help="Worker processes; default: one a core.")
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        help="PostgreSQL database for the matches; default: the file's `store`, or a file in the folder.",
    ),
]


def folder_for(file: Path, folder: Path | None) -> Path:
    """The folder of a tournament that is to be made: the one given, else the file's name without .toml.

    Raises:
        Failure: the file is a folder, or gives no name to one.
    """
    if (file / "config.json").is_file():
        fail(f"{file}: is the folder of a tournament: `hearts tournament resume {quoted(file)}` goes on with it")
    if file.is_dir():
        fail(f"{file}: is a folder, but a tournament file is needed: `hearts tournament init` writes one")
    if folder is not None:
        return folder
    if file.suffix != ".toml":
        named = file.with_name(f"{file.name}.toml")
        if named.is_file():
            fail(f"{file}: is no tournament file: did you mean {named}?")
        fail(f"{file}: its name does not end in .toml, so that it names no folder: give one by --dir, or rename it")
    return file.with_suffix("")


def with_store(config: TournamentConfig, url: str | None) -> TournamentConfig:
    """The configuration with another place for the store.

    Raises:
        ConfigError: it is none.
    """
    if url is None:
        return config
    return TournamentConfig.from_dict({**config.to_dict(), "store": url}, where="--store")


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file.")],
    folder: Annotated[
        Path | None,
        typer.Option("--dir", help="Where to keep the tournament; default: the file's name without .toml."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Deal from this public number instead of a secret seed.")] = None,
    store_url: StoreOption = None,
    workers: WorkersOption = None,
    strict: StrictOption = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play a tournament and print its rating table."""
    folder = folder_for(file, folder)
    config = with_store(read_config(file), store_url)
    if seed is not None:
        config = TournamentConfig.from_dict({**config.to_dict(), "seed": seed, "rated": False}, where=str(file))
    place = TournamentFolder(folder)
    check_field(config, str(file))  # complain before anything is made
    was_there = place.path.exists()
    with place.create(config) as store:
        try:
            _play(place, config, store, workers, strict=strict, as_json=as_json, quiet=quiet)
        except RefusedError:
            if not was_there and not store.events(kind="started"):  # the corrected file may run again
                store.discard()
                shutil.rmtree(place.path, ignore_errors=True)
            raise


def resume(
    folder: FolderArgument,
    workers: WorkersOption = None,
    strict: StrictOption = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Go on with a tournament that was stopped, or killed: only what is missing is played."""
    place = TournamentFolder(folder)
    config = place.config()
    place.check_secret(config)
    with place.open(config) as store:
        if store.events(kind="closed"):
            fail(f"{folder}: the tournament was closed and its seed is revealed, so no deal can be played any more")
        _play(place, config, store, workers, strict=strict, as_json=as_json, quiet=quiet)


def _play(
    place: TournamentFolder,
    config: TournamentConfig,
    store: Store,
    workers: int | None,
    *,
    strict: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    watch = None if config.until is None else partial(StopWatch, config, store)
    host = Host(place, config, store, workers or config.workers or os.cpu_count() or 1, watch=watch, quiet=quiet)
    try:
        ending = asyncio.run(host.run())
    except KeyboardInterrupt:
        note(f"stopped at once; `hearts tournament resume {quoted(place.path)}` goes on", quiet=quiet)
        raise typer.Exit(ExitCode.STOPPED) from None
    except UnreachableError as error:
        safe = f"all that was committed is safe: `hearts tournament resume {quoted(place.path)}` goes on"
        raise UnreachableError(f"{error}; {safe}") from error
    if ending is None or not store.finished_count():
        note(
            f"stopped before a match was finished; `hearts tournament resume {quoted(place.path)}` goes on",
            quiet=quiet,
        )
        raise typer.Exit(ExitCode.INTERRUPTED)
    results = publish_results(place, config, store)
    if as_json:
        emit_json({"ending": ending.value, "folder": str(place.path), **results.to_json()})
    else:
        reports = report_table(results.reports, results.report_of_all)
        emit(
            "\n".join(
                [
                    results.text.rstrip("\n"),
                    "",
                    reports,
                    *results.fault_lines,
                    *map(wrapped, results.void_lines),
                ]  # an author finds all in one line
            )
        )
    _say_where(place, results, quiet=quiet)
    if ending is Ending.STOPPED:
        note(f"stopped as asked; `hearts tournament resume {quoted(place.path)}` goes on", quiet=quiet)
        raise typer.Exit(ExitCode.INTERRUPTED)
    if strict and results.faults:
        raise typer.Exit(ExitCode.FAULTS)


def _say_where(place: TournamentFolder, results: Results, *, quiet: bool) -> None:
    for path in results.files:
        note(f"wrote {path}", quiet=quiet)
    note(wrapped(f"root of all records: {results.root}"), quiet=quiet)
    if results.replay_key:
        note(f"see a match: hearts replay {quoted(place.path)} {results.replay_key}", quiet=quiet)
