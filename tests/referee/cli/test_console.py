"""Results on stdout, progress on stderr."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from referee.cli.console import WIDTH, Progress, count_text, duration_text, emit_json, note, quoted, wrapped
from referee.cli.errors import Failure, report


class FakeClock:
    """A clock that stands still unless it is moved."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_json_carries_the_schema_version_first(capsys: pytest.CaptureFixture[str]) -> None:
    emit_json({"name": "Żuraw"}, indent=None)

    out = capsys.readouterr().out
    assert json.loads(out) == {"schema": 1, "name": "Żuraw"}
    assert out.startswith('{"schema": 1, "name": "Żuraw"')


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (59.4, "59s"),
        (59.6, "1m 00s"),
        (200, "3m 20s"),
        (7_500, "2h 05m"),
        (356_400, "4d 03h"),
        (-1, "0s"),
    ],
)
def test_durations_are_short(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_a_noun_follows_its_number() -> None:
    assert [count_text(*each) for each in ((0, "bot"), (1, "match"), (2_000, "match"), (2, "board set"))] == [
        "0 bots",
        "1 match",
        "2,000 matches",
        "2 board sets",
    ]


def test_rate_and_time_left_count_only_what_was_done_here() -> None:
    clock = FakeClock()
    progress = Progress("matches", 400, done=300, now=clock, stream=io.StringIO())

    assert progress.line() == "300/400 matches"
    clock.now_s += 10
    progress.update(320)
    assert progress.line("waiting for duck") == "320/400 matches, 2.0/s, 40s left · waiting for duck"
    clock.now_s += 190
    progress.update(321)
    assert progress.line() == "321/400 matches, 6.3/min, 12m 32s left"


def test_where_the_end_may_come_earlier_nobody_says_how_long_it_takes() -> None:
    clock = FakeClock()
    progress = Progress("matches", 400, is_at_most=True, now=clock, stream=io.StringIO())

    clock.now_s += 10
    progress.update(20)

    assert progress.line("bound near") == "20/400 matches at most, 2.0/s · bound near"


def test_without_a_terminal_a_line_comes_every_few_seconds_and_at_the_end() -> None:
    clock, stream = FakeClock(), io.StringIO()
    with Progress("matches", 10, now=clock, stream=stream) as progress:
        for done in range(1, 11):
            clock.now_s += 1
            progress.update(done)
        progress.say("table 3 finished")

    assert stream.getvalue().splitlines() == [
        "5/10 matches, 1.0/s, 5s left",
        "10/10 matches, 1.0/s, took 10s",
        "table 3 finished",
        "10/10 matches, 1.0/s, took 10s",
    ]


def test_quiet_writes_nothing() -> None:
    stream = Terminal()
    with Progress("matches", 10, quiet=True, stream=stream) as progress:
        progress.update(10)
        progress.say("done")

    assert stream.getvalue() == ""


def test_a_terminal_gets_a_bar_and_keeps_the_lines_that_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    clock, stream = FakeClock(), Terminal()
    with Progress("matches", 4, now=clock, stream=stream) as progress:
        clock.now_s += 2
        progress.update(2, "[duck]", "the table so far")
        progress.say("seed [public]")

    text = stream.getvalue()
    assert "━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌ 2/4 matches, 1.0/s, 2s left · [duck]" in text
    assert "the table so far" in text
    assert "seed [public]" in text
    assert text.endswith("2/4 matches, 1.0/s, 2s left\n")
    assert "\x1b[3" not in text, "colours in spite of NO_COLOR"


def test_a_dumb_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    clock, stream = FakeClock(), Terminal()
    with Progress("matches", 4, now=clock, stream=stream) as progress:
        clock.now_s += 6
        progress.update(3)

    assert stream.getvalue().splitlines()[0] == "3/4 matches, 30.0/min, 2s left"
    assert "\x1b" not in stream.getvalue()


def test_a_wrapped_sentence_keeps_hashes_and_commands_whole() -> None:
    command = "`hearts replay 'a folder with blanks' 1234abcd --fault 12`"
    lines = wrapped(f"the root of all records of the cup: {'f' * 64}; see {command} and more of it").splitlines()

    assert max(map(len, lines)) <= WIDTH
    assert ("f" * 64 + ";") in lines[1]
    assert any(command in line for line in lines)


def test_a_path_is_shown_as_a_shell_takes_it() -> None:
    assert (quoted(Path("cup/a")), quoted("Ä b/c")) == ("cup/a", "'Ä b/c'")


def test_a_number_keeps_its_per_cent_sign() -> None:
    assert wrapped("x" * 77 + " 5 %") == "x" * 77 + "\n  5 %"


@pytest.mark.parametrize("kind", [io.StringIO, Terminal])
def test_what_a_bot_or_its_author_wrote_moves_no_cursor(
    kind: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream, errors = kind(), io.StringIO()
    with Progress("matches", 4, stream=stream) as progress:
        progress.say("east: \x1b]0;owned\x07\n\tsecond line")
    monkeypatch.setattr("sys.stderr", errors)
    note("east: \x1b[2J\u202e")
    report(Failure("east: \x1b[2J"))

    assert "\x1b]0" not in stream.getvalue()
    assert "east: \\x1b]0;owned\\x07\n" in stream.getvalue()
    assert errors.getvalue() == "east: \\x1b[2J\\u202e\nerror: east: \\x1b[2J\n"
