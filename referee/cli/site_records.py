"""The evidence in a published site: every record and everything else that results follow from, and back."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from referee.config import TournamentConfig
from referee.plan import revealed_seed
from referee.record_json import record_digest
from referee.store import Store, StoreError, TournamentMeta
from referee.store.export import read_records, read_tournament, write_records
from referee.store.ledger import Ledger, fill_from, ledger_of

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
    meta = replace(store.tournament, config=json.dumps(_without_paths(config.to_dict())))
    records.parent.mkdir(parents=True, exist_ok=True)
    for path, data in ((records, _records(store, meta)), (ledger, _ledger(store, meta, replays))):
        draft = path.with_name(f".{path.name}.new")
        draft.write_bytes(data)
        draft.replace(path)
    return (records, ledger)


def _records(store: Store, meta: TournamentMeta) -> bytes:
    stream = io.BytesIO()
    write_records(store, stream, meta)
    return stream.getvalue()


def _ledger(store: Store, meta: TournamentMeta, replays: int) -> bytes:
    ledger = ledger_of(store) | {"tournament": asdict(meta)}
    return _signed({"replays": replays, "root": store.root(), "ledger": ledger})


def _signed(content: dict[str, Any]) -> bytes:
    """Canonical JSON with a digest of itself, so that no byte of it can change alone."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return json.dumps({"digest": record_digest(text.encode()), **content}, indent=1).encode() + b"\n"


def _without_paths(config: dict[str, Any]) -> dict[str, Any]:
    """The configuration without the folders and files of the organiser's machine."""
    for bot in config["bot"]:
        bot["path"] = None if bot["path"] is None else Path(bot["path"]).name
    config["house"] = {"bots": [Path(path).name for path in config["house"]["bots"]]}
    config["listen"] = {}
    return config


def open_site(site: Path, scratch: Path) -> tuple[Store, int]:
    """Make the store of a published tournament again, in a scratch folder; with it, how many replays were shown.

    Raises:
        StoreError: a file is missing, cut short or changed.
    """
    data = (site / LEDGER).read_bytes()
    try:
        content = json.loads(data)
        del content["digest"]
        is_whole = _signed(content) == data
        replays, ledger = int(content["replays"]), content["ledger"]
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{site / LEDGER}: is damaged: {error}") from error
    if not is_whole:
        raise StoreError(f"{site / LEDGER}: does not fit the digest in it: it was changed")
    with (site / RECORDS).open("rb") as stream:
        name = str(site / RECORDS)
        records = read_records(stream, name, read_tournament(stream, name))
        return fill_from(ledger, records, str(scratch / "tournament.db")), replays


def open_export(file: Path, scratch: Path) -> Store:
    """Make a store of an export's records, in a scratch folder.

    Raises:
        StoreError: the file is cut short or changed.
    """
    with file.open("rb") as stream:
        meta = read_tournament(stream, str(file))
        empty: Ledger = {name: [] for name in ("attempts", "faults", "events", "corrections")}
        ledger: Ledger = {"tournament": asdict(meta), **empty}
        return fill_from(ledger, read_records(stream, str(file), meta), str(scratch / "tournament.db"))
