"""The rated observations of a store, as objects or as columns.

100,000 matches must be answered in a second or two: boards and matches are read as two plain scans and put together
here, and the few thousand texts that points, places and line-ups are made of are understood once each.
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import Any

from sqlalchemy import Connection, select

from referee.records import BoardColumns, BoardResult
from referee.store.corrections import left_out
from referee.store.model import StoreError
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

_PART = 10_000  # rows held as rows at once: the collector of cycles looks at every one of them


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
                deal_id=_deal_id(board_set, attempt, deal_number),
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


def columns(connection: Connection) -> BoardColumns:
    """What `results` gives, several times faster.

    Raises:
        StoreError: the observations are of several units or rule sets, which are never pooled.
    """
    counted = _counted_matches(connection)
    unit, rules = _one_pool(connection, counted)
    ids, keys, numbers, round_numbers, board_sets, attempts, deals, played, line_ups, _ = _turned(counted, 10)
    match, deal_numbers, points, places, autopilot = _board_columns(connection, ids)
    bots: dict[str, int] = {}
    deal_codes: dict[tuple[int, int, int], int] = {}
    deal = [
        deal_codes.setdefault((board_sets[index], attempts[index], number), len(deal_codes))
        for index, number in zip(match, deal_numbers, strict=True)
    ]
    bot = _packed("i", partial(_codes, bots), [line_ups[index] for index in match])
    return BoardColumns(
        unit=unit,
        rules=rules,
        bots=tuple(bots),
        deal_ids=tuple(_deal_id(*each) for each in deal_codes),
        match_ids=keys,
        bot=bot,
        points=_packed("d", _points, points),
        place=_packed("i", _places, places),
        autopilot=_packed("b", _autopilot, autopilot),
        seats=array("i", map(len, autopilot)),
        deal=array("i", deal),
        match=array("i", match),
        number=array("i", [numbers[index] for index in match]),
        round_number=array("i", [round_numbers[index] for index in match]),
        deals=array("i", [1 if deals[index] else played[index] for index in match]),
    )


def _board_columns(connection: Connection, ids: Sequence[int]) -> list[Sequence[Any]]:
    """The columns of the boards of these matches, in their order; a match is told by its place in `ids`."""
    index_of = {match_id: index for index, match_id in enumerate(ids)}
    found: list[list[Any]] = [[], [], [], [], []]
    for part in connection.execution_options(yield_per=_PART).execute(_BOARDS).partitions():
        for column, values in zip(found, zip(*part, strict=True), strict=True):
            column.extend(values)
    match = [index_of.get(match_id, -1) for match_id in found[0]]
    order = [row for row in sorted(range(len(match)), key=match.__getitem__) if match[row] >= 0]
    return [[column[row] for row in order] for column in (match, *found[1:])]


def _turned(rows: Sequence[Sequence[Any]], width: int) -> Sequence[tuple[Any, ...]]:
    """Rows as columns."""
    return list(zip(*rows, strict=True)) if rows else [()] * width


def _counted_matches(connection: Connection) -> list[Any]:
    """The matches that count, in schedule order."""
    skipped = set(connection.scalars(left_out(connection)))
    return [row for row in connection.execute(_MATCHES).all() if row[0] not in skipped]


def _one_pool(connection: Connection, counted: Sequence[Any]) -> tuple[str, str]:
    """The unit and the digest of the rule set that all these matches share."""
    pools = {(row[6] > 0, row[9]) for row in counted}
    if not pools:
        return "", ""
    if len(pools) > 1:
        raise StoreError(f"the store holds results of {len(pools)} units or rule sets, which are never pooled")
    ((is_board, rule_set_id),) = pools
    rules = connection.execute(select(rule_sets.c.digest).where(rule_sets.c.id == rule_set_id)).scalar_one()
    return "board" if is_board else "match", rules


def _deal_id(board_set: int, attempt: int, deal_number: int) -> str:
    """The cluster of a board, or of a match to the target, which is stored as deal number 0."""
    return f"{board_set}.{attempt}.{deal_number}" if deal_number else f"{board_set}.{attempt}"


def _names(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def _points(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.split(",")))


def _places(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _autopilot(text: str) -> tuple[bool, ...]:
    return tuple(flag == "1" for flag in text)


def _codes(codes: dict[str, int], text: str) -> tuple[int, ...]:
    """Bots as numbers, by first appearance."""
    return tuple(codes.setdefault(name, len(codes)) for name in _names(text))


def _packed(type_code: str, read: Callable[[str], Sequence[float]], texts: Iterable[str]) -> array[Any]:
    """The values of these texts one after the other."""
    pack = cache(lambda text: array(type_code, read(text)).tobytes())
    return array(type_code, b"".join(map(pack, texts)))
