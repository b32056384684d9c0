"""What a store knows besides match records, as plain rows: for publishing it whole and reading it back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from referee.store import schema
from referee.store.model import StoreError, TournamentMeta
from referee.store.store import Store

Ledger = dict[str, Any]
_TABLES = (schema.attempts, schema.faults, schema.events, schema.corrections)


def ledger_of(store: Store) -> Ledger:
    """Everything in a store but its matches: whose it is, voided attempts and their faults, events, corrections."""
    rows = {table.name: store.plain_rows(table) for table in _TABLES}
    voided = [row for row in rows["faults"] if row["attempt_id"] is not None]
    rows["faults"] = [{k: v for k, v in row.items() if k != "id"} for row in voided]  # numbered anew in each store
    return {"tournament": asdict(store.tournament), **rows}


def store_of(ledger: Ledger, path: str) -> Store:
    """Make a store again from its ledger; its matches are to be added.

    Raises:
        StoreError: the ledger is not what `ledger_of` gives.
    """
    try:
        store = Store.create(path, TournamentMeta(**ledger["tournament"]))
    except (KeyError, TypeError) as error:
        raise StoreError(f"the ledger of the tournament is damaged: {error}") from error
    try:
        for table in _TABLES:
            store.insert_rows(table, ledger[table.name])
    except BaseException as error:
        store.close()
        if isinstance(error, (KeyError, TypeError, AttributeError)):
            raise StoreError(f"the ledger of the tournament is damaged: {error}") from error
        raise
    return store


def ledger_differences(told: Ledger, made: Ledger) -> list[tuple[str, str]]:
    """What one ledger tells otherwise than another: table and row, and what stands there."""
    found: list[tuple[str, str]] = []
    for name in ("tournament", *(table.name for table in _TABLES)):
        told_rows, made_rows = (_rows(ledger.get(name)) for ledger in (told, made))
        if len(told_rows) != len(made_rows):
            found.append((name, f"{len(told_rows)} rows were published, the store has {len(made_rows)}"))
        for index, (one, other) in enumerate(zip(told_rows, made_rows, strict=False), 1):
            found += [
                (
                    f"{name} row {other.get('id', index)}: {column}",
                    f"{one.get(column)!r} was published, not {value!r}",
                )
                for column, value in other.items()
                if one.get(column) != value
            ]
    return found


def _rows(rows: Any) -> list[dict[str, Any]]:
    return rows if isinstance(rows, list) else [rows or {}]
