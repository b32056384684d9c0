"""A tournament published again as if nothing in it had taken any time: what two runs of one must have in common."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from referee.cli.results import publish_results
from referee.cli.tournament_folder import TournamentFolder
from referee.record_json import comparable
from referee.records import MatchRecord
from referee.store import Store
from referee.store.ledger import fill_from, ledger_of

WHEN = "2026-01-01T00:00:00+00:00"


def untimed(record: MatchRecord) -> MatchRecord:
    """The record without times."""
    deals = tuple(
        replace(deal, decisions=tuple(each._replace(elapsed_us=0) for each in deal.decisions))
        for deal in record.deals
    )
    return replace(record, deals=deals, started_at=WHEN, duration_ms=0, lag_us_max=0)


def common_files(folder: Path) -> dict[str, bytes]:
    """All that a tournament publishes, made again from its store without times and voided attempts."""
    place = TournamentFolder(folder)
    config = place.config()
    with place.read() as store, tempfile.TemporaryDirectory() as scratch:
        ledger = ledger_of(store)
        ledger["tournament"]["created_at"] = WHEN
        ledger["events"] = [event | {"at": WHEN} for event in ledger["events"]]
        ledger["attempts"], ledger["faults"] = [], []
        with fill_from(ledger, map(untimed, store.records()), f"{scratch}/untimed.db") as again:
            publish_results(place, config, again, out=Path(scratch) / "out")
        out = Path(scratch) / "out"
        return {str(file.relative_to(out)): file.read_bytes() for file in out.rglob("*") if file.is_file()}


def common_records(store: Store) -> list[bytes]:
    """What of every record must be the same, in schedule order."""
    return [comparable(record) for record in store.records()]
