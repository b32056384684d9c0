"""A whole tournament audited: its matches one by one, what holds over all of them, and its seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from referee.audit.examining import Examined, LineExaminer, Order, StoredExaminer
from referee.audit.report import AuditReport
from referee.audit.spread import spread
from referee.plan import tournament_id
from referee.record_codec import shown
from referee.records import MatchSpec
from referee.rules import dealing
from referee.store import Store, TournamentMeta
from referee.store.export import ExportReader, RecordLine
from referee.store.reading import chain
from referee.store.rows import MatchRows

_LINES_AT_ONCE = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What the records of a tournament are held against.

    Args:
        order: what each match is held against.
        root: published by somebody before; empty where there is none.
        specs: the matches of the schedule that the tournament has to follow; None where it is not known.
    """

    order: Order
    root: str = ""
    specs: Iterable[MatchSpec] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """How an audit goes about it.

    Args:
        processes: how many share the work.
        on_progress: told how many matches are examined.
    """

    processes: int = 1
    on_progress: Callable[[int], None] = lambda _: None


def audit_store(store: Store, proof: Proof, means: Means) -> AuditReport:
    """Check everything in a store that follows from something else.

    Raises:
        StoreError: the store cannot even be read.
    """
    audit = _Audit(store.tournament, proof, means)
    for found in spread(StoredExaminer(proof.order), store.stored_matches(), means.processes):
        audit.see(found)
    for problem in store.total_problems(audit.thinking):
        audit.report.add("store", problem.name, problem.message)
    return audit.ended()


def audit_lines(
    reader: ExportReader,
    file: str,
    proof: Proof,
    means: Means,
    take: Callable[[Sequence[MatchRows]], None] = lambda _: None,
) -> AuditReport:
    """Check the records of an export.

    Args:
        reader: of the file.
        file: its name, for messages.
        proof: what they are held against.
        means: how.
        take: given the rows of sound matches, some at a time, as long as nothing differs.

    Raises:
        OSError: the file cannot be read.
    """
    audit = _Audit(reader.meta, proof, means)
    for found in spread(LineExaminer(proof.order, file), _groups(iter(reader)), means.processes):
        audit.see(found)
        if not audit.report.differences:
            take([match.rows for match in found if match.rows is not None])
    for problem in reader.problems(audit.digests):
        named = audit.where.get(problem.number)
        where = named or (f"{file}: line {problem.number}" if problem.number else file)
        audit.report.add(where, "", problem.message)
    return audit.ended()


def _groups(lines: Iterator[RecordLine]) -> Iterator[list[RecordLine]]:
    while group := list(islice(lines, _LINES_AT_ONCE)):
        yield group


class _Audit:
    """What is summed up over the matches."""

    def __init__(self, meta: TournamentMeta, proof: Proof, means: Means) -> None:
        self.report = AuditReport()
        self.digests: list[str] = []
        self.where: dict[int, str] = {}  # by the line that a match has in an export
        self.thinking: Counter[tuple[str, int]] = Counter()
        self._proof = proof
        self._means = means
        self._specs = None if proof.specs is None else {spec.key: spec for spec in proof.specs}
        self._keys: set[str] = set()
        _check_seed(meta, proof.order, self.report)

    def see(self, found: Sequence[Examined]) -> None:
        """Count some matches, and hold them against the schedule."""
        report = self.report
        for match in found:
            report.matches += 1
            report.deals += match.deals
            report.decisions += match.decisions
            report.differences += match.differences
            self.digests.append(match.digest or "00")
            self.where[len(self.digests) + 1] = match.where
            self.thinking.update(match.thinking)
            if match.spec is not None:
                self._check_spec(match.spec, match.where)
        self._means.on_progress(report.matches)

    def ended(self) -> AuditReport:
        """Take the root over all records."""
        report, root = self.report, self._proof.root.lower()
        report.root = chain(self.digests)
        if root and report.root != root:
            report.add("records", "root", f"they have {report.root}, published was {root}")
        if self._specs is None:
            report.unchecked.append("The schedule was not checked, since nothing says who was admitted.")
        return report

    def _check_spec(self, told: MatchSpec, where: str) -> None:
        if told.key in self._keys:
            self.report.add(where, "spec.key", "is there twice")
        self._keys.add(told.key)
        if self._specs is None:
            return
        planned = self._specs.get(told.key)
        if planned is None:
            message = f"board set {told.board_set}, rotation {told.rotation} is not in the schedule"
            self.report.add(where, "spec", message)
        elif told != planned:
            self.report.add(where, "spec", f"{shown(told)} is recorded, the schedule has {shown(planned)}")


def _check_seed(meta: TournamentMeta, order: Order, report: AuditReport) -> None:
    public = order.config.seed
    if order.seed is None:
        report.unchecked.append("The deals were not dealt again, since the seed is not revealed yet.")
        return
    if public is not None and order.seed != dealing.integer_seed(public):
        report.add("seed", "", f"it is not the one of the public number {public}")
    if meta.tournament != (identity := tournament_id(order.config, order.seed)):
        report.add("tournament", "identity", f"{meta.tournament} is stored, what was ordered makes it {identity}")
    expected = dealing.commitment(order.seed) if public is None else ""
    if meta.commitment != expected:
        report.add("seed", "commitment", f"{shown(meta.commitment)} was published, the seed gives {expected!r}")
