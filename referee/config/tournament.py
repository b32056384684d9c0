"""A tournament's configuration as the program uses it, from a TOML file or from its own resolved form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any, Literal, Self, cast

from referee.config.keys import CONFIG_VERSION, SECTIONS, ConfigError, read_section, shown_value
from referee.records import Ruling, TimeControl
from referee.rules.presets import rules_from
from referee.rules.ruleset import RulesError, RuleSet
from referee.toml_text import TomlError, read_toml

UNTIL_BOARD_SETS_MAX = 10_000
"""The end of a tournament whose stop rule is never met, where neither `cycles` nor `board_sets` is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotEntry:
    """One `[[bot]]`. A local bot has a `path`; a remote one has a name and connects by itself."""

    path: Path | None
    remote: bool
    name: str | None  # None: the manifest's
    owner: str | None  # None: the manifest's

    @property
    def shown(self) -> str:
        """What a message calls it before its manifest is read."""
        return self.name or str(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultSettings:
    """What failing costs; see `referee.records.Ruling`."""

    ruling: Ruling
    faults_max: int
    reconnects_max: int
    restarts_max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenSettings:
    """Where remote bots connect and how long they are waited for."""

    address: str
    tls_cert: Path | None
    tls_key: Path | None
    lobby_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """A tournament as it was ordered. Paths are absolute where the file's folder was given.

    Exactly one of `cycles` and `board_sets` is set. With `seed` None the seed is secret and kept in a file.
    """

    name: str
    rules: RuleSet
    schedule: str
    challengers: tuple[str, ...]  # of a gauntlet
    rounds: int  # of a Swiss tournament
    advance: int  # of a knockout
    group_board_sets: int  # of a knockout
    owners_apart: bool
    cycles: int | None
    board_sets: int | None
    until: str | None  # a stop rule in words: `ratings.plan.StopRule` reads it
    match: Literal["cycle", "target"]
    seed: int | None
    rated: bool
    salt: str
    workers: int  # 0: one a core
    tables: int
    processes_max: int
    isolation: Literal["board-set", "match"]
    store: str | None  # URL of a PostgreSQL database; None: a file in the tournament's folder
    rank_by: Literal["elo", "points"]
    anchor: str | None
    control_variate: float | None  # beta of `ratings.control`
    show_names: bool
    clock: TimeControl
    faults: FaultSettings
    house: tuple[Path, ...]
    listen: ListenSettings
    bots: tuple[BotEntry, ...] = field(default=())

    @property
    def deals(self) -> int:
        """Deals of one match, as `MatchSpec.deals` has it: 0 means to the target."""
        return self.rules.cycle_length if self.match == "cycle" else 0

    @classmethod
    def from_dict(cls, raw: Mapping[str, object], *, where: str = "config", folder: Path | None = None) -> Self:
        """Read a configuration in TOML's form, or what `to_dict` wrote.

        Args:
            raw: the parsed file.
            where: what messages call it.
            folder: relative paths start there; None leaves them as they are.

        Raises:
            ConfigError: a key, a value or a combination that cannot be used.
        """
        _check_version(raw, where)
        values = read_section(raw, "", where)
        sections = {
            name: read_section({} if raw.get(name) is None else raw[name], name, f"{where}, [{name}]")
            for name in SECTIONS
            if name not in ("", "bot")
        }
        del values["version"]
        values["challengers"] = tuple(cast("list[str]", values["challengers"]))
        _check_schedule(values, where)
        if values["control_variate"] is not None and values["match"] == "target":
            raise ConfigError(
                f'{where}: control_variate = {values["control_variate"]} cannot go with match = "target", where '
                "deals are not rated one by one: drop one of them"
            )
        values |= _amount(raw, values, where) | {"rated": _is_rated(values, where)}
        faults, listen = sections["faults"], sections["listen"]
        faults["ruling"] = Ruling(cast("str", faults["ruling"]))
        for key in ("tls_cert", "tls_key"):
            listen[key] = _path(listen[key], folder)
        if (listen["tls_cert"] is None) != (listen["tls_key"] is None):
            raise ConfigError(f"{where}, [listen]: tls_cert and tls_key go together: give both or none")
        values |= {
            "rules": _rules(values["rules"], where),
            "clock": TimeControl(**cast("dict[str, int]", sections["clock"])),
            "faults": FaultSettings(**cast("dict[str, Any]", faults)),
            "house": tuple(_path(item, folder) for item in cast("list[str]", sections["house"]["bots"])),
            "listen": ListenSettings(**cast("dict[str, Any]", listen)),
            "bots": _bots(raw.get("bot"), where, folder),
        }
        _check_processes(values, where)
        return cls(**cast("dict[str, Any]", values))

    def to_dict(self) -> dict[str, object]:
        """The resolved configuration as plain JSON values; `from_dict` reads it back to an equal one."""
        plain = {
            name: getattr(self, name)
            for name in (key.name for key in SECTIONS[""])
            if name not in ("version", "rules")
        }
        return {"version": CONFIG_VERSION, "rules": self.rules.to_dict()} | cast(
            "dict[str, object]",
            _plain(
                plain
                | {
                    "clock": asdict(self.clock),
                    "faults": asdict(self.faults),
                    "house": {"bots": self.house},
                    "listen": asdict(self.listen),
                    "bot": [asdict(bot) for bot in self.bots],
                }
            ),
        )

    def digest(self) -> str:
        """SHA-256 in hex of what is played, by whom and under which rulings.

        Left out is what changes no result (processes, addresses, folders, how the table is ranked), and the salt,
        which is learned later and told by the store. The control variate is in, since it has to be fixed before.
        """
        played = self.to_dict()
        for name in ("workers", "tables", "processes_max", "store", "listen", "rank_by", "anchor", "salt"):
            del played[name]
        if played["control_variate"] is None:
            del played["control_variate"]
        played["rules"] = self.rules.digest()
        played["house"] = [path.name for path in self.house]
        played["bot"] = [asdict(bot) | {"path": None if bot.path is None else bot.path.name} for bot in self.bots]
        text = json.dumps(played, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


def load_config(path: Path) -> TournamentConfig:
    """Read a tournament file; relative paths in it start from its folder.

    Raises:
        ConfigError: it cannot be read, is no TOML or says something that cannot be used.
    """
    try:
        raw = read_toml(path)
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file; `hearts tournament init {quote(str(path))}` writes one") from None
    except IsADirectoryError:
        raise ConfigError(f"{path}: is a folder; give the tournament file in it") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except TomlError as error:
        raise ConfigError(f"{path}: {error}") from error
    return TournamentConfig.from_dict(raw, where=str(path), folder=path.absolute().parent)


def _check_version(raw: Mapping[str, object], where: str) -> None:
    """Refuse a newer form before its unknown keys are complained about."""
    version = raw.get("version", CONFIG_VERSION)
    if type(version) is int and version > CONFIG_VERSION:
        raise ConfigError(
            f"{where}: version = {shown_value(version)}, but this hearts-arena reads up to {CONFIG_VERSION}: "
            "install a newer one"
        )


def _amount(raw: Mapping[str, object], values: Mapping[str, object], where: str) -> dict[str, object]:
    if values["board_sets"] is None:
        is_open = values["until"] is not None and raw.get("cycles") is None
        return {"cycles": None, "board_sets": UNTIL_BOARD_SETS_MAX} if is_open else {}
    if raw.get("cycles") is not None:
        raise ConfigError(
            f"{where}: cycles = {raw['cycles']} and board_sets = {raw['board_sets']} exclude each other: give one"
        )
    return {"cycles": None}


def _check_schedule(values: Mapping[str, object], where: str) -> None:
    schedule, challengers = values["schedule"], values["challengers"]
    if schedule == "gauntlet" and not challengers:
        raise ConfigError(f'{where}: schedule = "gauntlet" needs challengers, such as challengers = ["low"]')
    if challengers and schedule != "gauntlet":
        listed = shown_value(challengers)
        raise ConfigError(f'{where}: challengers = {listed} go with schedule = "gauntlet": drop one of them')
    if schedule in ("swiss", "knockout") and values["board_sets"] is not None:
        amount = "rounds" if schedule == "swiss" else "group_board_sets"
        raise ConfigError(
            f'{where}: board_sets = {values["board_sets"]} cannot go with schedule = "{schedule}", '
            f"where {amount} says how much is played: drop it"
        )


def _check_processes(values: Mapping[str, object], where: str) -> None:
    rules, processes_max = cast("RuleSet", values["rules"]), cast("int", values["processes_max"])
    if processes_max < rules.seats:
        raise ConfigError(
            f"{where}: processes_max = {processes_max} is too few for one table of {rules.name}, which seats "
            f"{rules.seats} bots: give at least that"
        )


def _is_rated(values: Mapping[str, object], where: str) -> bool:
    is_public = values["seed"] is not None
    if is_public and values["rated"] is True:
        raise ConfigError(
            f"{where}: rated = true cannot go with seed = {values['seed']}, since anyone can work out the deals of "
            "a number: leave seed out, or write rated = false"
        )
    return not is_public if values["rated"] is None else bool(values["rated"])


def _rules(value: object, where: str) -> RuleSet:
    try:
        return rules_from(value)
    except RulesError as error:
        raise ConfigError(f"{where}, rules: {error}") from error


def _bots(raw: object, where: str, folder: Path | None) -> tuple[BotEntry, ...]:
    if raw is None:
        raw = []
    if not isinstance(raw, list):
        raise ConfigError(f"{where}: bot has to be a list of tables, each headed [[bot]] in double brackets")
    entries = []
    for number, item in enumerate(raw, start=1):
        place = f"{where}, [[bot]] number {number}"
        values = read_section(item, "bot", place)
        if values["remote"] and values["path"] is not None:
            raise ConfigError(
                f"{place}: path = {shown_value(values['path'])} cannot go with remote = true: drop one of them"
            )
        if values["remote"] and values["name"] is None:
            raise ConfigError(f"{place}: a remote bot needs a name, such as name = 'mine'")
        if not values["remote"] and values["path"] is None:
            raise ConfigError(f"{place}: path is missing: give the bot's folder, or remote = true and a name")
        values["path"] = _path(values["path"], folder)
        entries.append(BotEntry(**cast("dict[str, Any]", values)))
    names = [entry.name for entry in entries if entry.name is not None]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"{where}: the name {name!r} is given to two bots: each needs its own")
    return tuple(entries)


def _path(value: object, folder: Path | None) -> Path | None:
    if value is None:
        return None
    return Path(str(value)) if folder is None else folder / str(value)


def _plain(value: object) -> object:
    """Paths as text, tuples as lists, enums as their value, all the way down."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value.value if isinstance(value, Ruling) else value
