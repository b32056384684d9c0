"""Who comes where in a match, with the seats that the referee played for."""

from __future__ import annotations

from collections.abc import Sequence


def places_with_autopilot(places: Sequence[int], autopilot: Sequence[bool]) -> tuple[int, ...]:
    """Put the seats on autopilot last, level with each other; the others keep their order among themselves."""
    clean = [place for place, flag in zip(places, autopilot, strict=True) if not flag]
    return tuple(
        len(clean) + 1 if flag else 1 + sum(other < place for other in clean)
        for place, flag in zip(places, autopilot, strict=True)
    )
