"""The matches of a table, as plans make them."""

from __future__ import annotations

from referee.plan import Plan
from referee.records import MatchSpec
from referee.schedule.pairing import Seating


def matches_at(
    seating: Seating,
    kind: type[Plan] = Plan,
    *,
    tournament: str = "test",
    deals: int = 4,
    attempt: int = 0,
    first_number: int = 0,
) -> list[MatchSpec]:
    plan = kind(
        tournament=tournament,
        entrants=(),
        remote=frozenset(),
        seats=len(seating.bots),
        deals=deals,
        cycles=None,
        board_sets=None,
        in_flight_max=1,
    )
    return list(plan.board_set(seating, attempt, first_number))
