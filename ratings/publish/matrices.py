"""Every bot against every other, ready to be drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ratings.standings import Standings

LEVELS = 9  # shades from the worst to the best; the middle one has none


@dataclass(frozen=True, slots=True)
class Cell:
    """What one bot did against another. None stands for what does not exist."""

    other: str
    is_self: bool
    met: int
    score: float | None  # share of meetings in which it had the better place, ties as half
    points: float | None  # points a deal fewer
    superiority: float | None

    @property
    def score_level(self) -> int | None:
        """Shade of the share."""
        return _level(self.score)

    @property
    def superiority_level(self) -> int | None:
        """Shade of the likelihood."""
        return _level(self.superiority)


def cells_by_bot(standings: Standings) -> dict[str, list[Cell]]:
    """The cells of each bot against all, both in order of place."""
    table = standings.crosstable
    index = {bot: position for position, bot in enumerate(table.bots)}
    names = [row.bot for row in standings.rows]

    def cell(bot: str, other: str) -> Cell:
        i, j = index[bot], index[other]
        return Cell(
            other=other,
            is_self=bot == other,
            met=int(table.met[i, j]),
            score=_number(table.score[i, j]),
            points=_number(table.points[i, j]),
            superiority=standings.los.get(bot, {}).get(other),
        )

    return {bot: [cell(bot, other) for other in names] for bot in names}


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _level(share: float | None) -> int | None:
    return None if share is None else min(LEVELS - 1, int(share * LEVELS))
