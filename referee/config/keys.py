"""Every key of a tournament file, in one table: what it takes, its default and what it is for.

The reader, the commented file that `hearts tournament init` writes and the test of docs/configuration.md all
follow this table, so that none of them can tell another story.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from referee.records import Ruling, TimeControl

CONFIG_VERSION = 1
"""Version of the form that this code reads, written as `version`. A newer one is refused."""

NAME_CHARS_MAX = 40
_TEXT_CHARS_MAX = 200
_HOUR_MS = 3_600_000


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names file, key, value and what is allowed."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of values: which ones belong to it, and its name in a message after "has to be"."""

    allowed: str
    accepts: Callable[[object], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key. A default of None means that leaving it out is a meaning of its own, which `help` tells."""

    name: str
    kind: Kind
    default: object
    help: str
    example: object = None  # what the commented-out line of the template shows where there is no default


def whole(low: int, high: int) -> Kind:
    """A whole number within bounds; `true` is none."""
    return Kind(f"a whole number from {low} to {high}", lambda v: type(v) is int and low <= v <= high)


def one_of(*choices: str) -> Kind:
    """One of some words."""
    return Kind(" or ".join(f'"{choice}"' for choice in choices), lambda v: v in choices)


def text(chars_max: int, *, chars_min: int = 1) -> Kind:
    """One printable line without blanks around it."""

    def accepts(value: object) -> bool:
        return (
            isinstance(value, str)
            and chars_min <= len(value) <= chars_max
            and value.isprintable()
            and value == value.strip()
        )

    return Kind(f"one line of {chars_min} to {chars_max} characters in quotes, no blanks around it", accepts)


def _are_paths(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) and item for item in value)


_UNTIL = re.compile(r"separated|interval\s*<\s*[1-9]\d{0,3}(\.\d+)?")
UNTIL = Kind(
    '"separated", or an interval in Elo such as "interval < 15"',
    lambda v: isinstance(v, str) and _UNTIL.fullmatch(v) is not None,
)
SHARE = Kind("a number above 0, at most 1", lambda v: type(v) in (int, float) and 0 < cast("float", v) <= 1)
_STORE = re.compile(r"postgresql(\+psycopg)?://([^:@/\s]*@)?(\[[0-9a-fA-F:]+\]|[^:@/\s]*)(:\d+)?/[^\s@]+")
STORE = Kind(
    'the URL of a PostgreSQL database without a password, such as "postgresql://me@db.example/hearts"; '
    "the password is taken from PGPASSWORD or ~/.pgpass",
    lambda v: isinstance(v, str) and _STORE.fullmatch(v) is not None and "password=" not in v,
)
FLAG = Kind("true or false", lambda v: type(v) is bool)
PATHS = Kind('a list of folders, such as ["bots/low"]', _are_paths)
NAMES = Kind('a list of names, such as ["low"]', _are_paths)
RULES = Kind(
    'the name of a preset in quotes, or a table such as { base = "american", target = 50 }',
    lambda v: isinstance(v, (str, dict)),
)
_CLOCK = TimeControl()
_PASSWORD = re.compile(r"(?<=://)[^\s/]*(?=@)|(?<=password=)[^\s&\"]*")

SECTIONS: Mapping[str, tuple[Key, ...]] = {
    "": (
        Key(name="version", kind=whole(1, 1_000), default=CONFIG_VERSION, help="Version of this file's form."),
        Key(name="name", kind=text(NAME_CHARS_MAX), default="tournament", help="Printed over every table."),
        Key(
            name="rules",
            kind=RULES,
            default="american",
            help="Preset (`hearts rules list`), or a table: `base` names a preset, other parameters change it.",
        ),
        Key(
            name="schedule",
            kind=one_of("round-robin", "gauntlet", "swiss", "duel", "knockout"),
            default="round-robin",
            help="Who meets whom. Gauntlet: `challengers` against the others; duel: the first bot against the "
            "second, in the company of the others; swiss: bots of equal standing; knockout: groups of one table.",
        ),
        Key(
            name="challengers",
            kind=NAMES,
            default=(),
            help="Of a gauntlet: the bots that are to be judged, by name; all others are the field they meet.",
        ),
        Key(name="rounds", kind=whole(1, 10_000), default=7, help="Of a Swiss tournament."),
        Key(
            name="advance",
            kind=whole(1, 10),
            default=2,
            help="Of a knockout: how many of each group go on. The first groups are seeded in the order below.",
        ),
        Key(
            name="group_board_sets",
            kind=whole(1, 100_000),
            default=4,
            help="Of a knockout: how many board sets each group plays.",
        ),
        Key(
            name="owners_apart",
            kind=FLAG,
            default=False,
            help="Seat bots of one owner together only where there is no other way (round robin and Swiss).",
        ),
        Key(
            name="cycles",
            kind=whole(1, 100_000),
            default=1,
            help="How often the whole schedule is played through; see `hearts tournament balance`.",
        ),
        Key(
            name="board_sets",
            kind=whole(1, 10_000_000),
            default=None,
            help="Play so many board sets instead of whole cycles.",
            example=100,
        ),
        Key(
            name="until",
            kind=UNTIL,
            default=None,
            help="Stop earlier, in whole board sets: when all bots are told apart, or every Elo is within so much.",
            example="interval < 15",
        ),
        Key(
            name="match",
            kind=one_of("cycle", "target"),
            default="cycle",
            help='"cycle": a match is one whole pass cycle; "target": deals until the rules\' target is reached.',
        ),
        Key(
            name="seed",
            kind=whole(0, 2**63 - 1),
            default=None,
            help="Public seed, for trials: anyone knows the deals. Left out, 32 secret random bytes are made.",
            example=7,
        ),
        Key(
            name="rated",
            kind=FLAG,
            default=None,
            help="May the results count? Left out: true, but false with a public seed, where true is refused.",
            example=True,
        ),
        Key(
            name="salt",
            kind=text(_TEXT_CHARS_MAX, chars_min=0),
            default="",
            help="Text learned only after the commitment was published, such as a lottery draw.",
        ),
        Key(name="workers", kind=whole(0, 1_024), default=0, help="Worker processes; 0: one a core."),
        Key(name="tables", kind=whole(1, 4_096), default=16, help="Matches in flight in each worker."),
        Key(
            name="processes_max",
            kind=whole(1, 10_000),
            default=64,
            help="Bot processes alive at once on this machine; idle ones are ended first.",
        ),
        Key(
            name="isolation",
            kind=one_of("board-set", "match"),
            default="board-set",
            help='"board-set": a process serves one rotation of every board set, so that none sees a deal twice; '
            '"match": fresh processes for each match.',
        ),
        Key(
            name="store",
            kind=STORE,
            default=None,
            help="PostgreSQL database of the finished matches, without a password. Left out: a file in the folder.",
            example="postgresql://me@db.example/hearts",
        ),
        Key(name="rank_by", kind=one_of("elo", "points"), default="elo", help="The number that decides places."),
        Key(
            name="anchor",
            kind=text(NAME_CHARS_MAX),
            default=None,
            help="The bot that has zero Elo. Left out: zero is the mean of the bots.",
            example="random",
        ),
        Key(
            name="control_variate",
            kind=SHARE,
            default=None,
            help="Take out luck of the cards where seats are not rotated: this share of the points that the "
            "reference player takes with the same cards is taken off a bot's. Fixed before the first deal.",
            example=0.3,
        ),
        Key(
            name="show_names",
            kind=FLAG,
            default=True,
            help="Do bots learn who else sits at the table?",
        ),
    ),
    "clock": (
        Key(name="turn_ms", kind=whole(1, _HOUR_MS), default=_CLOCK.turn_ms, help="Time of each decision, in ms."),
        Key(
            name="bank_ms",
            kind=whole(0, _HOUR_MS),
            default=_CLOCK.bank_ms,
            help="Time a match on top, for turns that need longer.",
        ),
        Key(
            name="start_ms",
            kind=whole(1, _HOUR_MS),
            default=_CLOCK.start_ms,
            help="From starting a bot to its connection.",
        ),
        Key(
            name="hello_ms",
            kind=whole(1, _HOUR_MS),
            default=_CLOCK.hello_ms,
            help="From its connection to its hello.",
        ),
        Key(
            name="handoff_ms_max",
            kind=whole(1, _HOUR_MS),
            default=_CLOCK.handoff_ms_max,
            help="A bot that does not read has its clock started after this long.",
        ),
        Key(
            name="match_ms_max",
            kind=whole(1, 7 * 24 * _HOUR_MS),
            default=_CLOCK.match_ms_max,
            help="In a match that takes longer, the seat waited for most is played for. "
            "Time in which the referee itself stood still does not count.",
        ),
    ),
    "faults": (
        Key(
            name="ruling",
            kind=one_of(*(ruling.value for ruling in Ruling)),
            default=Ruling.SUBSTITUTE.value,
            help="What a failing decision leads to: see docs/configuration.md.",
        ),
        Key(
            name="faults_max",
            kind=whole(1, 10_000),
            default=3,
            help="With so many faults in a match the referee plays the seat to its end.",
        ),
        Key(
            name="reconnects_max",
            kind=whole(0, 10_000),
            default=20,
            help="Lost connections of one bot in one match.",
        ),
        Key(
            name="restarts_max",
            kind=whole(0, 10_000),
            default=3,
            help="Times that a bot which ends in a match is started again in that match.",
        ),
    ),
    "house": (
        Key(
            name="bots",
            kind=PATHS,
            default=(),
            help="Folders or names of house bots, which fill the table where entrants are fewer than seats.",
        ),
    ),
    "listen": (
        Key(
            name="address",
            kind=text(_TEXT_CHARS_MAX),
            default="127.0.0.1:7077",
            help="HOST:PORT where remote bots connect.",
        ),
        Key(
            name="tls_cert",
            kind=text(_TEXT_CHARS_MAX),
            default=None,
            help="Certificate chain, needed on anything but loopback; `hearts cert` makes one.",
            example="certs/server.pem",
        ),
        Key(
            name="tls_key",
            kind=text(_TEXT_CHARS_MAX),
            default=None,
            help="Its private key.",
            example="certs/server.key",
        ),
        Key(
            name="lobby_s",
            kind=whole(1, 86_400),
            default=300,
            help="How long remote bots are waited for before the first deal.",
        ),
    ),
    "bot": (
        Key(
            name="path",
            kind=text(4_096),
            default=None,
            help="Folder with the bot's bot.toml, or the name of a sample bot.",
            example="bots/mine",
        ),
        Key(
            name="remote",
            kind=FLAG,
            default=False,
            help="The bot connects by itself; it needs a name and no path.",
        ),
        Key(
            name="name",
            kind=text(NAME_CHARS_MAX),
            default=None,
            help="Its name in this tournament. Left out: the name in bot.toml.",
            example="mine",
        ),
        Key(
            name="owner",
            kind=text(_TEXT_CHARS_MAX, chars_min=0),
            default=None,
            help="Who entered it. Left out: the owner in bot.toml.",
            example="ada",
        ),
    ),
}


def read_section(raw: object, section: str, where: str) -> dict[str, object]:
    """Check one table against its keys and fill in the defaults; None stands for a key left out.

    Args:
        raw: the table as TOML or JSON gave it.
        section: a key of `SECTIONS`.
        where: file and table, as messages shall name them.

    Raises:
        ConfigError: no table, an unknown key or a value that is not allowed.
    """
    if not isinstance(raw, Mapping):
        raise ConfigError(f"{where}: {shown_value(raw)} has to be a table")
    keys = SECTIONS[section]
    known = [key.name for key in keys] + ([name for name in SECTIONS if name] if section == "" else [])
    for name in raw:
        if name not in known:
            raise ConfigError(f"{where}: unknown key {name!r}; {_suggest(str(name), known)}")
    values = {}
    for key in keys:
        value = raw.get(key.name)
        if value is not None and not key.kind.accepts(value):
            raise ConfigError(f"{where}: {key.name} = {shown_value(value)} has to be {key.kind.allowed}")
        values[key.name] = key.default if value is None else value
    return values


def _suggest(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}"


def shown_value(value: object) -> str:
    """A value as TOML writes it, or nearly, shortened and without the passwords of URLs."""
    try:
        written = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # a whole number of thousands of digits, which TOML may write in hexadecimal
        return "a value too large to be shown"
    shown = _PASSWORD.sub("***", written)
    return shown if len(shown) <= 60 else shown[:57] + "..."
