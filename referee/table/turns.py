"""A turn on its way: an ask with its clock. Floor and wire both hold it; neither knows the other."""

from __future__ import annotations

from dataclasses import dataclass

from referee.table.asks import Ask


@dataclass(slots=True, eq=False)
class Turn:
    """One ask handed to a bot. Times are nanoseconds of the floor's monotonic clock."""

    ask: Ask
    match_id: int  # the number that bots see
    rules_name: str
    target: int
    turn_ms: int
    bank_ms: int
    charged_us: int  # for the seat's previous decision
    turn_id: int = 0  # given by the bot's line
    handed_ns: int = 0  # when the clock starts; in the future while the transport has not taken the message
    stalled_ns: int = 0  # the loop's accumulated lateness at that moment
    spent_us: int = 0  # by earlier answers to the same turn, under the ruling `retry`


@dataclass(frozen=True, slots=True)
class MatchStart:
    """What a bot is told of a match at one seat, at its start and after each reconnect."""

    match_id: int
    seat: int
    rules: dict[str, object]
    bot_names: tuple[str, ...]
    deals: int
    turn_ms: int
    bank_ms: int
    faults_max: int
    ruling: str
    commitment: str
