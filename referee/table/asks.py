"""What a table asks of a seat and what comes back."""

from __future__ import annotations

from dataclasses import dataclass

from referee.records import FaultKind, TurnKind
from referee.rules.cards import Card
from referee.rules.deal import Deal


@dataclass(slots=True, eq=False)
class Ask:
    """One open turn of one seat.

    The deal is the table's own and goes on changing: whoever writes the turn to a bot reads it at once. Everything
    a seat may know is found through `deal` and `seat`; nothing else of the deal may be shown.
    """

    seat: int
    kind: TurnKind
    turn_number: int
    turn_seed: int
    legal: list[Card]
    deal: Deal
    scores: tuple[int, ...]  # running totals before this deal


@dataclass(slots=True)
class Answer:
    """A bot's decision as it came: nothing is checked yet, and `cards` need not be cards."""

    cards: tuple[int, ...]
    moon_choice: str | None = None
    note: str = ""


@dataclass(slots=True)
class Timing:
    """What the clock measured for a turn, in microseconds."""

    elapsed_us: int = 0
    allowed_us: int = 0
    lag_us: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A failing of a bot that is not a breach of rule: no answer, or one that is no decision."""

    kind: FaultKind
    message: str
    answer: tuple[int, ...] = ()
    exit_code: int | None = None
    stderr_window: tuple[str, int, int] | None = None
