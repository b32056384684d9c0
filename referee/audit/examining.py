"""One match examined by itself, from the rows of a store or from a line of an export. Pure, for any process."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.audit.judging import judge
from referee.audit.report import Difference
from referee.config import TournamentConfig
from referee.record_codec import shown
from referee.record_json import RecordError, record_digest, record_from_json
from referee.records import MatchRecord, MatchSpec
from referee.schedule.pairing import match_key
from referee.store.check import StoredMatch, check_match, thinking_counts
from referee.store.export import RecordLine
from referee.store.rows import MatchRows, rows_of

_KEY = re.compile(rb'"key":"([^"]{1,60})".{0,40}"number":([0-9]{1,9})')


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What every match of a tournament is held against.

    Args:
        config: what was ordered.
        tournament: the identity that match keys are made from.
        seed: where the deals come from; None while it is secret.
        salt: mixed into the deals.
    """

    config: TournamentConfig
    tournament: str
    seed: bytes | None
    salt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What an examination found.

    `spec` is None where the record cannot be read. `rows` is what a store keeps of the match, where it comes from a
    line.
    """

    where: str
    digest: str  # of the record as it is; empty where it cannot be unpacked
    differences: tuple[Difference, ...]
    spec: MatchSpec | None = None
    deals: int = 0
    decisions: int = 0
    thinking: Mapping[tuple[str, int], int]  # decisions by bot and bucket of thinking time
    rows: MatchRows | None = None


@dataclass(frozen=True, slots=True)
class StoredExaminer:
    """Examines matches of a store, some at a time."""

    order: Order

    def __call__(self, matches: Sequence[StoredMatch]) -> list[Examined]:
        """Examine some matches."""
        return [self._examined(match) for match in matches]

    def _examined(self, stored: StoredMatch) -> Examined:
        match = check_match(stored)
        where = f"match {match.number} ({match.key})"
        problems = [Difference(where, problem.name, problem.message) for problem in match.problems]
        if match.record is None:
            return Examined(where=where, digest=match.digest, differences=tuple(problems), thinking=match.thinking)
        return _examined(self.order, where, match.digest, match.record, problems, match.thinking, None)


@dataclass(frozen=True, slots=True)
class LineExaminer:
    """Examines lines of an export, some at a time; the first match of the file gets the id 1."""

    order: Order
    file: str

    def __call__(self, lines: Sequence[RecordLine]) -> list[Examined]:
        """Examine some lines."""
        return [self._examined(line) for line in lines]

    def _examined(self, line: RecordLine) -> Examined:
        where = f"{self.file}: line {line.number}, {named_in(line.data)}"
        digest = record_digest(line.data)
        try:
            record = record_from_json(line.data)
            packed = zlib.compress(line.data, 1)  # for a store that is thrown away
            rows = rows_of(record, line.number - 1, body=line.data, packed=packed)
        except RecordError as error:
            problem = Difference(where, "", str(error))
            return Examined(where=where, digest=digest, differences=(problem,), thinking={})
        return _examined(self.order, where, digest, record, [], thinking_counts(rows), rows)


def named_in(data: bytes) -> str:
    """The match that a record's text tells of, though it may be damaged."""
    found = _KEY.search(data)
    if found is None:
        return "of a match whose key cannot be read"
    key, number = (part.decode("utf-8", "replace") for part in found.groups())
    return f"match {number} ({key})"


def _examined(
    order: Order,
    where: str,
    digest: str,
    record: MatchRecord,
    problems: list[Difference],
    thinking: Mapping[tuple[str, int], int],
    rows: MatchRows | None,
) -> Examined:
    problems += _disorder(record, order, where)
    problems += judge(record, order.seed, order.salt, where)
    return Examined(
        where=where,
        digest=digest,
        differences=tuple(problems),
        spec=record.spec,
        deals=len(record.deals),
        decisions=sum(len(deal.decisions) for deal in record.deals),
        thinking=thinking,
        rows=rows,
    )


def _disorder(record: MatchRecord, order: Order, where: str) -> Iterator[Difference]:
    """Whether a match was played as the tournament was ordered, under the key that it has to have."""
    spec, config = record.spec, order.config
    key = match_key(order.tournament, spec.board_set, spec.attempt, spec.rotation)
    for name, told, ordered in (
        ("spec.key", spec.key, key),
        ("rules", record.rules, config.rules.to_dict()),
        ("ruling", record.ruling, config.faults.ruling),
        ("faults_max", record.faults_max, config.faults.faults_max),
        ("clock", record.clock, config.clock),
        ("spec.deals", spec.deals, config.deals),
    ):
        if told != ordered:
            yield Difference(where, name, f"{shown(told)} is recorded, {shown(ordered)} was ordered")
