"""The seam everyone may read: what is asked, what was answered, what a match came to.

Everything here is a frozen dataclass or a named tuple of plain values, so that a record can be written as canonical
JSON, read in another process and judged again. Cards are integers 1..52 (see `referee.rules.cards`); times are
integers in the unit that ends the name, taken from a monotonic clock.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class TurnKind(StrEnum):
    """What a turn asks for."""

    PASS = "pass"
    PLAY = "play"
    MOON = "moon"


class FaultKind(StrEnum):
    """How a bot, or the house, failed."""

    BREACH = "breach"  # a decision against the rules; `Fault.breach` names the rule
    TIMEOUT = "timeout"  # no decision within the clock, late or missing
    MALFORMED = "malformed"  # an answer that is no decision: undecodable, wrong field, unknown card
    DISCONNECT = "disconnect"  # the stream was gone when the clock ran out
    EXIT = "exit"  # the process launched here had ended when the clock ran out
    STARTUP = "startup"  # never started, never said hello, or speaks another protocol
    RESOURCE = "resource"  # over a limit of memory, messages or size


class Blame(StrEnum):
    """Who failed. Only `BOT` is charged; the others void the match."""

    BOT = "bot"
    HOST = "host"
    ORGANISER = "organiser"


class StrayKind(StrEnum):
    """Why an answer answered nothing."""

    LATE = "late"  # its turn was over: the referee had ruled on it, or had taken it back
    REPEATED = "repeated"  # its turn had been answered
    UNKNOWN = "unknown"  # no turn of its number was asked, at least of late


class Ruling(StrEnum):
    """What the referee does about a bot's fault (a tournament setting)."""

    SUBSTITUTE = "substitute"  # lowest legal card, three highest to pass; autopilot after `faults_max`
    REVOKE = "revoke"  # all the deal's points to the offender; the deal ends
    FORFEIT = "forfeit"  # autopilot from here
    RETRY = "retry"  # ask again within the same clock


class DecidedBy(StrEnum):
    """Whose decision was applied."""

    BOT = "bot"
    SUBSTITUTE = "substitute"  # the referee, for this one turn
    AUTOPILOT = "autopilot"  # the referee, for the rest of the match


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """The clocks of a match, all in milliseconds."""

    turn_ms: int = 1000
    bank_ms: int = 5000  # per seat and match; a turn that needs more than `turn_ms` draws on it
    start_ms: int = 30_000  # from starting a process, or opening the lobby, to its stream
    hello_ms: int = 5_000  # from the stream to the hello
    handoff_ms_max: int = 2_000  # a bot that does not read has its clock started after this long
    match_ms_max: int = 3_600_000  # wall cap of a match


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSpec:
    """One match to be played: the unit of work that the tournament hands to a worker.

    `bots[seat]` is the entrant's name at that seat. The deals follow from (`board_set`, `attempt`) and the
    tournament's seed alone. `deals` is the number of deals of the match; 0 means to the rule set's target.
    """

    key: str  # hash of (tournament, board set, attempt, rotation): the match's identity everywhere
    number: int  # position in schedule order, from 0
    round_number: int
    board_set: int
    attempt: int
    rotation: int
    bots: tuple[str, ...]
    deals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One failing, with its evidence. `seat` is the offender's."""

    kind: FaultKind
    blame: Blame
    seat: int
    deal_number: int
    turn_number: int  # of the match, from 1, in the order of asking; 0 where no turn was open
    turn_kind: TurnKind | None
    breach: str | None  # the rule broken, by its name in `referee.rules.breach.Breach`
    message: str  # one sentence for the author
    ruling: Ruling | None
    legal: tuple[int, ...]
    answer: tuple[int, ...]  # the cards as they came; not necessarily cards at all
    elapsed_us: int  # measured from the clock's start
    allowed_us: int  # turn time and what was left of the bank
    lag_us: int  # of the referee's own lag meanwhile the share of this turn, which was not charged
    exit_code: int | None = None
    stderr_window: tuple[str, int, int] | None = None  # file, first and last byte written meanwhile


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """Answers of one seat that answered no open turn: harmless and no fault, but kept as evidence.

    Those to an unknown turn belong to no match; they count in each that the bot played at that moment.
    """

    seat: int
    kind: StrayKind
    count: int


