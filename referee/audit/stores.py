"""A whole store audited: rows against records, records against the rulebook, deals against the seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from referee.audit.judging import judge
from referee.audit.report import AuditReport, shown
from referee.config import TournamentConfig
from referee.plan import tournament_id
from referee.records import MatchRecord, MatchSpec
from referee.rules import dealing
from referee.schedule.pairing import match_key
from referee.store import Store
from referee.store.reading import chain


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What the records of a tournament are held against.

    Args:
        config: what was ordered.
        seed: where the deals come from; None while it is secret.
        salt: mixed into the deals.
        root: published by somebody before; empty where there is none.
        specs: the matches of the schedule that the tournament has to follow; None where it is not known.
    """

    config: TournamentConfig
    seed: bytes | None
    salt: str = ""
    root: str = ""
    specs: Iterable[MatchSpec] | None = None


def audit_store(store: Store, proof: Proof) -> AuditReport:
    """Check everything in a store that follows from something else.

    Raises:
        StoreError: the store cannot even be read.
    """
    report = AuditReport()
    _check_seed(store, proof, report)
    tournament = store.tournament.tournament
    specs = None if proof.specs is None else {spec.key: spec for spec in proof.specs}
    digests: list[str] = []
    thinking: Counter[tuple[str, int]] = Counter()
    for match in store.checked_matches():
        where = f"match {match.number} ({match.key})"
        report.matches += 1
        digests.append(match.digest or "00")
        for problem in match.problems:
            report.add(where, problem.name, problem.message)
        thinking.update(match.thinking)
        if (record := match.record) is None:
            continue
        _check_order(record, proof.config, tournament, where, report)
        if specs is not None:
            _check_spec(record.spec, specs.get(record.spec.key), where, report)
        report.differences += judge(record, proof.seed, proof.salt)
        report.deals += len(record.deals)
        report.decisions += sum(len(deal.decisions) for deal in record.deals)
    for problem in store.total_problems(thinking):
        report.add("store", problem.name, problem.message)
    report.root = chain(digests)
    if proof.root and report.root != proof.root.lower():
        report.add("records", "root", f"they have {report.root}, published was {proof.root}")
    if specs is None:
        report.unchecked.append("The schedule was not checked, since nothing says who was admitted.")
    return report


def _check_seed(store: Store, proof: Proof, report: AuditReport) -> None:
    meta, public = store.tournament, proof.config.seed
    if proof.seed is None:
        report.unchecked.append("The deals were not dealt again, since the seed is not revealed yet.")
        return
    if public is not None and proof.seed != dealing.integer_seed(public):
        report.add("seed", "", f"it is not the one of the public number {public}")
    if meta.tournament != (identity := tournament_id(proof.config, proof.seed)):
        report.add("tournament", "identity", f"{meta.tournament} is stored, what was ordered makes it {identity}")
    expected = dealing.commitment(proof.seed) if public is None else ""
    if meta.commitment != expected:
        report.add("seed", "commitment", f"{shown(meta.commitment)} was published, the seed gives {expected!r}")


def _check_order(
    record: MatchRecord, config: TournamentConfig, tournament: str, where: str, report: AuditReport
) -> None:
    """Check that a match was played as the tournament was ordered, under the key that it has to have."""
    spec = record.spec
    key = match_key(tournament, spec.board_set, spec.attempt, spec.rotation)
    for name, told, ordered in (
        ("spec.key", spec.key, key),
        ("rules", record.rules, config.rules.to_dict()),
        ("ruling", record.ruling, config.faults.ruling),
        ("faults_max", record.faults_max, config.faults.faults_max),
        ("clock", record.clock, config.clock),
        ("spec.deals", spec.deals, config.deals),
    ):
        if told != ordered:
            report.add(where, name, f"{shown(told)} is recorded, {shown(ordered)} was ordered")


def _check_spec(told: MatchSpec, planned: MatchSpec | None, where: str, report: AuditReport) -> None:
    if planned is None:
        report.add(where, "spec", f"board set {told.board_set}, rotation {told.rotation} is not in the schedule")
    elif told != planned:
        report.add(where, "spec", f"{shown(told)} is recorded, the schedule has {shown(planned)}")
