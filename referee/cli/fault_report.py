"""What became of the bots that failed: a line for each author."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from referee.cli.console import quoted
from referee.records import Blame, Fault, MatchRecord
from referee.store.model import StoredFault
from referee.store.store import Store


def fault_lines(store: Store, folder: Path) -> list[str]:
    """Say of each bot that is charged with faults how many of which kind, what the first was, and where to see it.

    Faults that an organiser has overruled, or that are the host's, are left out.

    Args:
        store: of the tournament.
        folder: of the tournament, for the command that shows a fault.
    """
    by_bot: dict[str, list[StoredFault]] = {}
    for stored in store.faults():
        if stored.fault.blame is Blame.BOT and not stored.overruled:
            by_bot.setdefault(stored.bot, []).append(stored)
    return [_line(bot, by_bot[bot], folder) for bot in sorted(by_bot)]


def void_lines(store: Store, folder: Path) -> list[str]:
    """Say in a line how many matches were void; none where every one counted."""
    voids = store.attempts()
    if not voids:
        return []
    blamed = Counter(attempt.blame.value for attempt in voids)
    blame = ", ".join(f"{count} blamed on the {name}" for name, count in blamed.most_common())
    matches = "1 match does" if len(voids) == 1 else f"{len(voids):,} matches do"
    return [f"void: {matches} not count ({blame}): `hearts tournament status {quoted(folder)}` says why"]


def fault_words(record: MatchRecord, position: int) -> str:
    """Kind and bot of a fault, as `timeout of duck`; `position` counts the match's faults from 0."""
    fault = record.faults[position]
    return f"{_what(fault)} of {record.spec.bots[fault.seat]}"


def _line(bot: str, stored: list[StoredFault], folder: Path) -> str:
    kinds = Counter(_what(each.fault) for each in stored)
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    matches = len({each.key for each in stored})
    first = stored[0]
    show = f"hearts replay {quoted(folder)} {first.key[:8]} --fault {first.position + 1}"
    where = "1 match" if matches == 1 else f"{matches} matches"
    message = first.fault.message.rstrip(".").replace("`", "'")  # one in the message would be half a pair
    return f"{bot}: {counts} in {where}; the first: {message} (`{show}`)"


def _what(fault: Fault) -> str:
    return f"{fault.kind.value} ({fault.breach})" if fault.breach else fault.kind.value
