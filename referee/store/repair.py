"""Save what is whole from a damaged SQLite store.

Every record carries its key and digest, so one that fits its digest is enough to rebuild all rows of its match.
Rows are fetched one by one: a page that cannot be read costs the matches on it and no others.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from referee.record_json import RecordError, record_digest, record_from_json
from referee.records import Blame, MatchRecord
from referee.store import schema
from referee.store.engine import errors_said, place_of
from referee.store.model import CorrectionKind, StoreError, TournamentMeta
from referee.store.store import Store

_GROUP = 200  # matches in one transaction of the new store
_ROW_BYTES_MIN = 256  # a match takes more in all its tables; bounds how many a file of some size can hold
_HEADER_BYTES = 100
_PAGE_BYTES = 4096  # SQLite's default, which `Store.create` leaves as it is
_UNREADABLE = (sqlite3.Error, zlib.error, ValueError, TypeError, OverflowError)  # what damaged bytes can lead to
_NOBODY = TournamentMeta(tournament="", name="", commitment="", config="", created_at="", software="")


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a repair kept, and a sentence for each thing it had to drop."""

    kept: int  # matches
    dropped: tuple[str, ...]


def repair(source: Path, target: Path, *, fallback: TournamentMeta | None = None) -> Repaired:
    """Copy every whole match, and all that can be read besides, from a damaged store into a new one.

    The source is not changed: the work is done on a copy of it and its write-ahead log.

    Args:
        source: the damaged SQLite file.
        target: the store to make.
        fallback: what the store belongs to, should it no longer say so itself.

    Raises:
        StoreError: there is no source, nothing of a store can be read in it, or the target cannot be made.
    """
    if not source.is_file():
        raise StoreError(f"store {str(source)!r} does not exist: check the path")
    dropped: list[str] = []
    with errors_said(place_of(target)), tempfile.TemporaryDirectory(dir=target.parent, prefix=".repair-") as folder:
        copy = _working_copy(source, Path(folder), dropped)
        with closing(_connected(copy)) as connection:
            meta = _tournament(connection) or fallback
            if meta is None:
                raise StoreError(
                    f"store {str(source)!r} no longer says its tournament: repair it with the tournament's "
                    "configuration at hand, or take a backup"
                )
            draft = Path(folder) / "repaired.db"
            with Store.create(draft, meta) as store:
                kept = _copy_matches(connection, store, dropped)
                _copy_history(connection, store, dropped)
        if target.exists():
            raise StoreError(f"store {str(target)!r} exists already: choose another place for the repaired one")
        draft.rename(target)
    return Repaired(kept, tuple(dropped))


