"""The crosstable as CSV: one row for each ordered pair of bots that met."""

from __future__ import annotations

import csv
import io
import math

from ratings.standings import Standings

COLUMNS = ("bot", "other", "met", "score", "points", "superiority")
"""Only added to at the end. `met`: pairs of seats; `score`: share where `bot` had the better place, ties as half;
`points`: a deal fewer than `other` at the same boards; `superiority`: likelihood that `bot` is the better one."""


def crosstable_text(standings: Standings | None) -> str:
    """The table with a header line, in order of place; what does not exist is left empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    if standings is None:
        return out.getvalue()
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
            shown = ["" if math.isnan(number) else number for number in numbers]
            writer.writerow([bot, other, *shown, "" if superiority is None else superiority])
    return out.getvalue()
