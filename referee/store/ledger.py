"""What a store knows besides match records, as plain rows: for publishing it whole and reading it back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from referee.records import MatchRecord
from referee.store import schema
from referee.store.model import StoreError, TournamentMeta
from referee.store.store import Store

Ledger = dict[str, Any]
_TABLES = (schema.attempts, schema.faults, schema.events, schema.corrections)
_RECORDS_AT_ONCE = 64


def ledger_of(store: Store) -> Ledger:
    """Everything in a store but the matches: whose it is, voided attempts with their faults, events, corrections."""
    rows = {table.name: store.plain_rows(table) for table in _TABLES}
    rows["faults"] = [row for row in rows["faults"] if row["attempt_id"] is not None]
    return {"tournament": asdict(store.tournament), **rows}


def fill_from(ledger: Ledger, records: Iterator[MatchRecord], path: str) -> Store:
    """Make a store again from its ledger and its records.

    Raises:
        StoreError: the ledger is not what `ledger_of` gives, or the records are refused.
    """
    try:
        store = Store.create(path, TournamentMeta(**ledger["tournament"]))
    except (KeyError, TypeError) as error:
        raise StoreError(f"the ledger of the tournament is damaged: {error}") from error
    try:
        for group in iter(lambda: [record for _, record in zip(range(_RECORDS_AT_ONCE), records, strict=False)], []):
            store.add_matches(group)
        for table in _TABLES:
            # Faults of finished matches came with them and have numbers of their own.
            rows = [{k: v for k, v in row.items() if table is not schema.faults or k != "id"} for row in ledger[table.name]]
            store.insert_rows(table, rows)
    except (KeyError, TypeError, AttributeError) as error:
        store.close()
        raise StoreError(f"the ledger of the tournament is damaged: {error}") from error
    except BaseException:
        store.close()
        raise
    return store