class DecisionRecord(NamedTuple):
    """One decision that was applied. A deal lists its passes by seat, then its plays in order.

    A tuple, since one is made for each decision: a frozen dataclass takes six times as long.
    """

    turn_number: int  # of the match, from 1, in the order of asking
    seat: int
    kind: TurnKind
    cards: tuple[int, ...]  # three of a pass, one of a play, none of a moon choice
    moon_choice: str | None
    decided_by: DecidedBy
    elapsed_us: int  # charged thinking time; 0 where the referee decided
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRecord:
    """One deal: what was dealt, decided and scored."""

    deal_number: int
    dealer: int
    pass_offset: int
    hands: tuple[tuple[int, ...], ...]  # before the pass, per seat
    widow: tuple[int, ...]
    decisions: tuple[DecisionRecord, ...]
    winners: tuple[int | None, ...]  # seat of each trick, None where it was carried
    points: tuple[int, ...]  # card points taken, per seat
    moon_seat: int | None
    scores: tuple[int, ...]  # change of the running totals, after the moon rule
    totals: tuple[int, ...]  # running totals after this deal
    autopilot: tuple[bool, ...]  # per seat: was on autopilot at any time in this deal
    revoked_seat: int | None = None  # offender under the ruling `revoke`, which ended the deal


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A whole finished match, enough to judge it again from the seed."""

    spec: MatchSpec
    rules: dict[str, object]  # the rule set in full, as `RuleSet.to_dict` writes it
    ruling: Ruling
    faults_max: int
    clock: TimeControl
    versions: tuple[str, ...]  # of the bot at each seat, as its hello gave it
    content: tuple[str, ...]  # content hash of each local bot's folder, empty for remote bots
    deals: tuple[DealRecord, ...]
    places: tuple[int, ...]  # 1 is best; ties share a place: 1, 1, 3, 4
    totals: tuple[int, ...]
    faults: tuple[Fault, ...]
    started_at: str  # UTC, ISO 8601
    duration_ms: int
    lag_us_max: int
    strays: tuple[Stray, ...] = ()  # by seat and kind, only those that there were

    @property
    def autopilot(self) -> tuple[bool, ...]:
        """Per seat: the referee took over before the match ended."""
        return tuple(any(flags) for flags in zip(*(deal.autopilot for deal in self.deals), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResult:
    """The rated observation: one deal at one table (or one match where matches go to a target).

    Observations that share `deal_id` hang together: it is the cluster of every interval. In `places`
    a seat on autopilot loses to each other seat; seats beside one are tied with each other.
    """

    match_id: str
    deal_id: str
    number: int  # position in schedule order
    round_number: int
    unit: str  # "board" or "match": never pooled
    rules: str  # digest of the rule set: never pooled
    bots: tuple[str, ...]  # per seat
    points: tuple[float, ...]  # score of the deal (or of the match), per seat; fewer is better
    places: tuple[int, ...]
    autopilot: tuple[bool, ...]
    deals: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardColumns:
    """Very many board results of one unit and one rule set, in schedule order, as columns instead of objects.

    `bot`, `points`, `place` and `autopilot` have one value a seat, board after board, `seats` of them each; the
    other arrays have one value a board. `bot`, `deal` and `match` point into `bots`, `deal_ids` and `match_ids`.
    """

    unit: str  # "board" or "match"; empty where there are no results
    rules: str  # digest of the rule set
    bots: tuple[str, ...]
    deal_ids: tuple[str, ...]
    match_ids: tuple[str, ...]
    bot: array[int]  # type code i, 32 bits; so are all without a note
    points: array[float]  # type code d
    place: array[int]
    autopilot: array[int]  # type code b: 0 or 1
    seats: array[int]
    deal: array[int]
    match: array[int]
    number: array[int]
    round_number: array[int]
    deals: array[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class BotReport:
    """What one bot did in a tournament besides scoring: for the table printed beside the standings."""

    bot: str
    matches: int
    decisions: int
    faults: dict[str, int] = field(default_factory=dict)  # "kind/blame" to count
    p50_us: int = 0
    p99_us: int = 0
    max_us: int = 0

    @property
    def charged(self) -> dict[str, int]:
        """The faults that the bot is charged with, by kind: those whose blame is its own."""
        kinds = (name.partition("/") for name in self.faults)
        return {kind: self.faults[f"{kind}/{blame}"] for kind, _, blame in kinds if blame == Blame.BOT}
