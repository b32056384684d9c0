"""The written form of a match record: canonical JSON, its digest, and what follows from a record alone.

Canonical means that equal records give equal bytes: keys sorted, no spaces, UTF-8, cards as text (`"QS"`).
The digest is taken over these bytes, before any compression, so that anyone can recompute it from an export.
Nothing here reads a clock or a file.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from referee.record_codec import Codec, RecordError, choice, many, optional, plain, shown, structure
from referee.records import (
    Blame,
    BoardResult,
    DealRecord,
    DecidedBy,
    DecisionRecord,
    Fault,
    FaultKind,
    MatchRecord,
    MatchSpec,
    Ruling,
    Stray,
    StrayKind,
    TimeControl,
    TurnKind,
)
from referee.rules.parameters import RulesError
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import rank_places

__all__ = [
    "RECORD_VERSION",
    "RecordError",
    "board_results",
    "comparable",
    "fault_from_json",
    "fault_to_json",
    "record_digest",
    "record_from_json",
    "record_to_json",
    "rules_digest",
]

RECORD_VERSION = 1
"""Version of the JSON form, written as `record_version`. A reader refuses newer ones."""

_WHOLE_MAX = 2**63 - 1
_LONG_NUMBER = re.compile(rb'(?<!["0-9a-f])[0-9]{19}')  # not the digits of a hash
_RANKS = "23456789TJQKA"
_SUITS = "CDHS"
_CARD_TEXTS = ("", *(rank + suit for suit in _SUITS for rank in _RANKS))
_CARDS = {text: card for card, text in enumerate(_CARD_TEXTS) if card}

_NOT_COMPARED_SPEC = ("key", "attempt")
_NOT_COMPARED_MATCH = ("clock", "started_at", "duration_ms", "lag_us_max")
_NOT_COMPARED_DECISION = ("elapsed_us",)
_NOT_COMPARED_FAULT = ("message", "elapsed_us", "allowed_us", "lag_us", "stderr_window")


def record_to_json(record: MatchRecord) -> bytes:
    """Write a record as canonical JSON; equal records give equal bytes."""
    raw = _MATCH.written(record)
    raw["record_version"] = RECORD_VERSION
    return _canonical(raw)


def record_from_json(data: bytes) -> MatchRecord:
    """Read what `record_to_json` wrote, spaces and the order of keys apart.

    Raises:
        RecordError: not JSON, of a newer version, or a key or value missing, unknown or of a wrong type.
    """
    raw = _parsed(data)
    if not isinstance(raw, dict):
        raise RecordError(f"is {shown(raw)} where an object was expected")
    version = raw.pop("record_version", None)
    if type(version) is not int or version < 1:
        raise RecordError(f"is {shown(version)}, not a version number from 1", "record_version")
    if version > RECORD_VERSION:
        raise RecordError(
            f"is {version}, but this version reads up to {RECORD_VERSION}: install a newer hearts-arena",
            "record_version",
        )
    record: MatchRecord = _MATCH.read(raw)
    _check_seats(record)
    return record


def fault_to_json(fault: Fault) -> bytes:
    """Write one fault as it stands in a record."""
    return _canonical(_FAULT.written(fault))


def fault_from_json(data: bytes) -> Fault:
    """Read what `fault_to_json` wrote; raises RecordError on anything else."""
    fault: Fault = _FAULT.read(_parsed(data))
    return fault


def record_digest(data: bytes) -> str:
    """SHA-256 of a record's canonical JSON, in hex."""
    return hashlib.sha256(data).hexdigest()


def comparable(record: MatchRecord) -> bytes:
    """What must be the same when deterministic bots play a match again, as canonical JSON.

    Left out is what another run changes by nature: times and clocks, the attempt and the key made from it, a
    fault's sentence (it may tell times) and where stderr stood, and answers that came too late to answer anything.
    """
    raw = _MATCH.written(replace(record, strays=()))
    _drop(raw, _NOT_COMPARED_MATCH)
    _drop(raw["spec"], _NOT_COMPARED_SPEC)
    for deal in raw["deals"]:
        for decision in deal["decisions"]:
            _drop(decision, _NOT_COMPARED_DECISION)
    for fault in raw["faults"]:
        _drop(fault, _NOT_COMPARED_FAULT)
    return _canonical(raw)


