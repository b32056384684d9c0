"""Waits put together: an organiser wants to know the bot, not each of its matches."""

from __future__ import annotations

from referee.floor.waits import Wait, by_bot
from referee.records import TurnKind


def wait(bot: str, match: str, waited_ms: int, matches: int = 1) -> Wait:
    return Wait(
        bot=bot,
        match=match,
        seat=2,
        turn_number=14,
        turn_kind=TurnKind.PLAY,
        waited_ms=waited_ms,
        matches=matches,
    )


def test_each_bot_is_named_once_with_its_longest_wait() -> None:
    waits = by_bot(
        [wait("a", "m1", 2_000), wait("b", "m2", 9_000), wait("a", "m3", 7_000), wait("a", "m4", 1_000, 5)]
    )

    assert waits == [wait("b", "m2", 9_000), wait("a", "m3", 7_000, 7)]
    assert [str(each) for each in waits] == [
        "waiting for b in a match, the longest 9 s: match m2, seat 2, turn 14 (play)",
        "waiting for a in 7 matches, the longest 7 s: match m3, seat 2, turn 14 (play)",
    ]
