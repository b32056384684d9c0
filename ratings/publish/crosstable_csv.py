"""The crosstable as CSV: one row for each ordered pair of bots that met."""

from __future__ import annotations

import math

from ratings.csv_writing import csv_lines
from ratings.standings import Standings

COLUMNS = ("bot", "other", "met", "score", "points", "superiority")
"""Only added to at the end. `met`: pairs of seats; `score`: share where `bot` had the better place, ties as half;
`points`: a deal fewer than `other` at the same boards; `superiority`: likelihood that `bot` is the better one."""


def crosstable_text(standings: Standings | None) -> str:
    """The table with a header line, in order of place; what does not exist is left empty."""
    rows: list[list[object]] = []
    if standings is None:
        return csv_lines(COLUMNS, rows)
    table = standings.crosstable
    index = {bot: position for position, bot in enumerate(table.bots)}
    names = [row.bot for row in standings.rows]
    for bot in names:
        for other in names:
            i, j = index[bot], index[other]
            if i == j or not table.met[i, j]:
                continue
            numbers = [int(table.met[i, j]), float(table.score[i, j]), float(table.points[i, j])]
            superiority = standings.los.get(bot, {}).get(other)
            shown = [None if math.isnan(number) else number for number in numbers]
            rows.append([bot, other, *shown, superiority])
    return csv_lines(COLUMNS, rows)
