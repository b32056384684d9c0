"""`hearts verify`: a tournament's folder, its export or its site, worked out again from records and seed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from referee.audit import AuditReport, Means
from referee.cli.console import JsonOption, Progress, QuietOption, count_text, emit, emit_json, fail, note, wrapped
from referee.cli.errors import ExitCode
from referee.cli.verification import Given, verified
from referee.launch.scratch import Scratch

_SHOWN_MAX = 20
_SILENT_S = 2.0  # work that is over by then says nothing about how far it is
_MATCHES_EACH = 400  # a process more takes as long to start as it takes to verify about so many


def verify(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A tournament's folder, its site, or an export of its records.")
    ],
    root: Annotated[
        str, typer.Option("--root", metavar="HEX", help="The root of all records that was published.")
    ] = "",
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="HEX", help="The revealed seed: an export does not tell it.")
    ] = None,
    salt: Annotated[
        str | None,
        typer.Option("--salt", metavar="TEXT", help="What was mixed into the deals: an export does not tell it."),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option("--processes", min=1, max=1024, help="How many share the work; default: up to one a core."),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Deal, judge, score and rate a whole tournament again, and name whatever differs from what was published.

    Every hand is dealt again from the seed and compared; every decision is put to the rulebook; scores, places and
    boards follow from those, the table and the site from the boards. Exit code 3 if anything differs.
    """
    if root and (len(root) != 64 or not set(root.lower()) <= set("0123456789abcdef")):
        fail(f"--root {root}: 64 hexadecimal digits are expected")
    if not path.exists():
        fail(f"{path}: there is no such file or folder: check the path")
    with Scratch() as scratch, Watch(processes, quiet=quiet) as watch:
        given = Given(scratch=scratch, root=root, seed=_bytes(seed), salt=salt, means=watch.means)
        report = verified(path, given)
    if as_json:
        emit_json(report.to_json())
    else:
        _say(report, quiet=quiet)
    if report.differences:
        raise typer.Exit(ExitCode.FAULTS)


class Watch:
    """Shares the work out, and shows how far it is once it takes long.

    Args:
        processes: how many share it; None to go by how much it is.
        quiet: show nothing.
        now: clock in seconds.
    """

    def __init__(self, processes: int | None, *, quiet: bool, now: Callable[[], float] = time.monotonic) -> None:
        self._processes = processes
        self._quiet = quiet
        self._now = now
        self._began_s = now()
        self._total = 0
        self._progress: Progress | None = None

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *error: object) -> None:
        if self._progress is not None:
            self._progress.__exit__(None, None, None)

    def means(self, matches: int) -> Means:
        """Say how to go about so many matches."""
        self._total = matches
        enough = max(1, min(os.cpu_count() or 1, matches // _MATCHES_EACH))
        return Means(processes=self._processes or enough, on_progress=self._show)

    def _show(self, done: int) -> None:
        if self._progress is not None:
            self._progress.update(done)
        elif self._now() - self._began_s > _SILENT_S:
            self._progress = Progress("matches", self._total, done=done, quiet=self._quiet, now=self._now)
            self._progress.__enter__()


def _bytes(seed: str | None) -> bytes | None:
    if seed is None:
        return None
    try:
        found = bytes.fromhex(seed)
    except ValueError:
        found = b""
    if len(found) != 32:
        fail(f"--seed {seed}: 64 hexadecimal digits are expected")
    return found


def _say(report: AuditReport, *, quiet: bool) -> None:
    counts = f"{count_text(report.matches, 'match')}, {count_text(report.deals, 'deal')}"
    for difference in report.differences[:_SHOWN_MAX]:
        emit(f"differs: {difference}")
    if len(report.differences) > _SHOWN_MAX:
        emit(f"... and {count_text(len(report.differences) - _SHOWN_MAX, 'other difference')}")
    for sentence in report.unchecked:
        note(sentence, quiet=quiet)
    if report.differences:
        emit(f"NOT verified: {count_text(len(report.differences), 'difference')} in {counts}")
    else:
        emit(wrapped(f"verified: {counts}, {count_text(report.decisions, 'decision')}; root {report.root}"))
