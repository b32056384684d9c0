"""Answers that answer nothing: harmless, but counted for the record of the match that they belong to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from referee.records import StrayKind
from referee.table.turns import Turn

OVER_MAX = 1024  # turns that are over and known by their numbers


class Strays:
    """The stray answers of one line, by match."""

    def __init__(self) -> None:
        # Of each turn that is over: its number, its match, and whether the bot had answered it.
        self._over: list[tuple[int, int, bool]] = [(0, 0, False)] * OVER_MAX
        self._counts: dict[int, Counter[StrayKind]] = {}

    def turn_is_over(self, turn: Turn, *, was_answered: bool) -> None:
        """Remember a turn to which no answer is waited for any more."""
        self._over[turn.turn_id % OVER_MAX] = (turn.turn_id, turn.match_id, was_answered)

    def note(self, turn_id: int, playing: Collection[int]) -> None:
        """Count an answer to no open turn, while the bot plays these matches."""
        known_id, match_id, was_answered = self._over[turn_id % OVER_MAX]
        if turn_id and known_id == turn_id:
            kind = StrayKind.REPEATED if was_answered else StrayKind.LATE
            matches: Collection[int] = (match_id,) if match_id in playing else ()
        else:
            kind, matches = StrayKind.UNKNOWN, playing
        for match in matches:
            self._counts.setdefault(match, Counter())[kind] += 1

    def of(self, match_id: int) -> Mapping[StrayKind, int]:
        """The counts of a match."""
        return self._counts.get(match_id, {})

    def forget(self, match_id: int) -> None:
        """Let go of a match that is over."""
        self._counts.pop(match_id, None)
