"""What happened besides finished matches, and the root over those."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, func, select

from referee.records import Blame
from referee.store import schema
from referee.store.model import Attempt, Event, reading_row
from referee.store.schema import matches

ROOT_LABEL = b"hearts/v1/root"
"""What the chain of digests starts from."""

SCHEDULE_ORDER = (matches.c.number, matches.c.attempt, matches.c.key)
"""How finished matches are read, whenever they were finished."""

_NUMBER = re.compile("0|[1-9][0-9]{0,8}")  # as a number is written; anything else is a key


def attempts(connection: Connection) -> list[Attempt]:
    """The voided attempts in the order they were stored."""
    table = schema.attempts
    found = []
    for row in connection.execute(select(table).order_by(table.c.id)):
        with reading_row("attempts", row.id):
            attempt = Attempt(
                key=row.key,
                number=row.number,
                board_set=row.board_set,
                attempt=row.attempt,
                rotation=row.rotation,
                whole_board_set=row.whole_board_set,
                blame=Blame(row.blame),
                reason=row.reason,
                at=row.at,
            )
        found.append(attempt)
    return found


def events(connection: Connection, *, kind: str | None) -> list[Event]:
    """The events in the order they were stored."""
    table = schema.events
    query = select(table).order_by(table.c.id)
    if kind is not None:
        query = query.where(table.c.kind == kind)
    found = []
    for row in connection.execute(query):
        with reading_row("events", row.id):
            found.append(Event(at=row.at, kind=row.kind, message=row.message, data=json.loads(row.data)))
    return found


def count_before(connection: Connection, attempts: Mapping[int, int]) -> int:
    """How many finished matches are of an earlier attempt than the one given for their board set."""
    count = 0
    for board_set, attempt in attempts.items():
        earlier = (matches.c.board_set == board_set) & (matches.c.attempt < attempt)
        count += connection.execute(select(func.count()).select_from(matches).where(earlier)).scalar_one()
    return count


def matches_meant(connection: Connection, text: str) -> list[tuple[int, str]]:
    """Number and key of the finished matches that a text may mean, at most two: a number, or the start of a key."""
    number = int(text) if _NUMBER.fullmatch(text) else -1
    meant = (matches.c.number == number) | matches.c.key.startswith(text, autoescape=True)
    exact = (matches.c.number == number) | (matches.c.key == text)
    query = select(matches.c.number, matches.c.key).order_by(*SCHEDULE_ORDER).limit(2)
    found = connection.execute(query.where(exact)).all() or connection.execute(query.where(meant)).all()
    return [(row.number, row.key) for row in found]


def root(connection: Connection) -> str:
    """One digest of all finished matches, in hex.

    root(0) = SHA-256("hearts/v1/root"); root(i) = SHA-256(root(i - 1) ‖ digest of match i), both as 32 bytes, the
    matches in the order of their schedule number, attempt and key. Corrections do not enter: no record changes.
    """
    return chain(connection.scalars(select(matches.c.digest).order_by(*SCHEDULE_ORDER)))


def chain(digests: Iterable[str]) -> str:
    """The root over record digests in hex, in the order given."""
    value = hashlib.sha256(ROOT_LABEL).digest()
    for digest in digests:
        value = hashlib.sha256(value + bytes.fromhex(digest)).digest()
    return value.hex()
