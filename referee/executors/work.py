"""What a worker is told and what it tells: plain data that survives JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from referee.floor.waits import Wait
from referee.records import MatchSpec, Ruling, TimeControl, TurnKind


@dataclass(frozen=True, slots=True, kw_only=True)
class BotEntry:
    """How an entrant comes to the table: from a folder here, or over the network with its token."""

    name: str
    folder: str = ""
    token: str = ""

    @property
    def is_remote(self) -> bool:
        """Whether the bot dials in from elsewhere."""
        return not self.folder


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseConfig:
    """Everything a process needs to play any match of a tournament.

    `seed` is the tournament's, in hexadecimal: deals follow from it and the match's spec alone. `listen` is an
    address for remote bots, `tls_cert` and `tls_key` the files that make it safe; empty where there are none. At
    most `processes_max` local bots are alive at once, at least as many as a table seats. With the `isolation`
    "board-set" a process serves one rotation of every board set, with "match" one match.
    """

    rules: dict[str, Any]
    ruling: Ruling
    faults_max: int
    clock: TimeControl
    seed: str
    salt: str
    commitment: str
    bots: tuple[BotEntry, ...]
    log_dir: str
    listen: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    lobby_s: float = 300
    restarts_max: int = 3
    reconnects_max: int = 20
    show_names: bool = True
    processes_max: int = 64
    isolation: str = "board-set"

    def to_json(self) -> str:
        """Write the config for a worker."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> HouseConfig:
        """Read what `to_json` wrote."""
        raw = json.loads(text)
        raw["ruling"] = Ruling(raw["ruling"])
        raw["clock"] = TimeControl(**raw["clock"])
        raw["bots"] = tuple(BotEntry(**entry) for entry in raw["bots"])
        return cls(**raw)


def spec_to_dict(spec: MatchSpec) -> dict[str, Any]:
    """Write a match spec for a worker."""
    return asdict(spec)


def spec_from_dict(raw: dict[str, Any]) -> MatchSpec:
    """Read what `spec_to_dict` wrote."""
    return MatchSpec(**{**raw, "bots": tuple(raw["bots"])})


def wait_to_dict(wait: Wait) -> dict[str, Any]:
    """Write what matches wait for, for another process."""
    return asdict(wait)


def wait_from_dict(raw: dict[str, Any]) -> Wait:
    """Read what `wait_to_dict` wrote."""
    return Wait(**{**raw, "turn_kind": TurnKind(raw["turn_kind"])})


@dataclass(frozen=True, slots=True)
class Unfit:
    """A bot that cannot play: it did not start, said no hello, or speaks another protocol. One sentence why."""

    bot: str
    reason: str
    is_host: bool = False  # the machine failed, not the bot
