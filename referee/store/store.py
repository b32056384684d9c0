"""A tournament's store: every finished match once, whole or not at all, and what follows from them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection, Engine, Table, func, insert, select

from referee.record_json import RecordError, record_digest, record_from_json
from referee.records import Blame, BoardColumns, BoardResult, BotReport, MatchRecord, MatchSpec
from referee.store import check, columns, corrections, making, migrate, reading, reports, results, schema, writing
from referee.store.check import RowProblem, StoredMatch
from referee.store.engine import Place, errors_said, open_engine, place_of, transaction
from referee.store.lock import FileLock, PostgresLock, WriterLock, is_file_locked, is_schema_locked
from referee.store.model import Attempt, Correction, Event, StoredFault, StoreError, TournamentMeta
from referee.store.rows import MatchRows

_PAGE = 200  # records read at once: a few megabytes


class Store:
    """The store of one tournament, open for reading or, by one process at a time, for writing.

    Make one with `Store.create` or `Store.open` and close it, or use it in a `with` statement. Every method answers
    from one consistent moment, and raises StoreError with a sentence for the organiser when the database fails.
    """

    def __init__(self, place: Place, engine: Engine, lock: WriterLock | None, tournament: TournamentMeta) -> None:
        self._place = place
        self._engine = engine
        self._lock = lock
        self._moment: Connection | None = None  # that all readings share within `moment`
        self.tournament = tournament

    @classmethod
    def create(cls, url_or_path: str | Path, tournament: TournamentMeta) -> Self:
        """Make the store of a new tournament and open it for writing.

        Raises:
            StoreError: there is a store already, or the place cannot be written.
        """
        place = place_of(url_or_path)
        if place.path is not None and place.path.exists():
            raise StoreError(f"store {place.shown!r} exists already: resume it, or choose another place")
        with ExitStack() as undo, errors_said(place):
            engine = open_engine(place, read_only=False)
            undo.callback(engine.dispose)
            making.make_schema(place, engine)
            lock = _lock(place, engine)
            undo.callback(lock.release)
            if place.path is None:
                making.fill(place, engine, tournament)
            else:
                making.create_file(place.path, tournament)
            undo.pop_all()
        return cls(place, engine, lock, tournament)

    @classmethod
    def open(
        cls, url_or_path: str | Path, *, expect_tournament: str | None = None, read_only: bool = False
    ) -> Self:
        """Open a store; an older form is brought up to date.

        Args:
            url_or_path: a SQLite file or a PostgreSQL URL.
            expect_tournament: the identity that the store must belong to.
            read_only: readers need no lock, see all that is committed and never hold up the writer.

        Raises:
            StoreError: nothing is there, or it is no store, of a newer version, of another tournament, damaged, not
                readable, or being written by another process.
        """
        place = place_of(url_or_path)
        if place.path is not None and not place.path.is_file():
            raise StoreError(f"store {place.shown!r} does not exist: check the path, or run the tournament first")
        lock = None
        with ExitStack() as undo:
            engine = open_engine(place, read_only=read_only)
            undo.callback(engine.dispose)
            with errors_said(place):
                if not read_only:
                    lock = _lock(place, engine)
                    undo.callback(lock.release)
                with transaction(engine, writing=not read_only) as connection:
                    migrate.bring_up_to_date(connection, place.shown, read_only=read_only)
                    tournament = _read_tournament(connection, place)
            _check_tournament(place, tournament, expect_tournament)
            undo.pop_all()
        return cls(place, engine, lock, tournament)

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Let all that is read in the block be of one moment, so that counts agree though matches come in."""
        with self._reading() as connection:
            self._moment = connection
            try:
                yield
            finally:
                self._moment = None

    def close(self) -> None:
        """End all connections and let another writer in; a second call does nothing."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        self._engine.dispose()

    @property
    def is_written(self) -> bool:
        """Whether any process has the store open for writing."""
        if self._place.path is not None:
            return is_file_locked(self._place.path)
        with self._reading() as connection:
            return is_schema_locked(connection)

    def discard(self) -> None:
        """Close a store of a tournament that was never begun, and remove it."""
        if self._place.path is None:
            with self._writing() as connection:
                making.drop(self._place, connection)
        self.close()
        if self._place.path is not None:
            self._place.path.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- writing

    def add_matches(self, records: Sequence[MatchRecord]) -> int:
        """Add finished matches in one transaction and return how many were new; those already there stay."""
        with self._writing() as connection:
            return writing.add_matches(connection, records)

    def add_rows(self, rows: Sequence[MatchRows]) -> None:
        """Add finished matches that are not there yet, as rows under ids of their own, in one transaction."""
        with self._writing() as connection:
            writing.add_rows(connection, rows)

    def add_attempt(
        self,
        spec: MatchSpec,
        reason: str,
        *,
        blame: Blame,
        at: str,
        whole_board_set: bool,
    ) -> None:
        """Keep why a match was voided; it is played again, or its whole board set under the next attempt.

        Args:
            spec: the match that was begun.
            reason: one sentence for the organiser, with what was measured.
            blame: who voided it, the host or the organiser.
            at: UTC, ISO 8601.
            whole_board_set: void all matches of this board set and attempt, those already finished included.
        """
        attempt = Attempt(
            key=spec.key,
            number=spec.number,
            board_set=spec.board_set,
            attempt=spec.attempt,
            rotation=spec.rotation,
            whole_board_set=whole_board_set,
            blame=blame,
            reason=reason,
            at=at,
        )
        with self._writing() as connection:
            writing.add_attempt(connection, attempt)

    def add_event(self, event: Event) -> None:
        """Keep something that happened to the tournament."""
        with self._writing() as connection:
            writing.add_event(connection, event)

    def correct(self, correction: Correction) -> int:
        """Append an organiser's correction and return its number; results follow it from now on.

        Raises:
            StoreError: nobody signed it, or what it corrects is not in the store.
        """
        with self._writing() as connection:
            return corrections.add(connection, correction)

    def insert_rows(self, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows as they stand in another store: for repair and for moving between databases."""
        if rows:
            with self._writing() as connection:
                connection.execute(insert(table), rows)

    # ---- reading

    def finished_keys(self) -> set[str]:
        """The keys of all finished matches: what a resumed tournament need not play."""
        with self._reading() as connection:
            return set(connection.scalars(select(schema.matches.c.key)))

    def finished_count(self) -> int:
        """How many matches are finished."""
        with self._reading() as connection:
            return connection.execute(select(func.count()).select_from(schema.matches)).scalar_one()

    def finished_count_before(self, attempts: Mapping[int, int]) -> int:
        """How many of the finished matches are of board sets that have come to a later attempt, given by number."""
        with self._reading() as connection:
            return reading.count_before(connection, attempts)

    def matches_meant(self, text: str) -> list[tuple[int, str]]:
        """Number and key of the finished matches that a text may mean: a number, or the beginning of a key.

        An exact number or key wins over beginnings; with more than one left the first two are given.
        """
        with self._reading() as connection:
            return reading.matches_meant(connection, text)

    def results(self) -> list[BoardResult]:
        """The rated observations in schedule order, after the corrections."""
        with self._reading() as connection:
            return results.results(connection)

    def result_columns(self) -> BoardColumns:
        """The same as columns, several times faster: for tens of thousands of matches.

        Raises:
            StoreError: results of several units or rule sets, which are never pooled.
        """
        with self._reading() as connection:
            return columns.columns(connection)

    def reports(self) -> list[BotReport]:
        """What each bot did besides scoring, by name, after the corrections; times are of all its matches."""
        with self._reading() as connection:
            return reports.reports(connection)

    def tournament_report(self, each: Iterable[BotReport]) -> BotReport:
        """What all bots did together, from what `reports` gave; the name is empty."""
        with self._reading() as connection:
            return reports.tournament_report(connection, each)

    def versions(self) -> dict[str, tuple[str, ...]]:
        """The versions that each bot's hello gave in the matches that count, in schedule order."""
        with self._reading() as connection:
            return reports.versions(connection)

    def faults(self, *, bot: str | None = None) -> list[StoredFault]:
        """All faults, of one bot or of all, with what was corrected marked."""
        with self._reading() as connection:
            return reports.stored_faults(connection, bot=bot)

    def attempts(self) -> list[Attempt]:
        """The voided attempts in the order they happened."""
        with self._reading() as connection:
            return reading.attempts(connection)

    def events(self, *, kind: str | None = None) -> list[Event]:
        """What happened, of one kind or of all, in order."""
        with self._reading() as connection:
            return reading.events(connection, kind=kind)

    def corrections(self) -> list[Correction]:
        """Every correction ever made, in order, with those since reversed."""
        with self._reading() as connection:
            return corrections.read_all(connection)

    def root(self) -> str:
        """One digest of all finished matches in schedule order, in hex (see `referee.store.reading.root`)."""
        with self._reading() as connection:
            return reading.root(connection)

    def record(self, key: str) -> MatchRecord:
        """The record of one match.

        Raises:
            StoreError: no such match, or its record is damaged.
        """
        return _decoded(self._place, key, self.record_json(key))

    def record_json(self, key: str) -> bytes:
        """The canonical JSON of one match's record, checked against its digest."""
        with self._reading() as connection:
            row = connection.execute(select(schema.records).where(schema.records.c.key == key)).one_or_none()
        if row is None:
            raise StoreError(f"store {self._place.shown!r} has no finished match with the key {key!r}")
        return _checked(self._place, key, row.digest, row.body)

    def records(self) -> Iterator[MatchRecord]:
        """The records of all finished matches in schedule order, a few at a time in memory.

        Raises:
            StoreError: a record is damaged.
        """
        for key, data in self.records_json():
            yield _decoded(self._place, key, data)

    def records_json(self) -> Iterator[tuple[str, bytes]]:
        """Key and canonical JSON of all finished matches in schedule order: the lines of an export."""
        with self._reading() as connection:
            ids = connection.scalars(select(schema.matches.c.id).order_by(*reading.SCHEDULE_ORDER)).all()
        for start in range(0, len(ids), _PAGE):
            page = ids[start : start + _PAGE]
            with self._reading() as connection:
                query = select(schema.records).where(schema.records.c.match_id.in_(page))
                rows = {row.match_id: row for row in connection.execute(query)}
            for match_id in page:
                if match_id not in rows:
                    raise StoreError(
                        f"store {self._place.shown!r} lacks the record of a finished match: {self._place.mending}"
                    )
                row = rows[match_id]
                yield row.key, _checked(self._place, row.key, row.digest, row.body)

    def plain_rows(self, table: Table) -> list[dict[str, Any]]:
        """All rows of a table in the order of their keys, as they stand."""
        with self._reading() as connection:
            query = select(table).order_by(*table.primary_key.columns)
            return [dict(row) for row in connection.execute(query).mappings()]

    def stored_matches(self) -> Iterator[list[StoredMatch]]:
        """The rows of all finished matches in schedule order, some at a time: for an audit."""
        with self._reading() as connection:
            yield from check.stored_matches(connection)

    def total_problems(self, thinking: Mapping[tuple[str, int], int]) -> list[RowProblem]:
        """What is wrong in the rows over all matches; `thinking` is the sum of `check.thinking_counts`."""
        with self._reading() as connection:
            return check.check_totals(connection, thinking)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        if self._moment is not None:
            with errors_said(self._place):
                yield self._moment
            return
        with errors_said(self._place), transaction(self._engine, writing=False) as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        if self._lock is None:
            raise StoreError(f"store {self._place.shown!r} was opened for reading only")
        with errors_said(self._place):
            self._lock.ensure()
            with transaction(self._engine, writing=True) as connection:
                yield connection


