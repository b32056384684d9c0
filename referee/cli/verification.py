"""What `hearts verify` does with a tournament's folder, its site or an export: find the evidence, and audit it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ratings.observations import ResultError
from referee.audit import AuditReport, Difference, Means, Order, Proof, audit_lines, audit_store, compare_files
from referee.cli.results import published_files
from referee.cli.site_details import REPLAYS
from referee.cli.site_records import LEDGER, RECORDS, head_differences, ledger_changes, read_ledger
from referee.cli.tournament_folder import TournamentFolder, stored_config
from referee.config import ConfigError, TournamentConfig
from referee.plan import attempts_of, plan_of, planned, revealed_seed, salt_of
from referee.records import MatchSpec
from referee.rules.dealing import integer_seed
from referee.store import OlderStoreError, Store, StoreError
from referee.store.export import ExportReader
from referee.store.ledger import store_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What the person who verifies brings along; it goes before what is found.

    Args:
        root: of all records, as it was published; empty where there is none.
        seed: of the tournament.
        salt: of the deals.
        scratch: an empty folder.
        means: says how to go about so many matches.
    """

    scratch: Path
    root: str = ""
    seed: bytes | None = None
    salt: str | None = None
    means: Callable[[int], Means] = lambda _: Means()


def verified(path: Path, given: Given) -> AuditReport:
    """Verify what is at a path; damage that keeps it from being read is a difference like any other.

    Raises:
        OlderStoreError: an older version wrote the store, which is no difference.
    """
    verify: Callable[[Path, Given], AuditReport] = _of_folder
    evidence = TournamentFolder(path).store_file
    if path.is_file():
        verify, evidence = _of_export, path
    elif (path / LEDGER).is_file():
        verify, evidence = _of_site, path / LEDGER
    try:
        return verify(path, given)
    except OlderStoreError:
        raise
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
    except (StoreError, ResultError) as error:
        problem = str(error)
    except (ValueError, TypeError, LookupError) as error:
        # A changed byte can make any value of a database into any other, which reading it then trips over.
        problem = f"is damaged: {type(error).__name__}: {error}"
    rows = _changed_rows(path) if verify is _of_folder else _changes_in_site(path) if verify is _of_site else []
    return AuditReport(differences=[Difference(str(evidence), "", problem), *rows])


def _changed_rows(path: Path) -> list[Difference]:
    """Name the rows of a damaged store that its published site tells otherwise, as far as both can be read."""
    place, site = TournamentFolder(path), path / "site"
    try:
        config = place.config()
        with place.open(config, read_only=True) as store:
            told = f"{place.store_place} or {site / LEDGER}"
            return [Difference(told, row, message) for row, message in ledger_changes(store, config, site)]
    except (OSError, StoreError, ValueError, TypeError, LookupError):
        return []  # the damage itself is told already


def _changes_in_site(path: Path) -> list[Difference]:
    """Name what in a site's account of its tournament was changed, as far as the site itself knows."""
    try:
        told = read_ledger(path)
        return [
            Difference(str(path / LEDGER), row, message)
            for row, message in (*told.changed, *head_differences(path, told))
        ]
    except (OSError, StoreError, ValueError, TypeError, LookupError):
        return []  # the damage itself is told already


def _of_folder(path: Path, given: Given) -> AuditReport:
    place = TournamentFolder(path)
    config = place.config()
    with place.open(config, read_only=True) as store:
        if store.tournament.config not in ("", stored_config(config)):  # empty after a repair
            raise StoreError(f"{place.config_file}: is not the configuration in the store: one of them was changed")
        order = _order(given, config, store, _seed_in(store, path) or place.seed())
        proof = _proof(given, order, _specs(config, store))
        report = audit_store(store, proof, given.means(store.finished_count()))
        if not report.differences and (path / "standings.json").exists():
            made, site = given.scratch / "made", path / "site"
            replays = read_ledger(site).replays if (site / LEDGER).is_file() else REPLAYS
            published_files(place, config, store, out=made, replays=replays)
            for row, message in ledger_changes(store, config, site):
                report.add(f"{place.store_place} or {site / LEDGER}", row, message)
            report.differences += compare_files(made, path)
    return report


def _of_site(path: Path, given: Given) -> AuditReport:
    told = read_ledger(path)
    file = path / RECORDS
    with store_of(told.ledger, str(given.scratch / "tournament.db")) as store, file.open("rb") as stream:
        config = _config_in(store.tournament.config, str(path / LEDGER))
        order = _order(given, config, store, _seed_in(store, path))
        proof = _proof(given, order, _specs(config, store))
        report = audit_lines(
            ExportReader(stream, str(file)), str(file), proof, given.means(_lines_in(file)), store.add_rows
        )
        if report.root != told.root:
            report.add(str(path / LEDGER), "root", f"{told.root} is told, the records have {report.root}")
        if not report.differences:
            made = given.scratch / "made"
            published_files(TournamentFolder(path), config, store, out=made, replays=told.replays)
            report.differences += compare_files(made / "site", path)
    if changes := _changes_in_site(path):
        # They say it better than the first of the lines that follow from them.
        rest = [each for each in report.differences if each.where != str(path / LEDGER) or each.name == "root"]
        report.differences = [*changes, *rest]
    return report


def _of_export(path: Path, given: Given) -> AuditReport:
    with path.open("rb") as stream:
        reader = ExportReader(stream, str(path))
        config = _config_in(reader.meta.config, f"{path}: line 1")
        seed = given.seed or (None if config.seed is None else integer_seed(config.seed))
        salt = config.salt if given.salt is None else given.salt
        order = Order(config=config, tournament=reader.meta.tournament, seed=seed, salt=salt)
        return audit_lines(reader, str(path), _proof(given, order, None), given.means(_lines_in(path)))


def _order(given: Given, config: TournamentConfig, store: Store, known: bytes | None) -> Order:
    return Order(
        config=config,
        tournament=store.tournament.tournament,
        seed=given.seed or known,
        salt=salt_of(config, store) if given.salt is None else given.salt,
    )


def _proof(given: Given, order: Order, specs: Iterable[MatchSpec] | None) -> Proof:
    return Proof(order=order, root=given.root, specs=specs)


def _specs(config: TournamentConfig, store: Store) -> Iterable[MatchSpec] | None:
    plan = plan_of(config, store)
    return None if plan is None else planned(plan, attempts_of(store))


def _config_in(text: str, where: str) -> TournamentConfig:
    try:
        return TournamentConfig.from_dict(json.loads(text), where=where)
    except (ConfigError, ValueError, RecursionError) as error:
        raise StoreError(f"{where}: the configuration in it is damaged: {error}") from error


def _seed_in(store: Store, path: Path) -> bytes | None:
    try:
        return revealed_seed(store)
    except (ValueError, KeyError) as error:
        raise StoreError(f"{path}: the event that reveals the seed is damaged: {error}") from error


def _lines_in(file: Path) -> int:
    """How many records an export holds, more or less: for showing how far the work is."""
    with file.open("rb") as stream:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 20), b"")) - 2
