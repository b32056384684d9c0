"""Reads a tournament file as the commands do: a bot may be named instead of shown to."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from referee.cli.assets import bundled_bots
from referee.config import TournamentConfig, load_config


def read_config(file: Path) -> TournamentConfig:
    """Read a tournament file; where a bot's folder is not there, the sample bot of that name is meant.

    Raises:
        ConfigError: it cannot be read, is no TOML or says something that cannot be used.
    """
    config = load_config(file)
    start = file.absolute().parent

    def meant(folder: Path) -> Path:
        if os.path.exists(folder) or folder.parent != start:  # noqa: PTH110  Path.exists fails on a long name
            return folder
        return bundled_bots().get(folder.name, folder)

    return replace(
        config,
        bots=tuple(replace(bot, path=None if bot.path is None else meant(bot.path)) for bot in config.bots),
        house=tuple(map(meant, config.house)),
    )
