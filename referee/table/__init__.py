"""One match as a pure state machine: it asks, is answered or told of a fault, and says what happened."""

from referee.table.asks import Answer, Ask, Failure, Timing
from referee.table.events import DealEnded, MatchEnded, SeatFaulted, Step
from referee.table.table import Table

__all__ = [
    "Answer",
    "Ask",
    "DealEnded",
    "Failure",
    "MatchEnded",
    "SeatFaulted",
    "Step",
    "Table",
    "Timing",
]