def _working_copy(source: Path, folder: Path, dropped: list[str]) -> Path:
    """A copy that SQLite opens: an unreadable first page is replaced by that of a fresh store of the same form."""
    copy = folder / "copy.db"
    shutil.copyfile(source, copy)
    log = Path(f"{source}-wal")
    if log.is_file():
        shutil.copyfile(log, f"{copy}-wal")
    if _opens(copy):
        return copy
    template = folder / "template.db"
    Store.create(template, _NOBODY).close()
    page = bytearray(template.read_bytes()[:_PAGE_BYTES])
    page[28:32] = (copy.stat().st_size // _PAGE_BYTES).to_bytes(4, "big")  # the database's size in pages
    for length in (_HEADER_BYTES, _PAGE_BYTES):
        with copy.open("r+b") as damaged:
            damaged.write(page[:length])
        if _opens(copy):
            dropped.append(
                "the first page of the file was damaged: that of an empty store has been put in its place"
            )
            return copy
    raise StoreError(f"{str(source)!r} holds nothing that can be read as a store: take a backup")


def _connected(path: Path) -> sqlite3.Connection:
    """A connection that also takes a file shorter than its header says, as a torn one is."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema = ON")
    return connection


def _opens(path: Path) -> bool:
    """Whether the first page says what tables there are; those below it may be damaged."""
    try:
        with closing(_connected(path)) as connection:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    except sqlite3.DatabaseError:
        return False
    return ("records",) in tables


def _tournament(connection: sqlite3.Connection) -> TournamentMeta | None:
    for row in _rows(connection, schema.tournament, "rowid", 1, {}):
        if all(isinstance(value, str) for value in row.values()):
            return TournamentMeta(**row)
    return None


def _copy_matches(connection: sqlite3.Connection, store: Store, dropped: list[str]) -> int:
    lost: dict[int, str] = {}
    kept = 0
    group: list[MatchRecord] = []
    bound = _last_match_id(connection)
    for row in _rows(connection, schema.records, "match_id", bound.probed, lost):
        try:
            group.append(_whole_record(row))
        except _UNREADABLE as error:
            lost[row["match_id"]] = f"the record is damaged ({error})"
        if len(group) == _GROUP:
            kept += store.add_matches(group)
            group.clear()
    kept += store.add_matches(group)
    unknown = {match_id for match_id in lost if match_id > bound.seen}
    if unknown:
        dropped.append(
            f"what was stored after match {bound.seen} cannot be read, and it is not known how much that was"
        )
    dropped += _sentences("match", {match_id: lost[match_id] for match_id in lost if match_id not in unknown})
    return kept


def _whole_record(row: Mapping[str, Any]) -> MatchRecord:
    data = zlib.decompress(row["body"])
    if record_digest(data) != row["digest"]:
        raise RecordError("does not fit its digest")
    return record_from_json(data)


@dataclass(frozen=True, slots=True)
class _Bound:
    seen: int  # the greatest match id found in any tree of the file
    probed: int  # how far to look: further where the ends of all trees are gone


def _last_match_id(connection: sqlite3.Connection) -> _Bound:
    """How many matches there were; their ids have no gaps.

    The greatest id of a table is on its last page. A torn file may have lost that of every table, so that the rest
    must be sounded by id.
    """
    seen, exact = 0, False
    for table, column in (
        ("matches", "id"),
        ("records", "match_id"),
        ("seats", "match_id"),
        ("boards", "match_id"),
    ):
        try:
            last = connection.execute(f"SELECT max({column}) FROM {table}").fetchone()[0] or 0  # noqa: S608
            seen, exact = max(seen, last), True
        except _UNREADABLE:
            seen = max(seen, _last_readable(connection, table, column))
    if exact:
        return _Bound(seen, seen)
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    return _Bound(seen, max(seen, pages * _PAGE_BYTES // _ROW_BYTES_MIN))


def _last_readable(connection: sqlite3.Connection, table: str, column: str) -> int:
    """The greatest id before the first page that cannot be read."""
    last = 0
    try:
        for (value,) in connection.execute(f"SELECT {column} FROM {table} ORDER BY {column}"):  # noqa: S608
            last = max(last, int(value))
    except _UNREADABLE:
        return last
    return last


def _rows(
    connection: sqlite3.Connection, table: Table, column: str, last: int, lost: dict[int, str]
) -> Iterator[dict[str, Any]]:
    """The rows of a table by id, from 1 to `last`; why one is missing goes to `lost`."""
    names = [each.name for each in table.columns]
    query = f"SELECT {', '.join(names)} FROM {table.name} WHERE {column} = ?"  # noqa: S608 - names of our own
    for row_id in range(1, last + 1):
        try:
            row = connection.execute(query, (row_id,)).fetchone()
        except _UNREADABLE as error:
            lost[row_id] = f"its page cannot be read ({error})"
            continue
        if row is None:
            lost[row_id] = "nothing is left of it"
        else:
            yield dict(zip(names, row, strict=True))


def _copy_history(connection: sqlite3.Connection, store: Store, dropped: list[str]) -> None:
    """Voided attempts, events and corrections, as they were; faults come with the records of their matches."""
    kept: dict[str, set[int]] = {}
    for table, name, check in (
        (schema.attempts, "voided attempt", _check_attempt),
        (schema.events, "event", _check_event),
        (schema.corrections, "correction", _check_correction),
    ):
        lost: dict[int, str] = {}
        rows: list[dict[str, Any]] = []
        kept[table.name] = set()
        for row in _rows(connection, table, "id", _last_id(connection, table.name), lost):
            try:
                check(row, kept)
            except _UNREADABLE as error:
                lost[row["id"]] = f"its row is damaged ({error})"
                continue
            kept[table.name].add(row["id"])
            rows.append(row)
        store.insert_rows(table, rows)
        dropped += _sentences(name, lost)


def _check_attempt(row: Mapping[str, Any], _kept: Mapping[str, set[int]]) -> None:
    Blame(row["blame"])


def _check_event(row: Mapping[str, Any], _kept: Mapping[str, set[int]]) -> None:
    json.loads(row["data"])


def _check_correction(row: Mapping[str, Any], kept: Mapping[str, set[int]]) -> None:
    CorrectionKind(row["kind"])
    if row["reverses"] is not None and row["reverses"] not in kept["corrections"]:
        raise ValueError("the correction that it reverses is lost")


def _last_id(connection: sqlite3.Connection, table: str) -> int:
    try:
        last: int = connection.execute(f"SELECT max(id) FROM {table}").fetchone()[0] or 0  # noqa: S608
    except _UNREADABLE:
        return _last_readable(connection, table, "id")
    return last


def _sentences(name: str, lost: Mapping[int, str]) -> list[str]:
    """One sentence for each run of neighbours that were lost for the same reason."""
    runs: list[tuple[int, int, str]] = []
    for number in sorted(lost):
        if runs and runs[-1][1] == number - 1 and runs[-1][2] == lost[number]:
            runs[-1] = (runs[-1][0], number, lost[number])
        else:
            runs.append((number, number, lost[number]))
    return [
        f"{name} {first}: {reason}" if first == last else f"{name} {first} to {last}, each: {reason}"
        for first, last, reason in runs
    ]
