"""What a store keeps besides match records, and the one error it raises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum

from referee.records import Blame, Fault


class StoreError(Exception):
    """The store cannot do what was asked; the message is one sentence that names it and says what to do."""


class OlderStoreError(StoreError):
    """An older version wrote the store: nothing is wrong with it, but it has to be opened for writing first."""


class DiskError(StoreError):
    """The disk is full or failing: nothing is wrong with what was asked."""


class UnreachableError(StoreError):
    """The database server does not answer: nothing is wrong with what was asked."""


@contextmanager
def reading_row(table: str, number: int) -> Iterator[None]:
    """Name the row where what stands in it cannot be read.

    Raises:
        StoreError: what is done here ended by a value of the row.
    """
    try:
        yield
    except (ValueError, TypeError, LookupError) as error:
        raise StoreError(f"{table} row {number}: is damaged: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentMeta:
    """What a store belongs to. Written once at its creation, before the first deal."""

    tournament: str  # the identity that every match key is made from
    name: str
    commitment: str  # SHA-256 of the tournament seed in hex; empty for a public seed
    config: str  # the resolved configuration, kept word for word
    created_at: str  # UTC, ISO 8601
    software: str  # the version of hearts-arena that made the store


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A match that was begun and voided, and why.

    `whole_board_set` says that every match of the same board set and attempt is void with it, those already
    finished included: they stay in the store and leave the results.
    """

    key: str
    number: int
    board_set: int
    attempt: int
    rotation: int
    whole_board_set: bool
    blame: Blame
    reason: str
    at: str  # UTC, ISO 8601


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFault:
    """A fault and where it belongs. `position` counts among the faults of its match, from 0."""

    key: str
    position: int
    bot: str
    fault: Fault
    overruled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened to the tournament: started, stopped, salt learned, seed revealed."""

    at: str  # UTC, ISO 8601
    kind: str
    message: str
    data: Mapping[str, object] = field(default_factory=dict)  # JSON values


class CorrectionKind(StrEnum):
    """What an organiser may change about results without touching a record."""

    WITHDRAW = "withdraw"  # a bot: all its matches leave the results
    ANNUL = "annul"  # a match: it leaves the results
    OVERRULE = "overrule"  # a fault: it is no longer counted against the bot; what was played stands
    REVERSE = "reverse"  # an earlier correction: as if it had never been made


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """An organiser's decision about results, with who, when and why. Which of the targets is set follows `kind`."""

    kind: CorrectionKind
    who: str
    why: str
    at: str  # UTC, ISO 8601
    bot: str | None = None  # WITHDRAW
    key: str | None = None  # ANNUL and OVERRULE
    fault: int | None = None  # OVERRULE: position of the fault in its match
    reverses: int | None = None  # REVERSE: `number` of the correction
    number: int = 0  # given by the store, from 1