def _lock(place: Place, engine: Engine) -> WriterLock:
    return FileLock(place.path) if place.path is not None else PostgresLock(engine, place.shown)


def _read_tournament(connection: Connection, place: Place) -> TournamentMeta:
    row = connection.execute(select(schema.tournament)).one_or_none()
    if row is None:
        raise StoreError(f"store {place.shown!r} does not say its tournament: {place.mending}")
    return TournamentMeta(**row._asdict())


def _check_tournament(place: Place, tournament: TournamentMeta, expected: str | None) -> None:
    if expected not in (None, tournament.tournament):
        raise StoreError(
            f"store {place.shown!r} holds the tournament {tournament.name!r} ({tournament.tournament}), not "
            f"{expected}: give the store of this configuration, or another place for a new one"
        )


def _checked(place: Place, key: str, digest: str, body: bytes) -> bytes:
    """The record that `body` holds, if it is the one that was stored."""
    try:
        data = zlib.decompress(body)
    except zlib.error as error:
        raise StoreError(
            f"store {place.shown!r}: the record of match {key!r} is damaged ({error}): {place.mending}"
        ) from error
    if record_digest(data) != digest:
        raise StoreError(
            f"store {place.shown!r}: the record of match {key!r} does not fit its digest: {place.mending}"
        )
    return data


def _decoded(place: Place, key: str, data: bytes) -> MatchRecord:
    try:
        return record_from_json(data)
    except RecordError as error:
        raise StoreError(f"store {place.shown!r}: the record of match {key!r} cannot be read: {error}") from error
