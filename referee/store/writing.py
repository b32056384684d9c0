"""Statements that add to a store, each inside the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, bindparam, func, insert, select

from referee.records import MatchRecord
from referee.store import schema
from referee.store.model import Attempt, Event, TournamentMeta
from referee.store.rows import MatchRows, rows_of

_KEYS_MAX = 500  # in one query; databases bound the number of parameters


def add_matches(connection: Connection, records: Sequence[MatchRecord]) -> int:
    """Add those of the records whose key is not there yet, and return how many they were."""
    known = _known_keys(connection, [record.spec.key for record in records])
    match_id: int = connection.execute(select(func.coalesce(func.max(schema.matches.c.id), 0))).scalar_one()
    rows: list[MatchRows] = []
    for record in records:
        if record.spec.key not in known:
            known.add(record.spec.key)
            match_id += 1
            rows.append(rows_of(record, match_id))
    if rows:
        add_rows(connection, rows)
    return len(rows)


def _known_keys(connection: Connection, keys: Sequence[str]) -> set[str]:
    known: set[str] = set()
    for start in range(0, len(keys), _KEYS_MAX):
        part = keys[start : start + _KEYS_MAX]
        known.update(connection.scalars(select(schema.matches.c.key).where(schema.matches.c.key.in_(part))))
    return known


def add_rows(connection: Connection, rows: Sequence[MatchRows]) -> None:
    """Add matches whose ids and keys are not there yet."""
    rule_set_ids = _rule_set_ids(connection, [each.rules for each in rows])
    matches = [each.match | {"rule_set_id": rule_set_ids[each.rules[0]]} for each in rows]
    connection.execute(insert(schema.matches), matches)
    connection.execute(insert(schema.seats), [row for each in rows for row in each.seats])
    connection.execute(insert(schema.boards), [row for each in rows for row in each.boards])
    connection.execute(insert(schema.records), [each.record for each in rows])
    faults = [row for each in rows for row in each.faults]
    if faults:
        connection.execute(insert(schema.faults), faults)
    _add_thinking(connection, rows)


def _rule_set_ids(connection: Connection, rules: Iterable[tuple[str, str]]) -> dict[str, int]:
    """The id of each rule set by its digest; those met for the first time are added."""
    table = schema.rule_sets
    ids = {digest: number for number, digest in connection.execute(select(table.c.id, table.c.digest))}
    for digest, name in rules:
        if digest not in ids:
            ids[digest] = len(ids) + 1
            connection.execute(insert(table), {"id": ids[digest], "digest": digest, "name": name})
    return ids


def _add_thinking(connection: Connection, rows: Sequence[MatchRows]) -> None:
    """Add the counts of these matches to those of all matches; only one writer is ever at work."""
    added: dict[tuple[str, int], int] = {}
    for each in rows:
        for bot, counts in each.thinking.items():
            for bucket, decisions in counts.items():
                added[bot, bucket] = added.get((bot, bucket), 0) + decisions
    table = schema.thinking
    bots = sorted({bot for bot, _ in added})
    there = select(table.c.bot, table.c.bucket).where(table.c.bot.in_(bots))
    known = set(connection.execute(there))
    counted = [{"b_bot": bot, "b_bucket": bucket, "more": more} for (bot, bucket), more in added.items()]
    increase = (
        table.update()
        .where(table.c.bot == bindparam("b_bot"), table.c.bucket == bindparam("b_bucket"))
        .values(decisions=table.c.decisions + bindparam("more"))
    )
    old = [each for each in counted if (each["b_bot"], each["b_bucket"]) in known]
    new = [
        {"bot": each["b_bot"], "bucket": each["b_bucket"], "decisions": each["more"]}
        for each in counted
        if (each["b_bot"], each["b_bucket"]) not in known
    ]
    if old:
        connection.execute(increase, old)
    if new:
        connection.execute(insert(table), new)


def add_attempt(connection: Connection, attempt: Attempt) -> None:
    """Add a voided attempt."""
    values = {
        "key": attempt.key,
        "number": attempt.number,
        "board_set": attempt.board_set,
        "attempt": attempt.attempt,
        "rotation": attempt.rotation,
        "whole_board_set": attempt.whole_board_set,
        "blame": attempt.blame.value,
        "reason": attempt.reason,
        "at": attempt.at,
    }
    connection.execute(insert(schema.attempts), values)


def add_event(connection: Connection, event: Event) -> None:
    """Add an event."""
    data = json.dumps(dict(event.data), sort_keys=True)
    values = {"at": event.at, "kind": event.kind, "message": event.message, "data": data}
    connection.execute(insert(schema.events), values)


def add_tournament(connection: Connection, meta: TournamentMeta) -> None:
    """Add the one row that says whose store this is."""
    connection.execute(
        insert(schema.tournament),
        {
            "tournament": meta.tournament,
            "name": meta.name,
            "commitment": meta.commitment,
            "config": meta.config,
            "created_at": meta.created_at,
            "software": meta.software,
        },
    )
