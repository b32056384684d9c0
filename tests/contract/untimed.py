"""A tournament published again as if nothing in it had taken any time: what two runs of one must have in common."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from typer.testing import CliRunner

from referee.cli.main import app
from referee.cli.results import publish_results
from referee.cli.tournament_folder import TournamentFolder
from referee.record_json import comparable
from referee.records import MatchRecord
from referee.store.ledger import ledger_of, store_of

PUBLISHED = ("standings.json", "standings.csv", "standings.md", "standings.txt", "crosstable.csv")
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
        with store_of(ledger, f"{scratch}/untimed.db") as again:
            again.add_matches([untimed(record) for record in store.records()])
            publish_results(place, config, again, out=Path(scratch) / "out")
        out = Path(scratch) / "out"
        return {str(file.relative_to(out)): file.read_bytes() for file in out.rglob("*") if file.is_file()}


def assert_same(one: Path, other: Path) -> None:
    """See that all that two runs of a tournament have in common is the same to the byte."""
    for name in PUBLISHED:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name
    assert ratings_of(one) == ratings_of(other)
    with TournamentFolder(one).read() as here, TournamentFolder(other).read() as there:
        records = [[comparable(record) for record in store.records()] for store in (here, there)]
    assert records[0] == records[1]
    made, expected = common_files(one), common_files(other)
    assert sorted(made) == sorted(expected)
    assert [name for name in made if made[name] != expected[name]] == []


def ratings_of(folder: Path) -> str:
    """What `hearts ratings` says of a tournament."""
    done = CliRunner().invoke(app, ["ratings", str(folder), "--json", "--history"])
    assert done.exit_code == 0, done.stderr
    return done.stdout
