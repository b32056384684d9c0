"""What the floor needs of a bot at a seat. `referee.wire.line` fulfils it, tests fulfil it with lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from referee.records import FaultKind, StrayKind
from referee.table import DealEnded, MatchEnded, SeatFaulted
from referee.table.turns import MatchStart, Turn


class SeatedBot(Protocol):
    """One bot process, with all the seats it holds.

    `pending` holds the turns whose clock runs, by turn id, the one handed over first in front; the floor takes out
    what has expired, the bot's line what was answered. `last_arrival_ns` is when its last message was read, and
    `last_stalled_ns` what the lag meter said then.
    """

    name: str
    version: str
    pending: dict[int, Turn]
    last_arrival_ns: int
    last_stalled_ns: int
    tables_max: int
    is_gone: bool  # ended for good: nothing will ever be answered

    @property
    def batch_max(self) -> int:
        """How many answers may come in its next message; 1 while it is not connected."""
        ...

    def ask(self, turn: Turn) -> None:
        """Put a turn in line to be handed over."""
        ...

    def withdraw(self, turn: Turn) -> None:
        """Take a turn back: an answer to it is stale from now on, and its place is free for the next in line."""
        ...

    def start_match(self, start: MatchStart) -> None:
        """Tell that a match begins; tell it again after each reconnect until `end_match`."""
        ...

    def end_deal(self, match_id: int, event: DealEnded) -> None:
        """Tell the result of a deal."""
        ...

    def tell_fault(self, match_id: int, event: SeatFaulted) -> None:
        """Tell the bot of its own fault."""
        ...

    def end_match(self, match_id: int, event: MatchEnded | None, fault_counts: tuple[int, ...]) -> None:
        """Tell the result of a match; None: it is void."""
        ...

    def silence(self) -> tuple[FaultKind, str, int | None]:
        """Say why nothing may have come: kind, a sentence, the process's exit code where it ended."""
        ...

    def strays(self, match_id: int) -> Mapping[StrayKind, int]:
        """Count the answers that answered nothing in a match which it still plays."""
        ...

    def log_position(self) -> tuple[str, int]:
        """Give the file of the process's stderr and its length now; an empty name where there is none."""
        ...
