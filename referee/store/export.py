"""A store's records as JSON Lines, to be checked, moved or analysed anywhere.

The first line says whose records follow, every further line is the canonical JSON of one record in schedule
order, and the last one gives their number and root and a digest of the first line, so that a file cut short or
changed is noticed. Equal stores give equal bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import BinaryIO

from referee.record_json import RecordError, record_digest, record_from_json
from referee.records import MatchRecord
from referee.store.model import StoreError, TournamentMeta
from referee.store.reading import chain
from referee.store.store import Store

EXPORT_VERSION = 1
"""Version of the file's form, in its first line."""


def write_records(store: Store, stream: BinaryIO, meta: TournamentMeta | None = None) -> int:
    """Write all finished matches of a store and return how many they are.

    Args:
        store: of the tournament.
        stream: where to write.
        meta: what the first line says; by default what the store says.

    Raises:
        StoreError: a record is damaged.
        OSError: the stream cannot be written.
    """
    meta = meta or store.tournament
    stream.write(_first_line(meta) + b"\n")
    digests = []
    for _, data in store.records_json():
        stream.write(data + b"\n")
        digests.append(record_digest(data))
    stream.write(_last_line(meta, digests) + b"\n")
    return len(digests)


def read_tournament(stream: BinaryIO, name: str) -> TournamentMeta:
    """Whose records a file holds; `read_records` goes on from there.

    Args:
        stream: the file, at its beginning.
        name: the file's name, for messages.

    Raises:
        StoreError: the file is no export, or one of a newer version.
    """
    try:
        head = json.loads(stream.readline())
        version = head.pop("export_version")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{name}: line 1 is not the head of an export of records") from error
    if type(version) is not int or version > EXPORT_VERSION:
        raise StoreError(
            f"{name}: the export has version {version}, this one reads up to {EXPORT_VERSION}: "
            "install a newer hearts-arena"
        )
    names = {field.name for field in fields(TournamentMeta)}
    if head.keys() != names or not all(isinstance(value, str) for value in head.values()):
        raise StoreError(f"{name}: line 1 does not say the tournament: its keys must be {', '.join(sorted(names))}")
    return TournamentMeta(**head)


def read_records(stream: BinaryIO, name: str, meta: TournamentMeta) -> Iterator[MatchRecord]:
    """The records of a file whose first line has been read, checked against its last.

    Args:
        stream: the file, behind its first line.
        name: the file's name, for messages.
        meta: what `read_tournament` gave.

    Raises:
        StoreError: a line is no record, or the file was cut short or changed.
    """
    digests: list[str] = []
    for number, line in enumerate(stream, 2):
        data = line.removesuffix(b"\n")
        if data.startswith(b'{"matches":'):
            if data != _last_line(meta, digests):
                raise StoreError(f"{name}: line {number} does not fit line 1 and the records: the file was changed")
            return
        try:
            record = record_from_json(data)
        except RecordError as error:
            raise StoreError(f"{name}: line {number}: {error}") from error
        digests.append(record_digest(data))
        yield record
    raise StoreError(f"{name}: the last line is missing: the file was cut short after {len(digests)} records")


def _first_line(meta: TournamentMeta) -> bytes:
    return _line({"export_version": EXPORT_VERSION, **asdict(meta)})


def _last_line(meta: TournamentMeta, digests: list[str]) -> bytes:
    head = record_digest(_first_line(meta))
    return _line({"matches": len(digests), "root": chain(digests), "tournament": head})


def _line(value: dict[str, object]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
