"""What a schedule is made of: entrants, tables as cyclic orders, and the matches that a table stands for."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from referee.records import MatchSpec

SEATS_MIN = 3
SEATS_MAX = 11


class ScheduleError(ValueError):
    """A schedule that cannot be made; the message says which value is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot's registration, as far as the schedule cares.

    `owner` is empty where nobody is named: such bots belong to nobody in common. A house bot (`is_house`) sits
    only where there are fewer other entrants than seats.
    """

    name: str
    owner: str = ""
    is_house: bool = False


@dataclass(frozen=True, slots=True)
class Seating:
    """One table: `bots` in cyclic order, each with its left neighbour after it and the first after the last.

    One seating is one board set: it is played in every rotation, so who sits in seat 0 does not matter. Seatings
    of one `round_number` may run at once.
    """

    round_number: int
    board_set: int
    bots: tuple[str, ...]


def match_key(tournament_id: str, board_set: int, attempt: int, rotation: int) -> str:
    """Name a match for ever: 96 bits of SHA-256 in hex, the same wherever it is computed."""
    identity = json.dumps([tournament_id, board_set, attempt, rotation], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(identity.encode()).hexdigest()[:24]


def spec_of(
    tournament_id: str, seating: Seating, rotation: int, deals: int, attempt: int, number: int
) -> MatchSpec:
    """Make one match of a board set: each bot sits `rotation` seats clockwise of where the seating has it.

    With as many rotations as seats each bot plays each hand of the deals once.

    Args:
        tournament_id: goes into the key.
        seating: the table.
        rotation: from 0.
        deals: of the match; 0 means to the rule set's target.
        attempt: counts the times this board set was dealt anew after a void.
        number: position in the schedule.
    """
    seats = len(seating.bots)
    return MatchSpec(
        key=match_key(tournament_id, seating.board_set, attempt, rotation),
        number=number,
        round_number=seating.round_number,
        board_set=seating.board_set,
        attempt=attempt,
        rotation=rotation,
        bots=tuple(seating.bots[(seat - rotation) % seats] for seat in range(seats)),
        deals=deals,
    )


def matches_at_most(bots: int, remote: int, seats: int) -> int:
    """Count the matches of a round of whole tables that is not drawn yet: as many as there can be.

    A table with a remote bot plays once, another in every rotation; so the remote bots share as few as can be.

    Args:
        bots: from whom it will be drawn; who is too many sits out.
        remote: how many of them dial in at least.
        seats: of one table.
    """
    tables, left = divmod(bots, seats)
    with_remote = -(-max(0, remote - left) // seats)
    return with_remote + (tables - with_remote) * seats


def check_seats(seats: int) -> None:
    """Raise `ScheduleError` unless tables of this size exist."""
    if not SEATS_MIN <= seats <= SEATS_MAX:
        raise ScheduleError(f"seats = {seats}: Hearts is scheduled for {SEATS_MIN} to {SEATS_MAX} seats.")


def check_names(entrants: Sequence[Entrant]) -> None:
    """Raise `ScheduleError` if two entrants have one name, since a schedule knows them by it."""
    counts = Counter(entrant.name for entrant in entrants)
    doubled = sorted(name for name, count in counts.items() if count > 1)
    if doubled:
        raise ScheduleError(
            f"entrants: {doubled[0]!r} is there {counts[doubled[0]]} times: give each its own name."
        )


def field_of(entrants: Sequence[Entrant], seats: int) -> tuple[Entrant, ...]:
    """Choose who plays: every entrant, and as many house bots as are needed to fill one table.

    Raises:
        ScheduleError: no entrant, a name given twice, or too few house bots.
    """
    check_seats(seats)
    check_names(entrants)
    guests = [entrant for entrant in entrants if not entrant.is_house]
    house = [entrant for entrant in entrants if entrant.is_house]
    if not guests:
        raise ScheduleError("entrants: there are none besides house bots: enter at least one bot.")
    missing = max(0, seats - len(guests))
    if missing > len(house):
        bots, house_bots, more = (
            f"{amount} {noun}" if amount == 1 else f"{amount} {noun}s"
            for amount, noun in (
                (len(guests), "bot"),
                (len(house), "house bot"),
                (missing - len(house), "more bot"),
            )
        )
        raise ScheduleError(
            f"entrants: {bots} and {house_bots} for a table of {seats}: "
            f"enter {more}, or name as many in `[house] bots`, which fill the table."
        )
    return (*guests, *house[:missing])
