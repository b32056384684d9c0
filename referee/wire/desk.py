"""Where a bot's line delivers what arrives."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

from referee.records import FaultKind
from referee.table import Answer
from referee.table.turns import Turn

if TYPE_CHECKING:
    from referee.wire.line import Line


class Desk(Protocol):
    """Where arrivals are delivered: the floor."""

    def answered(self, turn: Turn, answer: Answer, elapsed_us: int, lag_us: int) -> None:
        """Take an answer to a pending turn."""
        ...

    def failed(
        self,
        turn: Turn,
        kind: FaultKind,
        message: str,
        answer: tuple[int, ...],
        elapsed_us: int,
        lag_us: int,
    ) -> None:
        """Take what ends the wait for a pending turn but is no decision."""
        ...

    def expel(self, bot: Line, kind: FaultKind, message: str, match_ids: Collection[int]) -> None:
        """Take a bot out of matches."""
        ...

    def flooded(self, bot: Line, message: str) -> None:
        """Take a bot out of every match it plays, since it floods the referee."""
        ...

    def stalled_ns(self, at_ns: int) -> int:
        """Read the lag meter: what it said at a moment since the last heartbeat."""
        ...
