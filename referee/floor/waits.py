"""What matches wait for: liveness is a match's progress, not a sign of life from anybody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.records import TurnKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A bot that matches wait for: the open turn of the one that has waited longest, and how many they are."""

    bot: str
    match: str  # the key of its spec
    seat: int
    turn_number: int
    turn_kind: TurnKind
    waited_ms: int  # for so long nothing has happened in the match
    matches: int = 1

    def __str__(self) -> str:
        """Say it in a sentence."""
        some = "a match" if self.matches == 1 else f"{self.matches} matches"
        where = f"match {self.match}, seat {self.seat}, turn {self.turn_number} ({self.turn_kind})"
        return f"waiting for {self.bot} in {some}, the longest {self.waited_ms / 1000:.0f} s: {where}"


def by_bot(waits: Iterable[Wait]) -> list[Wait]:
    """Put the waits for each bot together; the bot that is waited for longest comes first."""
    found: dict[str, Wait] = {}
    for wait in sorted(waits, key=lambda wait: -wait.waited_ms):
        longest = found.get(wait.bot)
        if longest is None:
            found[wait.bot] = wait
        else:
            found[wait.bot] = replace(longest, matches=longest.matches + wait.matches)
    return list(found.values())
