"""A store's records as JSON Lines, to be checked, moved or analysed anywhere.

The first line says whose records follow, every further line is the canonical JSON of one record in schedule
order. The last one gives their number, the digest of each, the root over those, and a digest of the first line, so
that a file cut short or changed is noticed, and the line that was changed is known. Equal stores give equal bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import BinaryIO

from referee.record_json import record_digest
from referee.store.model import StoreError, TournamentMeta
from referee.store.reading import chain
from referee.store.store import Store

EXPORT_VERSION = 1
"""Version of the file's form, in its first line."""

_RECORD_MARK = b'"record_version":'  # in every record, never in the first or the last line


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One record of an export as it stands there."""

    number: int  # of the line, from 1
    data: bytes


@dataclass(frozen=True, slots=True)
class LineProblem:
    """What is wrong with a line; 0 where no line is to blame."""

    number: int
    message: str


@dataclass(frozen=True, slots=True)
class _Last:
    """What the last line tells of those before it."""

    digests: tuple[str, ...]
    matches: int
    root: str
    tournament: str  # digest of the first line


def is_record(line: bytes) -> bool:
    """Whether a line of an export is, or was, a record: not the first nor the last one."""
    return _RECORD_MARK in line


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
    stream.write(_last_line(_Last(tuple(digests), len(digests), chain(digests), _digest_of(meta))) + b"\n")
    return len(digests)


class ExportReader:
    """Reads what `write_records` wrote, line by line; once all are read, `problems` says what was changed.

    Args:
        stream: the file, at its beginning.
        name: the file's name, for messages.

    Attributes:
        meta: whose records the file holds.

    Raises:
        StoreError: the file is no export, or one of a newer version.
    """

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._first = stream.readline()
        self._last: RecordLine | None = None
        self.meta = _meta_in(self._first, name)

    def __iter__(self) -> Iterator[RecordLine]:
        """The lines of the records."""
        held: RecordLine | None = None
        for number, line in enumerate(self._stream, 2):
            if held is not None:
                yield held
            held = RecordLine(number, line.removesuffix(b"\n"))
        if held is not None and is_record(held.data):
            yield held
        else:
            self._last = held

    def problems(self, digests: Sequence[str]) -> Iterator[LineProblem]:
        """Hold the lines against the last one.

        Args:
            digests: of all records, in the order of their lines, as they are.
        """
        if self._last is None:
            yield LineProblem(0, f"the last line is missing: the file was cut short after {len(digests)} records")
            return
        number = self._last.number
        told = _last_in(self._last.data)
        if told is None:
            yield LineProblem(number, "the last line is damaged")
            return
        if told.tournament != _digest_of(self.meta) or self._first != _first_line(self.meta) + b"\n":
            yield LineProblem(1, f"does not fit its digest in line {number}: one of them was changed")
        if told.matches != len(digests) or len(told.digests) != len(digests):
            yield LineProblem(number, f"tells of {told.matches} records, there are {len(digests)}")
            return
        changed = [index for index, digest in enumerate(digests) if told.digests[index] != digest]
        if chain(digests) == told.root:
            for index in changed:
                yield LineProblem(number, f"the digest of line {index + 2} in it was changed")
            return
        for index in changed:
            yield LineProblem(index + 2, f"is not the record that was written: its digest is {digests[index]}")
        if not changed:
            yield LineProblem(number, "the root in it was changed")


def _meta_in(first: bytes, name: str) -> TournamentMeta:
    try:
        head = json.loads(first)
        version = head.pop("export_version")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StoreError(f"{name}: line 1 is not the head of an export of records") from error
    if type(version) is not int or version > EXPORT_VERSION:
        raise StoreError(
            f"{name}: line 1: the export has version {version}, this one reads up to {EXPORT_VERSION}: "
            "install a newer hearts-arena"
        )
    names = {field.name for field in fields(TournamentMeta)}
    if head.keys() != names or not all(isinstance(value, str) for value in head.values()):
        raise StoreError(f"{name}: line 1 does not say the tournament: its keys must be {', '.join(sorted(names))}")
    return TournamentMeta(**head)


def _last_in(data: bytes) -> _Last | None:
    try:
        raw = json.loads(data)
        told = _Last(tuple(raw["digests"]), raw["matches"], raw["root"], raw["tournament"])
        return told if _last_line(told) == data else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _first_line(meta: TournamentMeta) -> bytes:
    return _line({"export_version": EXPORT_VERSION, **asdict(meta)})


def _digest_of(meta: TournamentMeta) -> str:
    return record_digest(_first_line(meta))


def _last_line(last: _Last) -> bytes:
    return _line(asdict(last))


def _line(value: dict[str, object]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
