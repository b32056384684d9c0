"""`hearts verify`: a tournament's folder, its export or its site, worked out again from records and seed."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ratings.observations import ResultError
from referee.audit import AuditReport, Proof, audit_store, compare_files
from referee.cli.console import JsonOption, QuietOption, count_text, emit, emit_json, fail, note
from referee.cli.errors import ExitCode
from referee.cli.results import publish_results
from referee.cli.site_details import REPLAYS
from referee.cli.site_records import LEDGER, open_export, open_site
from referee.cli.tournament_folder import TournamentFolder
from referee.config import ConfigError, TournamentConfig
from referee.plan import attempts_of, plan_of, planned, revealed_seed, salt_of
from referee.rules.dealing import integer_seed
from referee.store import Store, StoreError

_SHOWN_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """What is verified: a store, what it is held against, and the files that were published from it."""

    store: Store
    config: TournamentConfig
    seed: bytes | None
    published: Path | None = None  # what `publish_results` wrote
    is_site: bool = False  # only its site
    replays: int = REPLAYS


def verify(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A tournament's folder, its site, or an export of its records.")
    ],
    root: Annotated[
        str, typer.Option("--root", metavar="HEX", help="The root of all records that was published.")
    ] = "",
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="HEX", help="The revealed seed, for an export.")
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Deal, judge, score and rate a whole tournament again, and name whatever differs from what was published.

    Every hand is dealt again from the seed and compared; every decision is put to the rulebook; scores, places and
    boards follow from those, the table and the site from the boards. Exit code 2 if anything differs.
    """
    if root and (len(root) != 64 or not set(root.lower()) <= set("0123456789abcdef")):
        fail(f"--root {root}: 64 hexadecimal digits are expected")
    if not path.exists():
        fail(f"{path}: there is no such file or folder: check the path")
    with tempfile.TemporaryDirectory(prefix="hearts-verify-") as scratch:
        report = verified(path, root, _bytes(seed), Path(scratch))
    if as_json:
        emit_json(report.to_json())
    else:
        _say(report, quiet=quiet)
    if report.differences:
        raise typer.Exit(ExitCode.USAGE)


def verified(path: Path, root: str, seed: bytes | None, scratch: Path) -> AuditReport:
    """Verify what is at a path; damage that keeps it from being read is a difference like any other."""
    report = AuditReport()
    try:
        subject = _subject(path, seed, scratch)
    except StoreError as error:
        report.add(str(path), "", str(error))
        return report
    with subject.store:
        try:
            report = audit_store(subject.store, _proof(subject, root))
            if not report.differences and subject.published is not None:
                _check_published(subject, subject.published, report, scratch / "made")
        except (StoreError, ResultError) as error:
            report.add(str(path), "", str(error))
        except (ValueError, TypeError, LookupError) as error:
            # A changed byte can make any value of a database into any other, which reading it then trips over.
            report.add(str(path), "", f"the store is damaged: {type(error).__name__}: {error}")
    return report


def _subject(path: Path, seed: bytes | None, scratch: Path) -> _Subject:
    if path.is_file():
        store = open_export(path, scratch)
        config = _config_in(store, path)
        public = None if config.seed is None else integer_seed(config.seed)
        return _Subject(store=store, config=config, seed=seed or public)
    if (path / LEDGER).is_file():
        store, replays = open_site(path, scratch)
        config = _config_in(store, path)
        return _Subject(
            store=store, config=config, seed=_seed_in(store, path), published=path, is_site=True, replays=replays
        )
    place = TournamentFolder(path)
    config = place.config()
    store = place.open(config, read_only=True)
    if store.tournament.config not in ("", json.dumps(config.to_dict())):  # empty after a repair
        store.close()
        raise StoreError(f"{place.config_file}: is not the configuration in the store: one of them was changed")
    published = path if (path / "standings.json").exists() else None
    return _Subject(store=store, config=config, seed=_seed_in(store, path) or place.seed(), published=published)


def _proof(subject: _Subject, root: str) -> Proof:
    store = subject.store
    plan = plan_of(subject.config, store)
    return Proof(
        config=subject.config,
        seed=subject.seed,
        salt=salt_of(subject.config, store),
        root=root,
        specs=None if plan is None else planned(plan, attempts_of(store)),
    )


def _config_in(store: Store, path: Path) -> TournamentConfig:
    try:
        return TournamentConfig.from_dict(json.loads(store.tournament.config), where=str(path))
    except (ConfigError, ValueError) as error:
        store.close()
        raise StoreError(f"{path}: the configuration in it is damaged: {error}") from error


def _seed_in(store: Store, path: Path) -> bytes | None:
    try:
        return revealed_seed(store)
    except (ValueError, KeyError) as error:
        store.close()
        raise StoreError(f"{path}: the event that reveals the seed is damaged: {error}") from error


def _check_published(subject: _Subject, published: Path, report: AuditReport, made: Path) -> None:
    """Publish again and compare: the table, the data and every page of the site."""
    place = TournamentFolder(published)
    publish_results(place, subject.config, subject.store, out=made, replays=subject.replays)
    report.differences += compare_files(made / "site" if subject.is_site else made, published)


def _bytes(seed: str | None) -> bytes | None:
    if seed is None:
        return None
    try:
        found = bytes.fromhex(seed)
    except ValueError:
        found = b""
    if len(found) != 32:
        fail(f"--seed {seed}: 64 hexadecimal digits are expected")
    return found


def _say(report: AuditReport, *, quiet: bool) -> None:
    counts = f"{count_text(report.matches, 'match')}, {count_text(report.deals, 'deal')}"
    for difference in report.differences[:_SHOWN_MAX]:
        emit(f"differs: {difference}")
    if len(report.differences) > _SHOWN_MAX:
        emit(f"... and {count_text(len(report.differences) - _SHOWN_MAX, 'other difference')}")
    for sentence in report.unchecked:
        note(sentence, quiet=quiet)
    if report.differences:
        emit(f"NOT verified: {count_text(len(report.differences), 'difference')} in {counts}")
    else:
        emit(f"verified: {counts}, {count_text(report.decisions, 'decision')}; root {report.root}")
