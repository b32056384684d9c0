"""The rated observations of a store as columns: a hundred thousand matches in a fraction of a second.

They are read by `referee.store.joined` and put into schedule order here.
"""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, select

from referee.records import BoardColumns
from referee.store.corrections import left_out
from referee.store.joined import Ints, coded, joined, numbers, whole_numbers
from referee.store.model import StoreError
from referee.store.schema import boards, matches, rule_sets

_NUMBERS = (
    matches.c.id,
    matches.c.number,
    matches.c.round_number,
    matches.c.board_set,
    matches.c.attempt,
    matches.c.deals,
    matches.c.deals_played,
    matches.c.rule_set_id,
)


def columns(connection: Connection) -> BoardColumns:
    """What `referee.store.results.results` gives, many times faster.

    Raises:
        StoreError: the observations are of several units or rule sets, which are never pooled; or values that the
            store itself never writes.
    """
    found = _counted_matches(connection)
    unit, rules = _one_pool(connection, found)
    of = _boards(connection, found)
    match, deal_number, seats = of.match, of.deal_number, of.seats
    deal, deal_ids = _deals(found.board_set[match], found.attempt[match], deal_number)
    bot, bots = _seated(found.line_ups, match, seats)
    return BoardColumns(
        unit=unit,
        rules=rules,
        bots=bots,
        deal_ids=deal_ids,
        match_ids=found.keys,
        bot=_packed("i", bot),
        points=_packed("d", of.points),
        place=_packed("i", of.places),
        autopilot=_packed("b", of.autopilot),
        seats=_packed("i", seats),
        deal=_packed("i", deal),
        match=_packed("i", match),
        number=_packed("i", found.number[match]),
        round_number=_packed("i", found.round_number[match]),
        deals=_packed("i", np.where(found.deals[match] > 0, 1, found.deals_played[match])),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Matches:
    """The matches that count, in schedule order."""

    id: Ints
    number: Ints
    round_number: Ints
    board_set: Ints
    attempt: Ints
    deals: Ints
    deals_played: Ints
    rule_set_id: Ints
    keys: tuple[str, ...]
    line_ups: tuple[str, ...]  # as they are stored


@dataclass(frozen=True, slots=True, kw_only=True)
class _Boards:
    """The boards of the matches that count, by match and deal; the last three have one value a seat."""

    match: Ints  # its place among the matches
    deal_number: Ints
    seats: Ints
    points: npt.NDArray[np.float64]
    places: Ints
    autopilot: Ints


def _counted_matches(connection: Connection) -> _Matches:
    *texts, keys_text, line_ups_text = joined(
        connection, *((column, ",") for column in _NUMBERS), (matches.c.key, ","), (matches.c.bots, "\n")
    )
    values = {column.name: whole_numbers(text) for column, text in zip(_NUMBERS, texts, strict=True)}
    keys, line_ups = keys_text.split(","), line_ups_text.split("\n")
    if len({len(keys), len(line_ups), *map(len, values.values())}) > 1 and len(values["id"]):
        raise StoreError("the store is damaged: its matches lack values")
    order = _schedule_order(values["number"], values["attempt"], keys)
    skipped = connection.scalars(left_out(connection)).all()
    order = order[~np.isin(values["id"][order], skipped)]
    return _Matches(
        **{name: each[order] for name, each in values.items()},
        keys=tuple(keys[index] for index in order.tolist()),
        line_ups=tuple(line_ups[index] for index in order.tolist()),
    )


def _schedule_order(number: Ints, attempt: Ints, keys: list[str]) -> Ints:
    """As `referee.store.reading.SCHEDULE_ORDER`; the key decides only where a store was filled by hand."""
    order = np.lexsort((attempt, number))
    is_equal = (np.diff(number[order]) == 0) & (np.diff(attempt[order]) == 0)
    if is_equal.any():
        order = np.array(sorted(order.tolist(), key=lambda index: (number[index], attempt[index], keys[index])))
    return order


def _boards(connection: Connection, found: _Matches) -> _Boards:
    ids, deal_numbers, points_text, places_text, autopilot_text = joined(
        connection,
        (boards.c.match_id, ","),
        (boards.c.deal_number, ","),
        (boards.c.points, ","),
        (boards.c.places, ","),
        (boards.c.autopilot, ","),
    )
    match_id, deal_number = whole_numbers(ids), whole_numbers(deal_numbers)
    points, places = numbers(points_text), whole_numbers(places_text)
    letters = np.frombuffer(autopilot_text.encode() + b"," * bool(autopilot_text), dtype=np.uint8)
    is_flag = letters != ord(",")
    seats = np.diff(np.flatnonzero(~is_flag), prepend=-1) - 1
    autopilot = (letters[is_flag] - ord("0")).astype(np.int64)
    if (
        len({len(points), len(places), len(autopilot)}) > 1
        or len({len(match_id), len(deal_number), len(seats)}) > 1
    ):
        raise StoreError("the store is damaged: its boards lack values")
    place_of = np.full(max(match_id.max(initial=0), found.id.max(initial=0)) + 1, -1)
    place_of[found.id] = np.arange(len(found.id))
    match = place_of[match_id]
    order = np.lexsort((deal_number, match))
    order = order[match[order] >= 0]
    per_seat = _spread(np.cumsum(seats) - seats, order, seats[order])
    return _Boards(
        match=match[order],
        deal_number=deal_number[order],
        seats=seats[order],
        points=points[per_seat],
        places=places[per_seat],
        autopilot=autopilot[per_seat],
    )


def _spread(start: Ints, chosen: Ints, lengths: Ints) -> Ints:
    """The positions of all values of the chosen groups, whose values lie side by side from `start` on."""
    own = np.cumsum(lengths) - lengths
    return np.repeat(start[chosen] - own, lengths) + np.arange(lengths.sum())


def _one_pool(connection: Connection, found: _Matches) -> tuple[str, str]:
    """The unit and the digest of the rule set that all these matches share."""
    pools = {(bool(deals > 0), int(rules)) for deals, rules in zip(*_distinct(found), strict=True)}
    if not pools:
        return "", ""
    if len(pools) > 1:
        raise StoreError(f"the store holds results of {len(pools)} units or rule sets, which are never pooled")
    ((is_board, rule_set_id),) = pools
    rules = connection.execute(select(rule_sets.c.digest).where(rule_sets.c.id == rule_set_id)).scalar_one()
    return "board" if is_board else "match", rules


def _distinct(found: _Matches) -> tuple[Ints, Ints]:
    both = np.unique(np.stack((found.deals, found.rule_set_id)), axis=1)
    return both[0], both[1]


def _deals(board_set: Ints, attempt: Ints, deal_number: Ints) -> tuple[Ints, tuple[str, ...]]:
    """The deal of each board, numbered by first appearance, and what the deals are called."""
    attempts, numbers = attempt.max(initial=0) + 1, deal_number.max(initial=0) + 1
    code = (board_set * attempts + attempt) * numbers + deal_number
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    by_appearance = np.argsort(first)
    rank = np.empty_like(by_appearance)
    rank[by_appearance] = np.arange(len(first))
    firsts = first[by_appearance]
    named = zip(board_set[firsts].tolist(), attempt[firsts].tolist(), deal_number[firsts].tolist(), strict=True)
    return rank[inverse], tuple(deal_id(*each) for each in named)


def deal_id(board_set: int, attempt: int, deal_number: int) -> str:
    """The cluster of a board, or of a match to the target, which is stored as deal number 0."""
    return f"{board_set}.{attempt}.{deal_number}" if deal_number else f"{board_set}.{attempt}"


def _seated(line_ups: tuple[str, ...], match: Ints, seats: Ints) -> tuple[Ints, tuple[str, ...]]:
    """The bot at each seat of each board, numbered by first appearance, and their names."""
    known, line_up_of_match = coded(line_ups)
    line_up = line_up_of_match[match]
    bots: dict[str, int] = {}
    tables = [[bots.setdefault(name, len(bots)) for name in json.loads(text)] for text in known]
    sizes = np.array([len(table) for table in tables], dtype=np.int64)
    if (sizes[line_up] != seats).any():
        raise StoreError("the store is damaged: a board has other seats than its match")
    flat = np.array([bot for table in tables for bot in table], dtype=np.int64)
    return flat[_spread(np.cumsum(sizes) - sizes, line_up, seats)], tuple(bots)


def _packed(type_code: str, values: npt.NDArray[Any]) -> array[Any]:
    packed = array(type_code)
    packed.frombytes(values.astype(np.dtype(type_code)).tobytes())
    return packed
