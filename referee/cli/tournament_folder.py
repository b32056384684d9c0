"""The folder of a tournament: its resolved configuration, its seed, its store, its logs and what is published."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from referee.cli.errors import Failure
from referee.config.tournament import TournamentConfig
from referee.plan import tournament_id
from referee.rules import dealing
from referee.store.model import TournamentMeta
from referee.store.store import Store
from referee.tournament import now_utc


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
        """The store of finished matches."""
        return self.path / "tournament.db"

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
        except (ValueError, TypeError, AttributeError) as error:
            raise Failure(f"{self.entered_file}: is damaged: {error}; restore it") from error

    @property
    def logs(self) -> Path:
        """What bots and workers wrote."""
        return self.path / "logs"

    def create(self, config: TournamentConfig) -> Store:
        """Make the folder with its seed and an empty store.

        Raises:
            Failure: a tournament is there already.
            StoreError: the store cannot be made.
        """
        if self.store_file.exists():
            raise Failure(
                f"{self.path}: a tournament is there already: `hearts tournament resume {self.path}` goes on "
                "with it, `--dir` names another folder"
            )
        self.path.mkdir(parents=True, exist_ok=True)
        seed = secrets.token_bytes(32) if config.seed is None else dealing.integer_seed(config.seed)
        self.config_file.write_text(json.dumps(config.to_dict(), indent=2) + "\n", encoding="utf-8")
        self.seed_file.unlink(missing_ok=True)
        with os.fdopen(os.open(self.seed_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(seed.hex() + "\n")
        meta = TournamentMeta(
            tournament=tournament_id(config, seed),
            name=config.name,
            commitment=dealing.commitment(seed) if config.seed is None else "",
            config=json.dumps(config.to_dict()),
            created_at=now_utc(),
            software=f"hearts-arena {metadata.version('hearts-arena')}",
        )
        return Store.create(self.store_file, meta)

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
        except ValueError as error:
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

    def open(self, config: TournamentConfig, *, read_only: bool = False) -> Store:
        """Open the store, and make sure that it is this tournament's.

        Raises:
            StoreError: it is missing, damaged, newer than this program, or another tournament's.
        """
        expected = tournament_id(config, self.seed())
        return Store.open(self.store_file, expect_tournament=expected, read_only=read_only)
