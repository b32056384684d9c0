"""The standings as plain text for a terminal of 80 columns."""

from __future__ import annotations

from textwrap import wrap

from ratings.standings import Standings, StandingsRow

WIDTH = 80


def render(standings: Standings) -> str:
    """The table with its footnotes, ending in a newline; no colour, so that it can go anywhere."""
    name_width = min(max([len(row.bot) for row in standings.rows] + [4]), 20)
    lines = [
        _heading(standings),
        "",
        *_header(name_width),
        *(_line(row, name_width) for row in standings.rows),
        "",
    ]
    for note in _footnotes(standings):
        lines += wrap(note, WIDTH, subsequent_indent="  ")
    return "\n".join(lines) + "\n"


def _heading(standings: Standings) -> str:
    unit = "boards" if standings.unit == "board" else "matches"
    parts = [
        f"{standings.boards:,} {unit}",
        f"{standings.deals:,} different deals",
        f"{len(standings.rows)} bots",
    ]
    return "Standings · " + ", ".join(parts) + "".join(f" · {label}" for label in standings.labels)


def _header(name_width: int) -> tuple[str, str]:
    bot = "bot".ljust(name_width)
    titles = f"  #  {bot}  {'Elo ± 95 %':^13}  {'points/deal ±':^13} {'online':>6} {'deals':>6} {'faults':>6}"
    return titles, "─" * len(titles)


def _line(row: StandingsRow, name_width: int) -> str:
    place = "–" if row.place is None else str(row.place)
    bot = row.bot if len(row.bot) <= name_width else row.bot[: name_width - 1] + "…"
    mark = "≈" if row.not_separated_from else " "
    if row.elo is not None and row.elo_low is not None:
        elo = f"{row.elo:>+6.0f} ± {row.elo - row.elo_low:<4.0f}"
    else:
        elo = (row.statement or "")[:13]
    points = ""
    if row.points is not None and row.points_low is not None:
        points = f"{row.points:>+6.2f} ± {row.points - row.points_low:<4.2f}"
    faults = "" if row.faults is None else str(row.faults)
    line = f"{place:>3} {mark}{bot:<{name_width}}  {elo:<13}  {points:<13}"
    return f"{line} {row.online_elo:>6.0f} {row.deals:>6} {faults:>6}".rstrip()


def _footnotes(standings: Standings) -> list[str]:
    zero = "the mean of the rated bots" if standings.anchor is None else f"the bot {standings.anchor}"
    ranks = "Elo" if standings.rank_by == "elo" else "points a deal"
    notes = [
        f"{ranks} decides the places. Elo 0 is {zero}; 100 Elo more means the better place in 64 of 100 meetings.",
        "± is a 95 % interval that allows for boards of one deal hanging together.",
        "points/deal: fewer points taken than the mean bot, + is better.",
        "online: starts at 1200 and moves after every board, so it depends on their order; it decides nothing.",
    ]
    if any(row.not_separated_from for row in standings.rows):
        notes.append("≈ not separated: " + "; ".join(_unclear(standings)) + ".")
    notes += [f"? {finding}" for finding in standings.findings]
    notes += [f"! {warning}" for warning in standings.warnings]
    return notes


def _unclear(standings: Standings) -> list[str]:
    """Neighbours in the table whose order the data do not settle."""
    neighbours = zip(standings.rows, standings.rows[1:], strict=False)
    return [f"{a.bot} and {b.bot}" for a, b in neighbours if b.bot in a.not_separated_from]
