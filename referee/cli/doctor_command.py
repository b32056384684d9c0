"""`hearts doctor`: whether this machine can run tournaments."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.checks import Finding, Level, all_checks
from referee.cli.console import JsonOption, QuietOption, emit, emit_json
from referee.cli.errors import ExitCode


def doctor(
    folder: Annotated[
        Path, typer.Option("--dir", metavar="DIR", help="Where tournaments will be kept, for the free space.")
    ] = Path(),
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Check that this machine can run tournaments, and which languages local bots may be in.

    Exit code 4 if a check fails; a warning is no failure. With --quiet those that are ok are not shown.
    """
    findings = [check() for check in all_checks(folder.absolute())]
    is_fit = all(finding.level is not Level.FAIL for finding in findings)
    if as_json:
        emit_json({"ok": is_fit, "fit": is_fit, "checks": [asdict(finding) for finding in findings]})
    else:
        shown = [finding for finding in findings if not quiet or finding.level is not Level.OK]
        if shown:
            emit("\n".join(line for finding in shown for line in _lines(finding)))
    if not is_fit:
        raise typer.Exit(ExitCode.UNFIT)


def _lines(finding: Finding) -> list[str]:
    lines = [f"{finding.level.value:<5} {finding.check:<12} {finding.found}"]
    if finding.advice:
        lines.append(f"{'':<18} → {finding.advice}")
    return lines
