"""What a store knows besides match records, as plain rows: for publishing it whole and reading it back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any

from referee.records import MatchRecord
from referee.store import schema
from referee.store.model import StoreError, TournamentMeta
from referee.store.store import Store

Ledger = dict[str, Any]
_TABLES = (schema.attempts, schema.faults, schema.events, schema.corrections)
_RECORDS_AT_ONCE = 64


def ledger_of(store: Store) -> Ledger:
    """Everything in a store but its matches: whose it is, voided attempts and their faults, events, corrections."""
    rows = {table.name: store.plain_rows(table) for table in _TABLES}
    voided = [row for row in rows["faults"] if row["attempt_id"] is not None]
    rows["faults"] = [{k: v for k, v in row.items() if k != "id"} for row in voided]  # numbered anew in each store
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
        while group := list(islice(records, _RECORDS_AT_ONCE)):
            store.add_matches(group)
        for table in _TABLES:
            store.insert_rows(table, ledger[table.name])
    except BaseException as error:
        store.close()
        if isinstance(error, (KeyError, TypeError, AttributeError)):
            raise StoreError(f"the ledger of the tournament is damaged: {error}") from error
        raise
    return store
