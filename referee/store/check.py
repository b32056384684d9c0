"""A store held against its own records: every row that results come from, worked out again."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from referee.record_json import RecordError, record_digest, record_from_json
from referee.records import MatchRecord
from referee.store import schema
from referee.store.model import StoreError
from referee.store.reading import SCHEDULE_ORDER
from referee.store.rows import MatchRows, Row, rows_of

_PAGE = 64


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """The rows of one finished match as they stand, by table, and the rule set that they point to."""

    match_id: int
    rows: Mapping[str, list[Row]]
    rules: tuple[str, str] | None  # digest and name


@dataclass(frozen=True, slots=True)
class RowProblem:
    """A value in the store that is not what its records say."""

    name: str  # table and column
    message: str


@dataclass(frozen=True, slots=True)
class CheckedMatch:
    """One finished match as the store has it: its record, None where that cannot be read, and what is wrong."""

    number: int
    key: str
    digest: str  # of the record as it is; empty where it cannot be unpacked
    record: MatchRecord | None
    problems: tuple[RowProblem, ...]
    thinking: Mapping[tuple[str, int], int]  # how many of its decisions fall into a bucket, by bot and bucket


def stored_matches(connection: Connection) -> Iterator[list[StoredMatch]]:
    """All finished matches in schedule order, some at a time."""
    ids = connection.scalars(select(schema.matches.c.id).order_by(*SCHEDULE_ORDER)).all()
    rule_sets = {row.id: (row.digest, row.name) for row in connection.execute(select(schema.rule_sets))}
    for start in range(0, len(ids), _PAGE):
        page = ids[start : start + _PAGE]
        rows = {
            table.name: _by_match(connection, table, page)
            for table in (schema.matches, schema.seats, schema.boards, schema.records, schema.faults)
        }
        if lost := set(page) - rows["matches"].keys():  # an index says otherwise than its table
            raise StoreError(
                f"table matches of the store is damaged: ids {sorted(lost)[:3]} are listed and not found"
            )
        yield [
            StoredMatch(
                match_id,
                {name: found.get(match_id, []) for name, found in rows.items()},
                rule_sets.get(rows["matches"][match_id][0]["rule_set_id"]),
            )
            for match_id in page
        ]


def check_totals(connection: Connection, expected: Mapping[tuple[str, int], int]) -> list[RowProblem]:
    """Check what is kept over all matches together.

    Args:
        connection: to the store.
        expected: the sums of `thinking_counts`.
    """
    table = schema.thinking
    found = {(row.bot, row.bucket): row.decisions for row in connection.execute(select(table))}
    problems = [
        RowProblem(f"thinking.{bot}.{bucket}", f"{found.get((bot, bucket))} is stored, the records give {count}")
        for (bot, bucket), count in sorted(expected.items())
        if found.get((bot, bucket)) != count
    ]
    problems += [
        RowProblem("thinking", f"{key} is in no record") for key in map(repr, found.keys() - expected.keys())
    ]
    known = set(connection.scalars(select(schema.matches.c.id)))
    for table in (schema.seats, schema.boards, schema.records):
        if strays := set(connection.scalars(select(table.c.match_id))) - known:
            problems.append(RowProblem(table.name, f"rows of no finished match: {sorted(strays, key=repr)[:3]}"))
    if connection.scalar(select(func.count()).select_from(schema.matches)) != len(known):
        problems.append(RowProblem("matches", "an id is there twice"))
    return problems


def _by_match(connection: Connection, table: Any, page: Sequence[int]) -> dict[int, list[Row]]:
    by_match: dict[int, list[Row]] = defaultdict(list)
    key = table.c.id if table is schema.matches else table.c.match_id
    query = select(table).where(key.in_(page)).order_by(*table.primary_key.columns)
    try:
        for row in connection.execute(query).mappings():
            by_match[row[key.name]].append(dict(row))
    except (ValueError, TypeError) as error:  # bytes that are no text, or none of the column's values
        raise StoreError(f"table {table.name} of the store is damaged: a value cannot be read: {error}") from error
    return by_match


def check_match(stored: StoredMatch) -> CheckedMatch:
    """Hold the rows of a match against its record. Pure."""
    match_id, rows = stored.match_id, stored.rows
    number, key = rows["matches"][0]["number"], rows["matches"][0]["key"]
    if len(rows["records"]) != 1:
        return _unreadable(number, key, "", "records", "the record is missing")
    body = rows["records"][0]["body"]
    try:
        data = zlib.decompress(body)
    except (zlib.error, TypeError) as error:
        return _unreadable(number, key, "", "records.body", f"cannot be unpacked: {error}")
    digest = record_digest(data)
    try:
        record = record_from_json(data)
        expected = rows_of(record, match_id, body=data, packed=body)
    except RecordError as error:
        return _unreadable(number, key, digest, "records.body", str(error))
    return CheckedMatch(
        number, key, digest, record, tuple(_row_problems(stored, expected)), thinking_counts(expected)
    )


def thinking_counts(rows: MatchRows) -> dict[tuple[str, int], int]:
    """How many decisions of a match fall into each bucket of thinking time, by bot and bucket."""
    return {(bot, bucket): count for bot, counts in rows.thinking.items() for bucket, count in counts.items()}


def _unreadable(number: int, key: str, digest: str, name: str, message: str) -> CheckedMatch:
    return CheckedMatch(number, key, digest, None, (RowProblem(name, message),), {})


def _row_problems(stored: StoredMatch, expected: MatchRows) -> Iterator[RowProblem]:
    rows = stored.rows
    match = {column: value for column, value in rows["matches"][0].items() if column != "rule_set_id"}
    if stored.rules != expected.rules:
        message = f"is not that of the rules {expected.rules[1]!r} in rule_sets, under which the record was played"
        yield RowProblem("matches.rule_set_id", message)
    pairs = (
        ("matches", [match], [expected.match]),
        ("seats", rows["seats"], expected.seats),
        ("boards", rows["boards"], expected.boards),
        ("records", rows["records"], [expected.record]),
        ("faults", [{k: v for k, v in row.items() if k != "id"} for row in rows["faults"]], expected.faults),
    )
    for table, found, wanted in pairs:
        if len(found) != len(wanted):
            yield RowProblem(table, f"{len(found)} rows are stored, the record gives {len(wanted)}")
            continue
        for one, other in zip(found, wanted, strict=True):
            for column, value in other.items():
                if one[column] != value or type(one[column]) is not type(value):
                    yield RowProblem(f"{table}.{column}", f"{one[column]!r} is stored, the record gives {value!r}")
