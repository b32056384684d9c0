"""The standings as a Markdown table."""

from __future__ import annotations

import re

from ratings.standings import Standings, StandingsRow

_HEADER = ("#", "bot", "Elo", "± 95 %", "points/deal", "± 95 %", "online", "deals", "faults")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&$-])")
_LINKING = re.compile(r"(?<=[@#:])(?=\S)|(?i:(?<=www))(?=\.)")  # an address, a mention, an issue, an emoji
_JOINER = "\u2060"  # shows as nothing


def markdown_text(standings: Standings) -> str:
    """The table, with what it is of above and what to beware of below."""
    unit = "boards" if standings.unit == "board" else "matches"
    about = [f"{standings.boards:,} {unit}", f"{standings.deals:,} different deals", *standings.labels]
    lines = [
        escaped(" · ".join(about)),
        "",
        _line(_HEADER),
        _line(["--:", "---", *["--:"] * (len(_HEADER) - 2)]),
        *(_line(_cells(row)) for row in standings.rows),
    ]
    zero = "the mean of the rated bots" if standings.anchor is None else f"the bot {standings.anchor}"
    legend = [
        f"Elo: 0 is {zero}; +100 is ahead in 64 of 100 meetings",
        "points/deal: fewer points a deal than the mean bot, + is better",
        "± 95 %: boards with the same cards count as one deal",
        "online: moves board by board from 1200, decides nothing",
    ]
    if any(row.not_separated_from for row in standings.rows):
        legend.append("≈: not separated from every other bot by these results")
    lines += ["", *(f"- {escaped(word)}" for word in legend)]
    control = [] if standings.controlled is None else [str(standings.controlled)]
    lines += [f"- {escaped(note)}" for note in (*control, *standings.finding_sentences, *standings.warnings)]
    return "\n".join(lines) + "\n"


def _cells(row: StandingsRow) -> list[str]:
    elo, elo_error = row.statement or "", ""
    if row.elo is not None:
        elo = f"{row.elo:+.0f}"
        elo_error = "" if row.elo_low is None else f"{row.elo - row.elo_low:.0f}"
    points = "" if row.points is None else f"{row.points:+.2f}"
    points_error = "" if row.points is None or row.points_low is None else f"{row.points - row.points_low:.2f}"
    place = "–" if row.place is None else str(row.place)
    faults = "–" if row.faults is None else str(row.faults)
    mark = " ≈" if row.not_separated_from else ""
    online = f"{row.online_elo:.0f}"
    name = escaped(row.bot) + mark
    return [place, name, elo, elo_error, points, points_error, online, str(row.deals), faults]


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """The text so that it shows as it is: a bot's name is no markup, and neither links nor calls anybody.

    A backslash does not keep GitHub and others from making a link of what looks like an address or a name: they
    look at the text that comes out, so that something has to stand in it.
    """
    return _SPECIAL.sub(r"\\\1", _LINKING.sub(_JOINER, text))
