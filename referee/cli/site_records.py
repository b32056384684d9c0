"""The evidence in a published site: every record and everything else that results follow from, and back."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from referee.config import TournamentConfig
from referee.plan import revealed_seed
from referee.record_json import record_digest
from referee.store import Store, StoreError, TournamentMeta
from referee.store.export import ExportReader, write_records
from referee.store.ledger import Ledger, changed_rows, ledger_differences, ledger_of, row_digests, value_differences

RECORDS = "data/records.jsonl"
LEDGER = "data/tournament.json"


def write_evidence(store: Store, config: TournamentConfig, site: Path, *, replays: int) -> tuple[Path, ...]:
    """Write the records and the ledger of a tournament into its site, once its seed is revealed.

    Before that a record would tell the cards of deals that other tables have still to play; what an earlier
    publication left is removed.

    Args:
        store: of the tournament.
        config: of the tournament.
        site: the folder of its site.
        replays: how many matches the site shows card by card, so that it can be made again.
    """
    records, ledger = site / RECORDS, site / LEDGER
    if revealed_seed(store) is None:
        for path in (records, ledger):
            path.unlink(missing_ok=True)
        return ()
    meta = public_meta(store, config)
    records.parent.mkdir(parents=True, exist_ok=True)
    for path, data in ((records, _records(store, meta)), (ledger, _ledger(store, meta, replays))):
        draft = path.with_name(f".{path.name}.new")
        draft.write_bytes(data)
        draft.replace(path)
    return (records, ledger)


def public_meta(store: Store, config: TournamentConfig) -> TournamentMeta:
    """Whose a store is, without the folders and files of the organiser's machine."""
    return replace(store.tournament, config=json.dumps(_without_paths(config.to_dict())))


def _records(store: Store, meta: TournamentMeta) -> bytes:
    stream = io.BytesIO()
    write_records(store, stream, meta)
    return stream.getvalue()


def _public_ledger(store: Store, meta: TournamentMeta) -> Ledger:
    return ledger_of(store) | {"tournament": asdict(meta)}


def _ledger(store: Store, meta: TournamentMeta, replays: int) -> bytes:
    ledger = _public_ledger(store, meta)
    return _signed({"replays": replays, "root": store.root(), "ledger": ledger, "row_digests": row_digests(ledger)})


def _signed(content: dict[str, Any]) -> bytes:
    """Canonical JSON with a digest of itself, so that no byte of it can change alone.

    The digest comes last: where two files differ, their first difference is what made it another.
    """
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return json.dumps({**content, "digest": record_digest(text.encode())}, indent=1).encode() + b"\n"


def _without_paths(config: dict[str, Any]) -> dict[str, Any]:
    """The configuration without the folders, files and database of the organiser's machine."""
    config["store"] = None
    for bot in config["bot"]:
        bot["path"] = None if bot["path"] is None else Path(bot["path"]).name
    config["house"] = {"bots": [Path(path).name for path in config["house"]["bots"]]}
    config["listen"] = {}
    return config


@dataclass(frozen=True, slots=True)
class SiteLedger:
    """What a site tells besides its records."""

    ledger: Ledger
    replays: int  # matches shown card by card
    root: str
    changed: tuple[tuple[str, str], ...] = ()  # what does not fit the digests in the file: row, and a sentence


def read_ledger(site: Path) -> SiteLedger:
    """Read what a site tells of its tournament besides the records; what was changed in it is said.

    Raises:
        StoreError: the file is damaged.
        OSError: it cannot be read.
    """
    file = site / LEDGER
    data = file.read_bytes()
    try:
        content = json.loads(data)
        del content["digest"]
        is_whole = _signed(content) == data
        told = SiteLedger(content["ledger"], int(content["replays"]), str(content["root"]))
        rows = [] if is_whole else changed_rows(told.ledger, content.get("row_digests", {}))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StoreError(f"{file}: is damaged: {error}") from error
    changed = [(row, "does not fit its digest: one of them was changed") for row in rows]
    if not is_whole and not rows:
        changed = [("", "does not fit the digest in it: it was changed")]
    return replace(told, changed=tuple(changed))


def head_differences(site: Path, told: SiteLedger) -> Iterator[tuple[str, str]]:
    """What a site tells of its tournament otherwise in one file than at the head of its records.

    Raises:
        StoreError: the head of the records is damaged.
        OSError: they cannot be read.
    """
    with (site / RECORDS).open("rb") as stream:
        head = asdict(ExportReader(stream, str(site / RECORDS)).meta)
    for path, one, other in value_differences(told.ledger.get("tournament"), head):
        yield f"tournament row 1: {path}", f"{one} is told, line 1 of {RECORDS} has {other}"


def ledger_changes(store: Store, config: TournamentConfig, published: Path) -> Iterator[tuple[str, str]]:
    """Rows that a published site tells otherwise than the store: table, row and column, and what differs.

    The store is asked, not a site made of it: where the changed row is the one that reveals the seed, such a site
    would have no ledger.

    Raises:
        StoreError: the published file is damaged.
        OSError: a file cannot be read.
    """
    if (published / LEDGER).is_file():
        as_published = json.loads(json.dumps(_public_ledger(store, public_meta(store, config))))
        yield from ledger_differences(read_ledger(published).ledger, as_published)
