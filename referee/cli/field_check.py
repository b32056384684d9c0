"""Whether the bots of a tournament file can fill its tables, seen before anything is made."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from referee.cli.admission import Candidate, candidates_of
from referee.config import ConfigError, TournamentConfig
from referee.config.keys import shown_value
from referee.draws import AsTheyStand
from referee.plan import planned_for
from referee.schedule.pairing import ScheduleError, field_of

_PATH_SHOWN_MAX: Final = 250


def needed(candidates: Sequence[Candidate], seats: int) -> list[Candidate]:
    """Drop the house bots that no table needs."""
    guests = [candidate for candidate in candidates if not candidate.is_house]
    house = [candidate for candidate in candidates if candidate.is_house]
    return guests + house[: max(0, seats - len(guests))]


def check_tables(config: TournamentConfig, field: Sequence[Candidate]) -> None:
    """See that a first table can be drawn.

    Raises:
        ScheduleError: too few bots, or none that the schedule asks for.
    """
    able = sum(not candidate.is_house for candidate in field)
    if config.schedule == "duel" and able < len(config.bots):  # else it would be one of others, without a word
        raise ScheduleError(f"duel: {able} of {len(config.bots)} bots can play, and it needs them all.")
    if config.schedule not in ("duel", "gauntlet"):  # which fill their tables in their own way
        field_of([candidate.entrant for candidate in field], config.rules.seats)
    present = [(candidate.entrant, candidate.is_remote) for candidate in field]
    next(iter(planned_for(config, config.digest(), present, AsTheyStand()).seatings()), None)


def check_field(config: TournamentConfig, where: str) -> None:
    """Read the manifests of all bots and see that a first table can be drawn; no bot is started.

    Args:
        config: the tournament.
        where: what messages call its file.

    Raises:
        ManifestError: a bot's folder or its bot.toml is wrong.
        ConfigError: two bots have one name, a name that is asked for is none of theirs, or no table can be filled.
    """
    for number, bot in enumerate(config.bots, start=1):
        if bot.path is not None:
            _check_length(bot.path, f"{where}, [[bot]] number {number}: path")
    for number, path in enumerate(config.house, start=1):
        _check_length(path, f"{where}, [house]: number {number} of bots")
    candidates, _ = candidates_of([(b.path, b.name, b.owner) for b in config.bots], config.house)
    field = needed(candidates, config.rules.seats)
    names = [candidate.name for candidate in field]
    anchors = () if config.anchor is None else (config.anchor,)
    for key, asked in (("challengers", config.challengers), ("anchor", anchors)):
        for name in asked:
            if names and name not in names:
                raise ConfigError(f"{where}: {key}: {name!r} is no bot of this file: it enters {', '.join(names)}")
    try:
        check_tables(config, field)
    except ScheduleError as error:
        raise ConfigError(f"{where}: {error}") from error


def _check_length(path: Path, key: str) -> None:
    """Refuse a path that is too long to be looked at, or to be shown in full where nothing is there."""
    if len(str(path)) > _PATH_SHOWN_MAX and not os.path.exists(path):  # noqa: PTH110  Path.exists fails on a long name
        raise ConfigError(f"{key} = {shown_value(str(path))}: no such folder or file")
