"""What a check found out, in words and with a grade."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Grade(StrEnum):
    """How good it is. A bot without a FAIL plays in tournaments without a fault that could be foreseen."""

    PASS = "pass"
    ADVICE = "advice"  # it plays, but could do better
    FAIL = "fail"  # a referee would charge it with a fault, or could not use it
    SKIPPED = "skipped"  # not looked at, and why


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of the report. `turn` is the number by which a turn can be asked again; `lines` are evidence."""

    check: str
    grade: Grade
    message: str
    turn: int | None = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All findings about one bot, in the order in which they were made."""

    bot: str
    findings: tuple[Finding, ...]
    turns: int  # asked in all
    elapsed_ms: int

    @property
    def grade(self) -> Grade:
        """The worst grade of all findings; what was skipped does not count."""
        return worst([finding.grade for finding in self.findings])


def worst(grades: Sequence[Grade]) -> Grade:
    """The worst of some grades; PASS where there are none."""
    for grade in (Grade.FAIL, Grade.ADVICE):
        if grade in grades:
            return grade
    return Grade.PASS