def rules_digest(rules: Mapping[str, object]) -> str:
    """The digest of a rule set as a record holds it: equal rules are equal by any name.

    Raises:
        RecordError: these are no rules that can be played.
    """
    return _rules_digest(_canonical(rules))


@cache
def _rules_digest(rules: bytes) -> str:
    try:
        return RuleSet.from_dict(json.loads(rules)).digest()
    except RulesError as error:
        raise RecordError(f"cannot be played: {error}", "rules") from error


def board_results(record: MatchRecord) -> list[BoardResult]:
    """The rated observations of a match: one per deal, or the match itself where it went to a target.

    All rotations of a board set share the `deal_id` of a deal, so that they are counted as one cluster.
    """
    spec = record.spec
    cluster = f"{spec.board_set}.{spec.attempt}"
    digest = rules_digest(record.rules)
    if spec.deals == 0:
        units = [(cluster, record.totals, record.autopilot)]
    else:
        units = [(f"{cluster}.{deal.deal_number}", deal.scores, deal.autopilot) for deal in record.deals]
    return [
        BoardResult(
            match_id=spec.key,
            deal_id=deal_id,
            number=spec.number,
            round_number=spec.round_number,
            unit="board" if spec.deals else "match",
            rules=digest,
            bots=spec.bots,
            points=tuple(float(score) for score in scores),
            places=_rated_places(scores, autopilot, record.places if spec.deals == 0 else None),
            autopilot=autopilot,
            deals=1 if spec.deals else len(record.deals),
        )
        for deal_id, scores, autopilot in units
    ]


def _rated_places(
    scores: tuple[int, ...], autopilot: tuple[bool, ...], judged: tuple[int, ...] | None
) -> tuple[int, ...]:
    """Places of a board: judged or counted, or offenders last and the others level (docs/statistics.md)."""
    if any(autopilot):
        behind = autopilot.count(False) + 1
        return tuple(behind if flag else 1 for flag in autopilot)
    if judged is not None:
        return judged  # a tie at the target may have been broken
    return rank_places(scores)


def _canonical(raw: object) -> bytes:
    text = json.dumps(raw, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    # A file name that is no UTF-8 holds lone surrogates; as JSON's own escapes they survive the round trip.
    return text.encode("utf-8", "backslashreplace")


def _parsed(data: bytes) -> object:
    whole = (
        _whole if _LONG_NUMBER.search(data) else None
    )  # reading each number here takes as long again as all the rest
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse_number, parse_float=_finite, parse_int=whole)
    except RecordError:
        raise
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:  # the last: endless nesting
        raise RecordError(f"is not JSON text in UTF-8: {error}") from error


