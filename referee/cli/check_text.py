"""The report of `hearts check` as text of at most 80 columns. Pure."""

from __future__ import annotations

from itertools import groupby
from textwrap import wrap

from referee.cli.console import WIDTH, count_text, quoted
from referee.conformance.findings import Finding, Grade, Report
from referee.launch.process_log import printable

_SIGNS = {Grade.PASS: "ok", Grade.ADVICE: "advice", Grade.FAIL: "FAIL", Grade.SKIPPED: "-"}
_VERDICTS = {
    Grade.PASS: "ready to play",
    Grade.ADVICE: "ready to play; the advice above would make it better",
    Grade.FAIL: "not ready: each FAIL above would cost it faults, or its place",
}
_INDENT = 10


def render(report: Report, folder: str, *, verbose: bool) -> str:
    """The whole report.

    Args:
        report: to be shown.
        folder: of the bot, for the commands that are named.
        verbose: show every check that passed, instead of one line for the deals that did.
    """
    lines = [
        f"{report.bot}: {count_text(report.turns, 'turn')} asked in {report.elapsed_ms / 1000:.1f} s",
        "",
    ]
    shown: set[tuple[str, ...]] = set()
    for key, group in groupby(report.findings, key=lambda finding: _key(finding, verbose=verbose)):
        found = list(group)
        if len(found) == 1 or not key[1]:
            for finding in found:
                lines += _lines(finding, folder, shown)
        else:
            total = sum(finding.check.startswith(key[0] + ":") for finding in report.findings)
            lines.append(f"{'ok':{_INDENT}}{key[0]}s: {len(found)} of {total} deals, all legal")
    counts = {grade: sum(finding.grade is grade for finding in report.findings) for grade in Grade}
    skipped = f", {counts[Grade.SKIPPED]} skipped" if counts[Grade.SKIPPED] else ""
    lines += [
        "",
        f"{counts[Grade.PASS]} passed, {counts[Grade.ADVICE]} with advice, {counts[Grade.FAIL]} failed{skipped}",
        f"{report.bot} is {_VERDICTS[report.grade]}.",
    ]
    return "\n".join(lines)


def _key(finding: Finding, *, verbose: bool) -> tuple[str, bool]:
    """What is shown together: the deals of one kind that passed."""
    kind, colon, _ = finding.check.partition(":")
    return kind, bool(colon) and finding.grade is Grade.PASS and not verbose


def _lines(finding: Finding, folder: str, shown: set[tuple[str, ...]]) -> list[str]:
    """One finding with its evidence, which is added to `shown` and said but once."""
    first = f"{_SIGNS[finding.grade]:{_INDENT}}{finding.check}: "
    margin = " " * (_INDENT + 2)
    lines = wrap(printable(first + finding.message), WIDTH, subsequent_indent=margin)
    evidence = ("with the same lines as above",) if finding.lines in shown else finding.lines
    for line in evidence:
        lines += wrap(
            printable(line), WIDTH, initial_indent=margin, subsequent_indent=margin, drop_whitespace=False
        )
    if finding.lines:
        shown.add(finding.lines)
    if finding.turn and finding.grade is not Grade.PASS:
        lines.append(f"{margin}again: hearts check {quoted(folder)} --turn {finding.turn}")
    return lines
