"""The standings as plain text for a terminal of 80 columns."""

from __future__ import annotations

from textwrap import wrap

from ratings.standings import Standings, StandingsRow
from ratings.text_width import fitted, width_of
from ratings.unclear import unclear_runs

WIDTH = 80
_NAME_MIN, _NAME_MAX = 8, 22
_ELO_WIDTH = 14  # number and interval, or a statement in their place


def render(standings: Standings) -> str:
    """The table with its footnotes, ending in a newline; no colour, so that it can go anywhere."""
    name_width = width_of((row.bot for row in standings.rows), low=_NAME_MIN, high=_NAME_MAX)
    header = _header(name_width)
    rule = "─" * len(header)
    rows = [_line(row, name_width) for row in standings.rows]
    return "\n".join([*_heading(standings), "", header, rule, *rows, rule, *_footnotes(standings)]) + "\n"


def _heading(standings: Standings) -> list[str]:
    unit = ("board", "boards") if standings.unit == "board" else ("match", "matches")
    boards, deals = (
        _counted(standings.boards, *unit),
        _counted(standings.deals, "different deal", "different deals"),
    )
    parts = ["Standings", _counted(len(standings.rows), "bot", "bots"), f"{boards} of {deals}", *standings.labels]
    return wrap(" · ".join(parts), WIDTH, subsequent_indent="  ")


def _header(name_width: int) -> str:
    return (
        f"{'#':>3}   {'bot':<{name_width}} {'Elo':>6}  {'±':<6} {'points':>6}  {'±':<5}"
        f"{'online':>7} {'deals':>7} {'faults':>7}"
    )


def _line(row: StandingsRow, name_width: int) -> str:
    place = "–" if row.place is None else str(row.place)
    mark = "≈" if row.not_separated_from else " "
    if row.elo is not None and row.elo_low is not None:
        elo = f"{_signed(row.elo, 0):>6}  {row.elo - row.elo_low:<6.0f}"
    else:
        elo = fitted(row.statement or "", _ELO_WIDTH)
    points = " " * 13
    if row.points is not None and row.points_low is not None:
        points = f"{_signed(row.points, 2):>6}  {row.points - row.points_low:<5.2f}"
    faults = "–" if row.faults is None else f"{row.faults:,}"
    start = f"{place:>3} {mark} {fitted(row.bot, name_width)} {elo} {points}"
    return f"{start}{row.online_elo:>7.0f} {row.deals:>7,} {faults:>7}"


def _counted(amount: int, one: str, many: str) -> str:
    return f"{amount:,} {one if amount == 1 else many}"


def _signed(value: float, digits: int) -> str:
    return f"{round(value, digits) + 0.0:+.{digits}f}"  # adding zero turns -0.0 into 0.0


def _footnotes(standings: Standings) -> list[str]:
    zero = "the mean of the rated bots" if standings.anchor is None else f"the bot {standings.anchor}"
    ranks = "Elo" if standings.rank_by == "elo" else "points"
    notes = [
        ("#", f"by {ranks}"),
        ("Elo", f"0 is {zero}; +100 is ahead in 64 of 100 meetings"),
        ("points", "fewer points a deal than the mean bot; may disagree with Elo"),
        ("±", "95 % interval; boards with the same cards count as one deal"),
        ("online", "moves board by board from 1200, depends on their order, decides nothing"),
    ]
    if standings.tied_boards:
        unit = "boards" if standings.unit == "board" else "matches"
        tied = f"{standings.tied_boards:,} of {standings.boards:,} {unit}"
        notes.insert(2, ("=", f"a place is shared on {tied}: half a win each"))
    if any(row.not_separated_from for row in standings.rows):
        runs = unclear_runs(standings)
        which = ": " + "; ".join(runs) if runs else " from some bot further up or down"
        notes.insert(1, ("≈", f"not separated by these results{which}"))
    if standings.controlled is not None:
        notes.append(("points", str(standings.controlled)))
    if standings.findings is None:
        notes.append(("?", "gains by company and by memory were not looked for: `hearts ratings --findings` does"))
    notes += [("?", sentence) for sentence in standings.finding_sentences]
    notes += [("!", warning) for warning in standings.warnings]
    lines = []
    for word, text in notes:
        lines += wrap(text, WIDTH, initial_indent=f"{word:>7}  ", subsequent_indent=" " * 9)
    return lines