def _drop(raw: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in keys:
        del raw[key]


def _refuse_number(text: str) -> object:
    raise RecordError(f"holds {text}, which is no JSON number")


def _finite(text: str) -> object:
    number = float(text)
    return number if math.isfinite(number) else _refuse_number(shown(text))


def _whole(text: str) -> int:
    """Read a whole number that a store can hold; far longer ones no `int` reads."""
    if len(text) > len(str(_WHOLE_MAX)) + 1 or not -_WHOLE_MAX <= (number := int(text)) <= _WHOLE_MAX:
        raise RecordError(f"is no record: a whole number in it has {len(text)} digits")
    return number


def _check_seats(record: MatchRecord) -> None:
    """A finished match has deals, everything told per seat is told for each, and no other seat is named."""
    if not record.deals:
        raise RecordError("is empty, but a finished match has at least one deal", "deals")
    seats = len(record.spec.bots)
    told: list[tuple[str, tuple[object, ...]]] = [
        (name, getattr(record, name)) for name in ("versions", "content", "places", "totals")
    ]
    for index, deal in enumerate(record.deals):
        told += [
            (f"deals[{index}].{name}", getattr(deal, name))
            for name in ("hands", "points", "scores", "totals", "autopilot")
        ]
    for path, values in told:
        if len(values) != seats:
            raise RecordError(f"has {len(values)} entries for {seats} seats", path)
    named = {decision.seat for deal in record.deals for decision in deal.decisions}
    named.update(fault.seat for fault in record.faults)
    named.update(stray.seat for stray in record.strays)
    if not named <= set(range(seats)):
        raise RecordError(
            f"name the seats {sorted(named)}, but the table has {seats}", "decisions, faults and strays"
        )


def _stretch() -> Codec:
    """A file with the first and last byte in it."""

    def read(raw: object) -> tuple[str, int, int]:
        if type(raw) is list and [type(item) for item in raw] == [str, int, int]:
            return (raw[0], raw[1], raw[2])
        raise RecordError(f"is {shown(raw)}, not a list of file name, first and last byte")

    return Codec(list, read)


def _read_card(raw: object) -> int:
    card = _CARDS.get(raw) if type(raw) is str else None
    if card is None:
        raise RecordError(f"is {shown(raw)}, which is no card such as 'QS'")
    return card


def _read_answer_card(raw: object) -> int:
    return raw if type(raw) is int else _read_card(raw)


def _write_answer_card(value: int) -> str | int:
    """What a bot sent may be no card at all; then the number itself is the evidence."""
    return _CARD_TEXTS[value] if 1 <= value <= len(_CARDS) else value


_INT = plain(int, "an integer")
_TEXT = plain(str, "a text")
_FLAG = plain(bool, "true or false")
_OBJECT = plain(dict, "an object")
_INTS = many(_INT)
_TEXTS = many(_TEXT)
_CARD_LIST = many(Codec(_CARD_TEXTS.__getitem__, _read_card))
_ANSWER = many(Codec(_write_answer_card, _read_answer_card))

_SPEC = structure(
    MatchSpec,
    key=_TEXT,
    number=_INT,
    round_number=_INT,
    board_set=_INT,
    attempt=_INT,
    rotation=_INT,
    bots=_TEXTS,
    deals=_INT,
)
_CLOCK = structure(TimeControl, **{field.name: _INT for field in fields(TimeControl)})
_FAULT = structure(
    Fault,
    kind=choice(FaultKind),
    blame=choice(Blame),
    seat=_INT,
    deal_number=_INT,
    turn_number=_INT,
    turn_kind=optional(choice(TurnKind)),
    breach=optional(_TEXT),
    message=_TEXT,
    ruling=optional(choice(Ruling)),
    legal=_CARD_LIST,
    answer=_ANSWER,
    elapsed_us=_INT,
    allowed_us=_INT,
    lag_us=_INT,
    exit_code=optional(_INT),
    stderr_window=optional(_stretch()),
)
_DECISION = structure(
    DecisionRecord,
    turn_number=_INT,
    seat=_INT,
    kind=choice(TurnKind),
    cards=_CARD_LIST,
    moon_choice=optional(_TEXT),
    decided_by=choice(DecidedBy),
    elapsed_us=_INT,
    note=_TEXT,
)
_DEAL = structure(
    DealRecord,
    deal_number=_INT,
    dealer=_INT,
    pass_offset=_INT,
    hands=many(_CARD_LIST),
    widow=_CARD_LIST,
    decisions=many(_DECISION),
    winners=many(optional(_INT)),
    points=_INTS,
    moon_seat=optional(_INT),
    scores=_INTS,
    totals=_INTS,
    autopilot=many(_FLAG),
    revoked_seat=optional(_INT),
)
_STRAY = structure(Stray, seat=_INT, kind=choice(StrayKind), count=_INT)
_MATCH = structure(
    MatchRecord,
    {"strays": ()},
    spec=_SPEC,
    rules=_OBJECT,
    ruling=choice(Ruling),
    faults_max=_INT,
    clock=_CLOCK,
    versions=_TEXTS,
    content=_TEXTS,
    deals=many(_DEAL),
    places=_INTS,
    totals=_INTS,
    faults=many(_FAULT),
    started_at=_TEXT,
    duration_ms=_INT,
    lag_us_max=_INT,
    strays=many(_STRAY),
)
