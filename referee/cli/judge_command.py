"""`hearts judge`: the rulebook as a service, one JSON line in, one out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from referee.rules.judge import judge, malformed

USAGE_EXIT = 2


def judge_command(
    file: Annotated[
        Path, typer.Argument(help="File of JSON lines, one request each; - reads standard input.", allow_dash=True)
    ] = Path("-"),
) -> None:
    """Judge deals: read requests as JSON lines, answer each with one line.

    A line that is no request is answered with an error and a null id; blank lines are skipped.
    """
    if str(file) == "-":
        _answer_all(sys.stdin.buffer, sys.stdout.buffer)
        return
    try:
        with file.open("rb") as lines:
            _answer_all(lines, sys.stdout.buffer)
    except OSError as error:
        typer.echo(f"{file}: {error.strerror}; give a file of JSON lines, or - for standard input", err=True)
        raise typer.Exit(USAGE_EXIT) from None


def _answer_all(lines: Iterable[bytes], out: BinaryIO) -> None:
    for line in lines:
        if line.strip():
            out.write(json.dumps(answer_line(line), separators=(",", ":")).encode() + b"\n")
            out.flush()  # whoever asks line by line waits for it


def answer_line(line: bytes) -> dict[str, Any]:
    """Answer one line, whatever it holds."""
    try:
        request = json.loads(line)
    except RecursionError:
        return malformed("The line is nested too deeply: give one JSON object with rules and hands.")
    except ValueError as error:
        return malformed(f"The line is no JSON ({error}): give one JSON object with rules and hands.")
    if not isinstance(request, dict):
        return malformed("The line is no JSON object: give one with rules and hands.")
    return judge(request)
