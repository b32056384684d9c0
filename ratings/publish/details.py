"""What a reader has to know of a tournament besides its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.records import TimeControl

FAULTS_SHOWN = 100
"""How many faults one list of the site tells with their reasons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotNote:
    """Where a bot comes from, as it says itself. What is empty is not shown."""

    versions: tuple[str, ...] = ()  # in the order in which they played
    author: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultNote:
    """One fault, as a reader may see it."""

    bot: str
    kind: str  # such as "timeout"
    breach: str | None  # name of the rule that was broken
    blame: str  # "bot", "host" or "organiser"
    message: str
    match: int | None  # number of the match; None where it was voided
    number: int  # among the faults of its match, from 1
    deal_number: int
    overruled: bool  # by the organiser: it is no longer counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """Where the numbers come from. What is empty is not shown.

    Everything comes from the tournament's own store, so that publishing twice gives the same bytes.
    """

    started_at: str = ""  # UTC, ISO 8601
    finished_at: str = ""  # empty while matches are missing
    matches: int = 0
    rules_name: str = ""
    rules: Mapping[str, object] | None = None  # in full
    card_values: tuple[int, ...] = ()  # points by card, from 0, which is none
    match_length: str = ""  # in words
    ruling: str = ""
    clock: TimeControl | None = None
    trust: str = ""  # whom one has to believe, in a sentence
    commitment: str = ""  # SHA-256 in hex
    seed: str = ""  # in hex, once it is revealed
    public_seed: int | None = None
    salt: str = ""
    root: str = ""  # of all records, in hex
    has_records: bool = False  # all records are published beside the site, so that it can be verified
    software: str = ""
    bots: Mapping[str, BotNote] = field(default_factory=dict)  # by name
    faults: tuple[FaultNote, ...] = ()  # at least the first `FAULTS_SHOWN` of each bot, in schedule order
    fault_counts: Mapping[str, int] = field(default_factory=dict)  # by bot, of all its faults
    voided: tuple[str, ...] = ()  # why matches were played again, one sentence each
    corrections: tuple[str, ...] = ()  # of the organiser, one sentence each
