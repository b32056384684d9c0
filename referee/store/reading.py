"""The results of a store and its root.

Results must come fast for 100,000 matches, so they are read as two plain scans and put together here, and the few
hundred texts that points and places are made of are understood once.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable

from sqlalchemy import Connection, select

from referee.records import Blame, BoardResult
from referee.store import schema
from referee.store.corrections import left_out
from referee.store.model import Attempt, Event
from referee.store.schema import boards, matches, rule_sets

ROOT_LABEL = b"hearts/v1/root"
"""What the chain of digests starts from."""

SCHEDULE_ORDER = (matches.c.number, matches.c.attempt, matches.c.key)
"""How finished matches are read, whenever they were finished."""

_BOARDS = select(
    boards.c.match_id, boards.c.deal_number, boards.c.points, boards.c.places, boards.c.autopilot
).order_by(boards.c.match_id, boards.c.deal_number)
_MATCHES = select(
    matches.c.id,
    matches.c.key,
    matches.c.number,
    matches.c.round_number,
    matches.c.board_set,
    matches.c.attempt,
    matches.c.deals,
    matches.c.deals_played,
    matches.c.bots,
    matches.c.rule_set_id,
).order_by(*SCHEDULE_ORDER)


def results(connection: Connection) -> list[BoardResult]:
    """Every rated observation that counts, in schedule order."""
    skipped = set(connection.scalars(left_out(connection)))
    digests = dict(connection.execute(select(rule_sets.c.id, rule_sets.c.digest)).all())
    by_match: dict[int, list[tuple[int, int, str, str, str]]] = defaultdict(list)
    for board in connection.execute(_BOARDS):
        by_match[board[0]].append(board)
    points, places, autopilot = _Points(), _Places(), _Flags()
    found: list[BoardResult] = []
    for row in connection.execute(_MATCHES):
        match_id, key, number, round_number, board_set, attempt, deals, played, bots, rules = row
        if match_id in skipped:
            continue
        names = tuple(json.loads(bots))
        cluster = f"{board_set}.{attempt}"
        found += [
            BoardResult(
                match_id=key,
                deal_id=f"{cluster}.{deal_number}" if deals else cluster,
                number=number,
                round_number=round_number,
                unit="board" if deals else "match",
                rules=digests[rules],
                bots=names,
                points=points[points_text],
                places=places[places_text],
                autopilot=autopilot[flags_text],
                deals=1 if deals else played,
            )
            for _, deal_number, points_text, places_text, flags_text in by_match[match_id]
        ]
    return found


class _Points(dict[str, tuple[float, ...]]):
    def __missing__(self, text: str) -> tuple[float, ...]:
        return self.setdefault(text, tuple(map(float, text.split(","))))


class _Places(dict[str, tuple[int, ...]]):
    def __missing__(self, text: str) -> tuple[int, ...]:
        return self.setdefault(text, tuple(map(int, text.split(","))))


class _Flags(dict[str, tuple[bool, ...]]):
    def __missing__(self, text: str) -> tuple[bool, ...]:
        return self.setdefault(text, tuple(flag == "1" for flag in text))


def attempts(connection: Connection) -> list[Attempt]:
    """The voided attempts in the order they were stored."""
    table = schema.attempts
    return [
        Attempt(
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
        for row in connection.execute(select(table).order_by(table.c.id))
    ]


def events(connection: Connection, *, kind: str | None) -> list[Event]:
    """The events in the order they were stored."""
    table = schema.events
    query = select(table).order_by(table.c.id)
    if kind is not None:
        query = query.where(table.c.kind == kind)
    return [
        Event(at=row.at, kind=row.kind, message=row.message, data=json.loads(row.data))
        for row in connection.execute(query)
    ]


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
