"""What a store knows besides match records, as plain rows: for publishing it whole and reading it back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

from referee.record_json import record_digest
from referee.store import schema
from referee.store.model import StoreError, TournamentMeta
from referee.store.store import Store

Ledger = dict[str, Any]
_TABLES = (schema.attempts, schema.events, schema.corrections)
_NAMES = ("tournament", *(table.name for table in _TABLES))
_NOTHING = object()  # where one side has no such key


def ledger_of(store: Store) -> Ledger:
    """Everything in a store but its matches: whose it is, voided attempts, events, corrections."""
    rows = {table.name: store.plain_rows(table) for table in _TABLES}
    return {"tournament": asdict(store.tournament), **rows}


def store_of(ledger: Ledger, path: str) -> Store:
    """Make a store again from its ledger; its matches are to be added.

    Raises:
        StoreError: the ledger is not what `ledger_of` gives.
    """
    with ExitStack() as undo:
        try:
            store = Store.create(path, TournamentMeta(**ledger["tournament"]))
            undo.callback(store.close)
            for table in _TABLES:
                store.insert_rows(table, ledger[table.name])
        except (KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"the ledger of the tournament is damaged: {error}") from error
        undo.pop_all()
    return store


def ledger_differences(told: Ledger, made: Ledger) -> list[tuple[str, str]]:
    """What one ledger tells otherwise than another: table and row, and what stands there."""
    found: list[tuple[str, str]] = []
    for name in _NAMES:
        told_rows, made_rows = (_rows(ledger.get(name)) for ledger in (told, made))
        if len(told_rows) != len(made_rows):
            found.append((name, f"{len(told_rows)} rows were published, the store has {len(made_rows)}"))
        for index, (one, other) in enumerate(zip(told_rows, made_rows, strict=False), 1):
            found += [
                (f"{_row(name, index, other)}: {path}", f"{said} was published, not {value}")
                for path, said, value in value_differences(one, other)
            ]
    return found


def value_differences(told: Any, made: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Each value in which two JSON values differ: its path, such as `config.bot[2].name`, and both, as text.

    A text that holds a JSON object is looked into like the object itself.
    """
    one, other = _parsed(told), _parsed(made)
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*other, *one]):
            name = f"{path}.{key}" if path else str(key)
            yield from value_differences(one.get(key, _NOTHING), other.get(key, _NOTHING), name)
    elif isinstance(one, list) and isinstance(other, list):
        for index, (left, right) in enumerate(zip_longest(one, other, fillvalue=_NOTHING)):
            yield from value_differences(left, right, f"{path}[{index}]")
    elif told != made:
        yield path, _shown(told), _shown(made)


def row_digests(ledger: Ledger) -> dict[str, list[str]]:
    """A digest of each row, so that a ledger that was changed says in which."""
    return {name: [record_digest(_text(row)) for row in _rows(ledger.get(name))] for name in _NAMES}


def changed_rows(ledger: Ledger, digests: dict[str, list[str]]) -> list[str]:
    """Name the rows that do not fit the digests that were made of them."""
    found: list[str] = []
    for name, told in row_digests(ledger).items():
        pairs = zip_longest(told, digests.get(name, ()))
        rows = _rows(ledger.get(name))
        found += [
            _row(name, index, rows[index - 1] if index <= len(rows) else {})
            for index, (one, other) in enumerate(pairs, 1)
            if one != other
        ]
    return found


def _row(name: str, index: int, row: dict[str, Any]) -> str:
    return f"{name} row {row.get('id', index)}"


def _text(row: dict[str, Any]) -> bytes:
    return json.dumps(row, sort_keys=True, separators=(",", ":")).encode()


def _parsed(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) and value[:1] == "{" else value
    except (ValueError, RecursionError):
        return value


def _shown(value: Any) -> str:
    return "nothing" if value is _NOTHING else repr(value)


def _rows(rows: Any) -> list[dict[str, Any]]:
    return rows if isinstance(rows, list) else [rows or {}]
