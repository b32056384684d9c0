"""What a command writes: results on stdout, everything about its work on stderr."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Self, TextIO

import typer

from referee.cli.errors import ExitCode, Failure, explain
from referee.launch.process_log import printable

if TYPE_CHECKING:
    from typing import NoReturn

    from rich.live import Live

SCHEMA = 1
"""Version of the JSON that commands print, as its key `schema`."""

JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing about progress.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Exit with code 3 if a bot was at fault.")]
FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the tournament.")]
BotNameArgument = Annotated[str, typer.Argument(metavar="BOT", help="The bot's name in this tournament.")]

WIDTH = 80
"""Columns of a terminal that output for people fits in."""

_LINE_INTERVAL_S = 5.0
_GLUE = "\ue000"  # stands for a blank at which no line is broken


def emit(text: str) -> None:
    """Print a result for people on stdout, at once."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()


def emit_json(data: Mapping[str, object], *, indent: int | None = 2) -> None:
    """Print a result for programs on stdout, at once, with the schema version in front.

    Args:
        data: JSON values.
        indent: None for one line, as for output that goes on.
    """
    emit(json.dumps({"schema": SCHEMA, **data}, ensure_ascii=False, indent=indent, allow_nan=False))


def note(text: str, *, quiet: bool = False) -> None:
    """Say something about the work on stderr, at once; nothing if `quiet`."""
    if not quiet:
        _write_line(sys.stderr, text)


def _write_line(stream: TextIO, text: str) -> None:
    """Write about the work; that nobody reads it any more is no reason to end the work."""
    try:
        stream.write(printable(text, keep="\t\n") + "\n")
        stream.flush()
    except BrokenPipeError:
        let_go(stream)


def let_go(stream: TextIO) -> None:
    """Let a stream that nobody reads any more swallow all that is still to be written."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def fail(message: str, code: ExitCode = ExitCode.USAGE) -> NoReturn:
    """End the command with one sentence and an exit code."""
    raise Failure(message, code)


@contextmanager
def examining(path: Path, *, as_json: bool) -> Iterator[None]:
    """Say `ok` false as JSON too where the file that the command was asked to examine cannot be used."""
    try:
        yield
    except Exception as error:
        known = explain(error)
        if known is None or known[1] is not ExitCode.USAGE or isinstance(error, OSError):
            raise
        if as_json:
            key = getattr(error, "key", None)  # where the one that is wrong is known
            emit_json({"ok": False, "file": str(path), "key": key, "message": known[0]})
        raise


def wrapped(text: str, *, indent: int = 2) -> str:
    """A sentence in lines of at most 80 columns; hashes, paths and commands in backquotes stay whole.

    Args:
        text: one sentence; where commands stand in backquotes these are in pairs.
        indent: blanks before the second and later lines.
    """
    parts = text.split("`")
    parts[1::2] = [part.replace(" ", _GLUE) for part in parts[1::2]]
    lines = wrap(
        "`".join(parts).replace(" %", f"{_GLUE}%"),
        WIDTH,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace(_GLUE, " ")


def quoted(path: Path | str) -> str:
    """A path as a shell takes it, for the commands that are shown to people."""
    return shlex.quote(str(path))


def duration_text(seconds: float) -> str:
    """A duration for people: `8s`, `3m 20s`, `2h 05m`, `4d 03h`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole}s"
    if whole < 3_600:
        return f"{whole // 60}m {whole % 60:02}s"
    if whole < 86_400:
        return f"{whole // 3_600}h {whole % 3_600 // 60:02}m"
    return f"{whole // 86_400}d {whole % 86_400 // 3_600:02}h"


def count_text(number: int, noun: str) -> str:
    """A number with its noun in the right form: `1 bot`, `2,000 matches`."""
    plural = "es" if noun.endswith(("ch", "sh", "s", "x")) else "s"
    return f"{number:,} {noun}{'' if number == 1 else plural}"


class Progress:
    """How far some work is: a bar on a terminal, otherwise a line each few seconds. The only writer of stderr.

        with Progress("matches", total=400, done=120) as progress:
            progress.update(121, "waiting for duck")

    Rate and time left come from what was done since the start, so that a resumed tournament does not boast.

    Args:
        what: the things that are counted.
        total: how many there will be, or may be at most; may be set anew.
        is_at_most: the end may come before the total, so that nobody can say how long it takes.
        done: how many there were at the start.
        quiet: write nothing at all; `say` included.
        now: clock in seconds.
        stream: where to write; stderr by default.
    """

    def __init__(
        self,
        what: str,
        total: int,
        *,
        done: int = 0,
        is_at_most: bool = False,
        quiet: bool = False,
        now: Callable[[], float] = time.monotonic,
        stream: TextIO | None = None,
    ) -> None:
        self._what = what
        self.total = total
        self._is_at_most = is_at_most
        self._done_before = self._done = done
        self._quiet = quiet
        self._now = now
        self._stream = stream or sys.stderr
        self._started_s = self._line_s = now()
        self._live: Live | None = None
        self.last_words = ""
        """A few words behind the numbers of the line that stays at the end."""

    def __enter__(self) -> Self:
        if not self._quiet and self._stream.isatty():
            self._live = _live(self._stream)
            if self._live is not None:
                self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None
        if self._done > self._done_before:
            self.say(self.line(self.last_words))

    def update(self, done: int, detail: str = "", below: str = "") -> None:
        """Tell how many are done.

        Args:
            done: of `total`.
            detail: a few words behind the numbers, such as who is waited for.
            below: text under the bar, such as the table so far; only shown on a terminal.
        """
        self._done = done
        if self._live is not None:
            from rich.text import Text

            bar = self.line(detail, bar_width=20)
            self._live.update(Text(f"{bar}\n\n{below.rstrip()}" if below else bar))
        elif self._now() - self._line_s >= _LINE_INTERVAL_S:
            self._line_s = self._now()
            self.say(self.line(detail))

    def say(self, text: str) -> None:
        """Write a line that stays."""
        if self._quiet:
            return
        if self._live is not None:
            self._live.console.print(printable(text, keep="\t\n"), markup=False, highlight=False)
            return
        _write_line(self._stream, text)

    def line(self, detail: str = "", *, bar_width: int = 0) -> str:
        """The state in one line: `123/400 matches, 8.2/s, 34s left`."""
        elapsed_s = self._now() - self._started_s
        fresh = self._done - self._done_before
        at_most = " at most" if self._is_at_most else ""
        parts = [f"{self._done:,}/{self.total:,} {self._what}{at_most}"]
        if fresh > 0 and elapsed_s > 0:
            rate = fresh / elapsed_s
            parts.append(f"{rate:.1f}/s" if rate >= 1 else f"{rate * 60:.1f}/min")
            if self._done < self.total and not self._is_at_most:
                parts.append(f"{duration_text((self.total - self._done) / rate)} left")
            elif not self._is_at_most:
                parts.append(f"took {duration_text(elapsed_s)}")
        text = ", ".join(parts) + (f" · {detail}" if detail else "")
        if bar_width:
            filled = bar_width * self._done // self.total if self.total else bar_width
            text = "━" * filled + "╌" * (bar_width - filled) + " " + text
        return text


def _live(stream: TextIO) -> Live | None:
    """A region of the terminal that is written anew; None on a terminal that cannot."""
    from rich.console import Console
    from rich.live import Live

    console = Console(file=stream)
    if console.is_dumb_terminal:
        return None
    return Live(console=console, transient=True, refresh_per_second=4, redirect_stdout=False)
