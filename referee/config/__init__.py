"""The configuration of a tournament: TOML in, a frozen `TournamentConfig` out; pure but for `load_config`."""

from referee.config.keys import CONFIG_VERSION, SECTIONS, ConfigError, Key
from referee.config.template import config_template
from referee.config.tournament import (
    BotEntry,
    FaultSettings,
    ListenSettings,
    TournamentConfig,
    load_config,
)

__all__ = [
    "CONFIG_VERSION",
    "SECTIONS",
    "BotEntry",
    "ConfigError",
    "FaultSettings",
    "Key",
    "ListenSettings",
    "TournamentConfig",
    "config_template",
    "load_config",
]
