"""The standings as CSV: one row a bot, numbers in full, for spreadsheets and programs."""

from __future__ import annotations

from ratings.csv_writing import csv_lines
from ratings.standings import Standings

COLUMNS = (
    "place",
    "bot",
    "elo",
    "elo_low",
    "elo_high",
    "se",
    "statement",
    "points",
    "points_low",
    "points_high",
    "points_se",
    "points_mean",
    "online_elo",
    "deals",
    "matches",
    "boards",
    "rank_low",
    "rank_high",
    "faults",
)
"""Fields of `StandingsRow`; only added to at the end. What does not exist is left empty."""


def csv_text(standings: Standings | None) -> str:
    """The table with a header line, in order of place."""
    rows = standings.rows if standings is not None else ()
    return csv_lines(COLUMNS, ([getattr(row, name) for name in COLUMNS] for row in rows))
