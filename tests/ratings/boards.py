"""Boards for tests of tables, each in a line."""

from __future__ import annotations

from collections.abc import Iterable

from referee.records import BoardResult


def board(
    number: int,
    bots: Iterable[str],
    points: Iterable[float],
    autopilot: tuple[bool, ...] | None = None,
    **changes: object,
) -> BoardResult:
    """One board with cards of its own, placed by its points; `changes` says what else it is."""
    names, taken = tuple(bots), tuple(map(float, points))
    values: dict[str, object] = {
        "match_id": f"m{number}",
        "deal_id": f"d{number}",
        "number": number,
        "round_number": 0,
        "unit": "board",
        "rules": "r",
        "bots": names,
        "points": taken,
        "places": tuple(1 + sum(other < own for other in taken) for own in taken),
        "autopilot": autopilot or (False,) * len(names),
    }
    return BoardResult(**{**values, **changes})  # type: ignore[arg-type]
