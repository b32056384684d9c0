"""Entrants that join or leave a running round robin: events of its store, and what follows from them.

A change takes effect at the beginning of a round: what was begun before it is played to its end by those who were
there. It is written once and never taken back, so that the schedule can be made again by anyone who has the store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from referee.schedule.pairing import Entrant
from referee.store.model import Event
from referee.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """Who joins or leaves before which board set; exactly one of `entered` and `left` says so."""

    board_set: int  # the first of the new schedule; it begins a round
    entered: Entrant | None = None
    is_remote: bool = False  # of who entered
    left: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What a bot's `bot.toml` says of where it comes from; empty where it says nothing, and if it dials in."""

    author: str = ""
    language: str = ""


def entry(
    entrant: Entrant, board_set: int, *, is_remote: bool, origin: Origin, by: str, why: str, at: str
) -> Event:
    """The event of a bot that joins."""
    data = {"bot": entrant.name, "owner": entrant.owner, "is_remote": is_remote, "board_set": board_set}
    data |= asdict(origin)
    message = f"{entrant.name} enters before board set {board_set}"
    return Event(at=at, kind="entered", message=message, data=data | {"by": by, "why": why})


def leaving(bot: str, board_set: int, *, by: str, why: str, at: str) -> Event:
    """The event of a bot that leaves; its results stay."""
    data = {"bot": bot, "board_set": board_set, "by": by, "why": why}
    return Event(at=at, kind="left", message=f"{bot} leaves before board set {board_set}", data=data)


def change_events(store: Store) -> list[Event]:
    """The events that changed the field, in the order they happened."""
    return [event for event in store.events() if event.kind in ("entered", "left")]


def changes_of(store: Store) -> tuple[FieldChange, ...]:
    """All changes of the field, in the order they happened."""
    return tuple(_change(event.kind, event.data) for event in change_events(store))


def origins_of(store: Store) -> dict[str, Origin]:
    """Where each bot comes from, of all who are or were in a tournament; empty ones of a store that is older."""
    origins: dict[str, Origin] = {}
    for event in store.events():
        data: Any = event.data
        if event.kind == "started":
            origins |= {bot["name"]: _origin(bot) for bot in data["admitted"]}
        elif event.kind == "entered":
            origins[data["bot"]] = _origin(data)
    return origins


def _origin(data: Any) -> Origin:
    return Origin(author=data.get("author", ""), language=data.get("language", ""))


def field_after(entrants: Sequence[Entrant], changes: Sequence[FieldChange]) -> list[Entrant]:
    """Who plays after some changes."""
    gone = {change.left for change in changes if change.left}
    entered = [change.entered for change in changes if change.entered is not None]
    return [entrant for entrant in (*entrants, *entered) if entrant.name not in gone]


def _change(kind: str, data: Any) -> FieldChange:
    if kind == "left":
        return FieldChange(board_set=data["board_set"], left=data["bot"])
    entrant = Entrant(data["bot"], data["owner"])
    return FieldChange(board_set=data["board_set"], entered=entrant, is_remote=data["is_remote"])
