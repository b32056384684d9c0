"""Which sessions are woken by one decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.wire.session import Session


class Wakes:
    """Shared by all sessions: whom the decision that is being delivered wakes, while these wakes are put off."""

    def __init__(self) -> None:
        self.put_off: list[Session] | None = None
