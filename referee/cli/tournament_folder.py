"""The folder of a tournament: its resolved configuration, its seed, its store, its logs and what is published."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import stat
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

from referee.cli.console import quoted
from referee.cli.errors import Failure
from referee.config.keys import ConfigError
from referee.config.tournament import TournamentConfig
from referee.draws import now_utc
from referee.launch.manifest import MANIFEST_NAME
from referee.plan import tournament_id
from referee.rules import dealing
from referee.store.making import is_store_of, url_with_schema
from referee.store.model import StoreError, TournamentMeta
from referee.store.store import Store


@dataclass(frozen=True, slots=True)
class TournamentFolder:
    """A tournament's folder, by its path."""

    path: Path

    @property
    def config_file(self) -> Path:
        """The resolved configuration."""
        return self.path / "config.json"

    @property
    def seed_file(self) -> Path:
        """The tournament's seed: 32 bytes in hexadecimal, secret until the tournament is over."""
        return self.path / "seed"

    @property
    def store_file(self) -> Path:
        """The store of finished matches, where it is a file."""
        return self.path / "tournament.db"

    @property
    def store_place(self) -> str | Path:
        """Where the finished matches are: the URL in the configuration, or the file.

        Raises:
            Failure: the configuration is damaged.
            ConfigError: the same.
        """
        url = self.config().store if self.config_file.is_file() else None
        return url or self.store_file

    @property
    def pause_file(self) -> Path:
        """Is there while the tournament is to begin no match."""
        return self.path / "paused"

    @property
    def waits_file(self) -> Path:
        """What the running tournament waits for; there only while it does."""
        return self.path / "waits.json"

    @property
    def entered_file(self) -> Path:
        """Where the bots are that joined after the start, by name; it stays on this machine."""
        return self.path / "entered.json"

    def note_entry(self, bot: str, folder: Path) -> None:
        """Keep where a bot is that joins."""
        noted = {name: str(where) for name, where in self.entered().items()} | {bot: str(folder)}
        self.entered_file.write_text(json.dumps(noted, indent=2) + "\n", encoding="utf-8")

    def entered(self) -> dict[str, Path]:
        """Where the bots are that joined after the start.

        Raises:
            Failure: the file that says so is damaged.
        """
        if not self.entered_file.is_file():
            return {}
        try:
            noted = json.loads(self.entered_file.read_text(encoding="utf-8"))
            return {str(bot): Path(folder) for bot, folder in noted.items()}
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise Failure(f"{self.entered_file}: is damaged: {error}; restore it") from error

    @property
    def logs(self) -> Path:
        """What bots and workers wrote."""
        return self.path / "logs"

    def create(self, config: TournamentConfig) -> Store:
        """Make the folder with its seed and an empty store.

        In a database of PostgreSQL each tournament has a schema of its own, named by its identity; the
        configuration in the folder says which.

        Raises:
            Failure: a tournament is there already, or a bot, whose files would be others from then on.
            StoreError: the store cannot be made.
        """
        if self.is_begun(config.store):
            raise Failure(
                f"{self.path}: a tournament is there already: `hearts tournament resume {quoted(self.path)}` goes "
                "on with it, `--dir` names another folder"
            )
        if (self.path / MANIFEST_NAME).exists():
            raise Failure(f"{self.path}: is the folder of a bot: give another one by --dir")
        seed = secrets.token_bytes(32) if config.seed is None else dealing.integer_seed(config.seed)
        identity = tournament_id(config, seed)
        meta = TournamentMeta(
            tournament=identity,
            name=config.name,
            commitment=dealing.commitment(seed) if config.seed is None else "",
            config=stored_config(config),
            created_at=now_utc(),
            software=f"hearts-arena {metadata.version('hearts-arena')}",
        )
        if config.store is not None:
            config = replace(config, store=url_with_schema(config.store, identity))
        was_there = self.path.exists()
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            self.config_file.write_text(json.dumps(config.to_dict(), indent=2) + "\n", encoding="utf-8")
            self.seed_file.unlink(missing_ok=True)
            with os.fdopen(os.open(self.seed_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(seed.hex() + "\n")
            return Store.create(config.store or self.store_file, meta)
        except BaseException:  # on Ctrl-C, too: half a folder would pass for a tournament
            self._forget(with_folder=not was_there)
            raise

    def _forget(self, *, with_folder: bool) -> None:
        """Keep nothing of a tournament without a store: the next run shall not take it for its own."""
        for file in (self.config_file, self.seed_file):
            file.unlink(missing_ok=True)
        if with_folder:
            with contextlib.suppress(OSError):  # it is not empty
                self.path.rmdir()

    def is_begun(self, store: str | None) -> bool:
        """Whether a store was made for this folder; a run that was killed before that may be given again.

        Args:
            store: the URL that is asked for now, if any.

        Raises:
            Failure: another one was asked for then, and cannot be asked.
            StoreError: the same one cannot be asked.
        """
        if self.store_file.exists():
            return True
        if not self.config_file.is_file() or not self.seed_file.is_file():
            return False
        try:
            config = self.config()
            identity = tournament_id(config, self.seed())
        except (Failure, ConfigError):
            return False  # cut in the middle of writing
        if config.store is None:
            return False
        try:
            return is_store_of(config.store, identity)
        except StoreError as error:
            if store is not None and url_with_schema(store, identity) == config.store:
                raise
            raise Failure(
                f"{self.config_file}: an earlier run asked for another store, and whether a tournament is in it "
                f"cannot be found out ({error}): give that one, give another --dir, or delete {self.path}"
            ) from error

    def config(self) -> TournamentConfig:
        """Read the resolved configuration.

        Raises:
            Failure: this is no tournament's folder.
            ConfigError: the file was changed into something unusable.
        """
        if not self.config_file.is_file():
            raise Failure(f"{self.path}: is no folder of a tournament: config.json is missing in it")
        try:
            raw = json.loads(self.config_file.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise Failure(f"{self.config_file}: is damaged: {error}") from error
        return TournamentConfig.from_dict(raw, where=str(self.config_file))

    def seed(self) -> bytes:
        """Read the seed.

        Raises:
            Failure: it is missing or damaged; without it no deal can be repeated.
        """
        try:
            seed = bytes.fromhex(self.seed_file.read_text(encoding="ascii").strip())
        except FileNotFoundError:
            raise Failure(
                f"{self.seed_file}: is missing, and without it the deals cannot go on: restore it"
            ) from None
        except ValueError:
            seed = b""
        if len(seed) != 32:
            raise Failure(f"{self.seed_file}: is damaged: 64 hexadecimal digits are expected; restore it")
        return seed

    def check_secret(self, config: TournamentConfig) -> None:
        """Refuse to deal from a secret seed that others may have read.

        Raises:
            Failure: its file is open to other users of the machine.
        """
        if config.seed is not None or not self.seed_file.exists():
            return
        mode = stat.S_IMODE(self.seed_file.stat().st_mode)
        if mode & 0o077:
            raise Failure(
                f"{self.seed_file}: may be read by others (mode {mode:04o}), who would know all deals: if nobody "
                f"has read it, `chmod 600 {self.seed_file}`, else begin a new tournament"
            )

    def open(self, config: TournamentConfig, *, read_only: bool = False) -> Store:
        """Open the store, and make sure that it is this tournament's.

        Raises:
            StoreError: it is missing, damaged, newer than this program, or another tournament's.
        """
        expected = tournament_id(config, self.seed())
        return Store.open(config.store or self.store_file, expect_tournament=expected, read_only=read_only)

    def read(self) -> Store:
        """Open the store for reading, whosever it is: without the seed.

        Raises:
            StoreError: it is missing, damaged or newer than this program.
        """
        return Store.open(self.store_place, read_only=True)


def stored_config(config: TournamentConfig) -> str:
    """The configuration as the store keeps it: not where that is, since a store may be moved."""
    return json.dumps({**config.to_dict(), "store": None})
