"""Numbers and facts in words, for people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from ratings.publish.details import Details
from ratings.standings import Standings

_MINUS = "−"


def signed(value: float, digits: int = 0) -> str:
    """A number with its sign: `+94`, `−7.18`, `0`."""
    shown = f"{round(value, digits) + 0.0:+,.{digits}f}"
    return shown[1:] if float(shown.replace(",", "")) == 0 else shown.replace("-", _MINUS)


def stated(statement: str | None) -> str:
    """Words about a bot without a number, with a minus like that of numbers: `below −476`."""
    return re.sub(r"(?<=\s)-(?=\d)", _MINUS, statement or "")


def percent(share: float) -> str:
    """A share as whole percent; what is nearly all is not shown as all."""
    if 0 < share < 0.005 or 0.995 <= share < 1:
        return likelihood(share)
    return f"{100 * share:.0f} %"


def likelihood(chance: float) -> str:
    """A chance as whole percent, never as certainty: no finite results give that."""
    if chance >= 0.995:
        return "> 99 %"
    return "< 1 %" if chance < 0.005 else f"{100 * chance:.0f} %"


def count(amount: int, one: str, many: str | None = None) -> str:
    """A number with its noun: `1 board`, `2,000 matches`."""
    return f"{amount:,} {one if amount == 1 else many or one + 's'}"


def listed(names: Sequence[str]) -> str:
    """Names as in a sentence: `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def moment(text: str) -> str:
    """A time of ISO 8601 to the minute: `30 November 2026, 03:10 UTC`; anything else as it is."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{time.day} {time:%B %Y, %H:%M} UTC"


def milliseconds(elapsed_us: float) -> str:
    """Microseconds as milliseconds, all with one place, so that they stand one under the other: `0.4`, `17.0`."""
    ms = elapsed_us / 1000
    return "< 0.1" if 0 < ms < 0.05 else f"{ms:,.1f}"


def rule_value(value: object) -> str:
    """The value of a rule as JSON has it, in words."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{card}: {points}" for card, points in value.items()) or "none"
        case list() | tuple():
            return ", ".join(str(item) for item in value) or "none"
        case _:
            return str(value).replace("_", " ")


def lead(standings: Standings) -> str:
    """What the table says, in a sentence or two."""
    first = standings.rows[0]
    by_elo = standings.rank_by == "elo"
    value, low = (first.elo, first.elo_low) if by_elo else (first.points, first.points_low)
    shared = [row.bot for row in standings.rows if row.place == first.place]
    if first.place is None or value is None or low is None or len(shared) > 1:
        if first.place is not None and len(shared) > 1:
            return f"{listed(shared)} share the first place: these results do not tell who is best."
        if first.statement and first.place is not None:
            return f"{first.bot} has no number, only a bound: {stated(first.statement)} Elo."
        return "These results do not tell who is best."
    number = f"{signed(value)} ± {value - low:.0f} Elo" if by_elo else f"{signed(value, 2)} points a deal"
    start = f"{first.bot} leads with {number}"
    if not first.not_separated_from:
        return f"{start}, and these results set it apart from every other bot."
    others = first.not_separated_from
    shown = [*others[:4], f"{len(others) - 4} more"] if len(others) > 5 else list(others)
    return f"{start}, but these results do not set it apart from {listed(shown)}."


def meta(standings: Standings, details: Details) -> list[str]:
    """What belongs right under the title: how much, when, and what to know before believing it."""
    return [part for part in (_amount(standings), _when(details), *standings.labels) if part]


def facts(standings: Standings | None, details: Details) -> list[tuple[str, str]]:
    """What was played, when and how, as terms and descriptions; only what is known."""
    played = "" if standings is None else _amount(standings)
    if standings is not None and details.matches and standings.unit == "board":
        played += f", in {count(details.matches, 'match', 'matches')}"
    rules = ". ".join(part for part in (details.rules_name, details.match_length) if part)
    clock = details.clock
    found = [
        ("Played", played),
        ("When", _when(details)),
        ("Rules", rules),
        ("A bot that fails", details.ruling),
        ("Clock", f"{clock.turn_ms:,} ms a turn, and {clock.bank_ms:,} ms a match to draw on" if clock else ""),
        ("Trust", details.trust),
        ("Made by", details.software),
    ]
    return [(term, text) for term, text in found if text]


def _amount(standings: Standings) -> str:
    unit = ("board", "boards") if standings.unit == "board" else ("match", "matches")
    deals = count(standings.deals, "different deal", "different deals")
    return f"{count(standings.boards, *unit)} of {deals}"


def _when(details: Details) -> str:
    if not details.started_at:
        return ""
    if not details.finished_at:
        return f"since {moment(details.started_at)}; not all matches are played yet"
    start, end = moment(details.started_at), moment(details.finished_at)
    if start == end:
        return start
    day, _, time = end.partition(", ")
    return f"{start.removesuffix(' UTC')} to {time}" if start.startswith(f"{day}, ") else f"{start} to {end}"
