"""Which sessions are woken by one decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.wire.session import Session


class Wakes:
    """Puts off the wakes of all sessions while one decision is delivered, and then pushes the sessions instead."""

    def __init__(self) -> None:
        self.put_off: list[Session] | None = None

    def __enter__(self) -> None:
        self.put_off = []

    def __exit__(self, *_: object) -> None:
        sessions, self.put_off = self.put_off, None
        for session in sessions or ():
            session.push()
