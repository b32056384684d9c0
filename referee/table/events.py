"""What a table says has happened."""

from __future__ import annotations

from dataclasses import dataclass

from referee.records import DealRecord, Fault
from referee.table.asks import Ask


@dataclass(frozen=True, slots=True)
class DealEnded:
    """A deal was played out, or ended by a revoke."""

    record: DealRecord


@dataclass(frozen=True, slots=True)
class SeatFaulted:
    """A seat failed; `fault_count` is its number of faults in this match, this one included."""

    fault: Fault
    fault_count: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over. Places: 1 is best, ties share, seats on autopilot are last."""

    deals: tuple[DealRecord, ...]
    places: tuple[int, ...]
    totals: tuple[int, ...]
    faults: tuple[Fault, ...]


Event = DealEnded | SeatFaulted | MatchEnded


@dataclass(slots=True)
class Step:
    """What follows from one answer: turns to ask, turns to take back, and events, each in order."""

    asks: list[Ask]
    events: list[Event]
    withdrawn: list[int]  # seats whose open turn is void
