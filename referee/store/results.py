"""The rated observations of a store as objects: `referee.store.columns` has them as columns, many times faster.

Boards and matches are read as two plain scans and put together here, and the few thousand texts that points, places
and line-ups are made of are understood once each.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from typing import Any

from sqlalchemy import Connection, select

from referee.records import BoardResult
from referee.store.columns import deal_id
from referee.store.corrections import left_out
from referee.store.reading import SCHEDULE_ORDER
from referee.store.schema import boards, matches, rule_sets

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
    digests = dict(connection.execute(select(rule_sets.c.id, rule_sets.c.digest)).all())
    by_match: dict[int, list[Any]] = defaultdict(list)
    for board in connection.execute(_BOARDS).all():
        by_match[board[0]].append(board)
    names, points, places, autopilot = cache(_names), cache(_points), cache(_places), cache(_autopilot)
    found: list[BoardResult] = []
    for match in _counted_matches(connection):
        match_id, key, number, round_number, board_set, attempt, deals, played, bots, rule_set_id = match
        found += [
            BoardResult(
                match_id=key,
                deal_id=deal_id(board_set, attempt, deal_number),
                number=number,
                round_number=round_number,
                unit="board" if deals else "match",
                rules=digests[rule_set_id],
                bots=names(bots),
                points=points(points_text),
                places=places(places_text),
                autopilot=autopilot(autopilot_text),
                deals=1 if deals else played,
            )
            for _, deal_number, points_text, places_text, autopilot_text in by_match[match_id]
        ]
    return found


def _counted_matches(connection: Connection) -> list[Any]:
    """The matches that count, in schedule order."""
    skipped = set(connection.scalars(left_out(connection)))
    return [row for row in connection.execute(_MATCHES).all() if row[0] not in skipped]


def _names(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def _points(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.split(",")))


def _places(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _autopilot(text: str) -> tuple[bool, ...]:
    return tuple(flag == "1" for flag in text)
