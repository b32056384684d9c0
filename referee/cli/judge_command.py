"""`hearts judge`: the rulebook as a service, one JSON line in, one out (docs/judge.md)."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, NoReturn

import typer

from referee.cli.console import JsonOption, QuietOption
from referee.cli.errors import Failure
from referee.rules.judge import judge, malformed

LINE_BYTES_MAX: Final = 1 << 20  # a request has some thousands; nobody can fill the memory with one
DIGITS_MAX: Final = 40  # of a whole number


def judge_command(
    file: Annotated[
        Path, typer.Argument(help="File of JSON lines, one request each; - reads standard input.", allow_dash=True)
    ] = Path("-"),
    as_json: JsonOption = False,  # noqa: ARG001  the answers are JSON in any case
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """Judge deals: read requests as JSON lines, answer each with one line.

    A line that is no request is answered with an error and a null id, and the next one is read.
    """
    if str(file) == "-":
        answer_all(sys.stdin.buffer, sys.stdout.buffer)
        return
    try:
        lines = file.open("rb")
    except OSError as error:
        message = f"{file}: {error.strerror}; give a file of JSON lines, or - for standard input"
        raise Failure(message) from None
    with lines:
        answer_all(lines, sys.stdout.buffer)


def answer_all(lines: BinaryIO, out: BinaryIO) -> None:
    """Answer every line with one line, the moment it is read."""
    for line in _lines(lines):
        out.write(answer_line(line))
        out.flush()  # whoever asks line by line waits for it


def answer_line(line: bytes) -> bytes:
    """Answer one line, whatever it holds; the answer ends with a newline and is strict JSON."""
    try:
        return _written(judge(_request(line)))
    except _NoRequestError as error:
        why = str(error)
    except RecursionError:
        why = "it is nested too deeply"
    return _written(malformed(f"The line is no request: {why}; give one JSON object with rules and hands."))


class _NoRequestError(ValueError):
    """Why a line cannot be read."""


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """Read lines, of those that are too long only the beginning, by which they are known."""
    while line := source.readline(LINE_BYTES_MAX + 1):
        rest = line
        while len(rest) > LINE_BYTES_MAX and not rest.endswith(b"\n"):
            rest = source.readline(LINE_BYTES_MAX + 1)
        yield line


def _request(line: bytes) -> dict[str, Any]:
    """Read a request.

    Raises:
        _NoRequestError: the line is none.
        RecursionError: it is nested too deeply.
    """
    if len(line.removesuffix(b"\n")) > LINE_BYTES_MAX:
        raise _NoRequestError(f"it has more than {LINE_BYTES_MAX} bytes")
    if not line.strip():
        raise _NoRequestError("it is empty")
    try:
        request = json.loads(line.decode(), parse_int=_whole, parse_float=_finite, parse_constant=_refuse_number)
    except UnicodeDecodeError as error:
        raise _NoRequestError(f"it is not UTF-8, from byte {error.start} on") from None
    except json.JSONDecodeError as error:
        raise _NoRequestError(f"it is not JSON ({error})") from None
    if not isinstance(request, dict):
        raise _NoRequestError("it is JSON, but no object")
    return request


def _whole(text: str) -> int:
    return int(text) if len(text) <= DIGITS_MAX else _refuse_number(text)


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse_number(text)


def _refuse_number(text: str) -> NoReturn:
    """Refuse a number that JSON does not have, or that other programs could not read in the answer."""
    raise _NoRequestError(f"{text[:DIGITS_MAX]} is not a number that can be used")


def _written(answer: dict[str, Any]) -> bytes:
    return json.dumps(answer, separators=(",", ":"), allow_nan=False).encode() + b"\n"
