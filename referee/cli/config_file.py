"""Reads a tournament file as the commands do: a bot may be named instead of shown to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.cli.assets import bot_folder
from referee.config import TournamentConfig, load_config


def read_config(file: Path) -> TournamentConfig:
    """Read a tournament file; where a bot's folder is not there, the sample bot of that name is meant.

    Raises:
        ConfigError: it cannot be read, is no TOML or says something that cannot be used.
    """
    config = load_config(file)
    start = file.absolute().parent

    def meant(folder: Path) -> Path:
        if folder.exists() or folder.parent != start:
            return folder
        bundled = bot_folder(Path(folder.name))
        return bundled if bundled.is_absolute() else folder

    return replace(
        config,
        bots=tuple(replace(bot, path=None if bot.path is None else meant(bot.path)) for bot in config.bots),
        house=tuple(map(meant, config.house)),
    )
