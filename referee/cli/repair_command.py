"""`hearts tournament repair`: every whole match out of a damaged store, and the damaged file kept aside."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from referee.cli.console import FolderArgument, JsonOption, QuietOption, count_text, emit, emit_json, note, quoted
from referee.cli.errors import Failure
from referee.cli.tournament_folder import TournamentFolder
from referee.config import ConfigError
from referee.plan import tournament_id
from referee.rules.dealing import commitment
from referee.store import TournamentMeta
from referee.store.lock import FileLock
from referee.store.repair import repair as save_whole_matches


def repair(
    folder: FolderArgument,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Save every whole match of a tournament whose store is damaged.

    The damaged store is kept beside the new one. What could not be saved is named, and played again by resume.
    """
    place = TournamentFolder(folder)
    store = place.store_file
    if not store.is_file():
        _refuse_postgres(place)
        raise Failure(f"{folder}: has no {store.name}, so there is nothing to repair: check the path")
    lock = FileLock(store)
    try:
        repaired = store.with_name(f"{store.stem}.repaired{store.suffix}")
        repaired.unlink(missing_ok=True)  # left by a repair that was stopped
        outcome = save_whole_matches(store, repaired, fallback=_meta_of(place))
        kept_aside = _put_aside(store)
        repaired.rename(store)
    finally:
        lock.release()
    if as_json:
        emit_json({"kept": outcome.kept, "dropped": list(outcome.dropped), "damaged": str(kept_aside)})
        return
    emit("\n".join([f"{count_text(outcome.kept, 'match')} saved", *(f"lost: {what}" for what in outcome.dropped)]))
    note(f"the store as it was is kept as {kept_aside}", quiet=quiet)
    note(f"`hearts tournament resume {quoted(folder)}` plays what is missing", quiet=quiet)


def _refuse_postgres(place: TournamentFolder) -> None:
    if place.store_place != place.store_file:
        raise Failure(
            f"{place.path}: its store is {str(place.store_place)!r}, and PostgreSQL is mended by its own means: "
            "restore the database from a backup, then resume; what the backup lacks is played again"
        )


def _meta_of(place: TournamentFolder) -> TournamentMeta | None:
    """What the store belongs to, from the files beside it; None where they are not there either."""
    try:
        config, seed = place.config(), place.seed()
    except (Failure, ConfigError):
        return None
    return TournamentMeta(
        tournament=tournament_id(config, seed),
        name=config.name,
        commitment=commitment(seed) if config.seed is None else "",
        config="",
        created_at="",
        software="",
    )


def _put_aside(store: Path) -> Path:
    """Rename the store, its write-ahead log included, and return its new name."""
    aside = next(path for n in count(1) if not (path := store.with_name(f"{store.name}.damaged-{n}")).exists())
    for suffix in ("-wal", "-shm"):
        log = Path(f"{store}{suffix}")
        if log.exists():
            log.rename(f"{aside}{suffix}")
    store.rename(aside)
    return aside
