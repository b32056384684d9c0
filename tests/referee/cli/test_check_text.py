"""The report of `hearts check` for people."""

from __future__ import annotations

from referee.cli.check_text import render
from referee.conformance.findings import Finding, Grade, Report


def test_what_a_bot_wrote_is_said_once_and_every_line_fits_a_terminal() -> None:
    lines = ("Traceback (most recent call last):", "ValueError: " + "no card to play " * 8)
    findings = tuple(
        Finding(check=name, grade=Grade.FAIL, message="the bot ended " * 9, turn=7, lines=lines)
        for name in ("american", "omnibus")
    )
    report = Report(bot="crow", findings=findings, turns=2, elapsed_ms=1)

    text = render(report, "a b/crow", verbose=False)

    assert text.count("Traceback") == 1
    assert "the same lines as above" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "again: hearts check 'a b/crow' --turn 7" in text
