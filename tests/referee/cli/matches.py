"""Records of matches that were played by rule of thumb, for tests that show or store them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from referee.records import FaultKind, MatchRecord, MatchSpec, Ruling, TimeControl, TurnKind
from referee.rules.cards import highest, lowest
from referee.rules.dealing import deal_cards, deal_seed, integer_seed
from referee.rules.presets import preset
from referee.rules.ruleset import RuleSet
from referee.table import Answer, Ask, MatchEnded, Table
from referee.table.asks import Failure, Timing

BOTS = ("duck", "low", "counter", "moon")
Misdeed = Callable[[Ask], Answer | Failure]


def late(_ask: Ask) -> Failure:
    return Failure(FaultKind.TIMEOUT, "no decision within 1000 ms and 5000 ms of the bank")


def illegal(ask: Ask) -> Answer:
    """The lowest card that may not be played now, or two cards where a pass is asked."""
    if ask.kind is TurnKind.PASS:
        return Answer(tuple(ask.legal[:2]))
    return Answer((next(card for card in range(1, 53) if card not in ask.legal),))


def play_match(
    *,
    rules: RuleSet | None = None,
    bots: tuple[str, ...] = BOTS,
    deals: int = 4,
    number: int = 0,
    board_set: int = 0,
    rotation: int = 0,
    seed: int = 7,
    ruling: Ruling = Ruling.SUBSTITUTE,
    misdeeds: Mapping[int, Misdeed] | None = None,
    expelled: Mapping[int, int] | None = None,
) -> MatchRecord:
    """Play a match in which everybody passes high and plays low.

    Args:
        misdeeds: what goes wrong, by turn number.
        expelled: seats that flood the referee while a turn is open, by its number.
    """
    rules = rules or preset("american")
    bots = tuple(bots[seat % len(bots)] for seat in range(rules.seats))
    spec = MatchSpec(
        key=f"{number:04x}" * 6,
        number=number,
        round_number=0,
        board_set=board_set,
        attempt=0,
        rotation=rotation,
        bots=bots,
        deals=deals,
    )
    secret = integer_seed(seed)
    table = Table(
        spec,
        rules,
        deal_cards=lambda deal: deal_cards(rules, deal_seed(secret, "", board_set, 0, deal)),
        turn_seeds=lambda deal: lambda seat, index: deal * 1000 + seat * 100 + index,
        ruling=ruling,
    )
    step = table.open()
    left, flooding = dict(misdeeds or {}), dict(expelled or {})
    while asks := table.pending():
        ask = asks[0]
        if (seat := flooding.pop(ask.turn_number, None)) is not None:
            step = table.expel(seat, Failure(FaultKind.RESOURCE, "over 1000 messages a second"))
            continue
        misdeed = left.pop(ask.turn_number, None)
        done = misdeed(ask) if misdeed else _decide(ask, rules)
        if isinstance(done, Failure):
            step = table.fail(ask.seat, done, Timing(elapsed_us=6_000_400, allowed_us=6_000_000, lag_us=150))
        else:
            note = "low \x1b[31mas ever" if ask.turn_number == 6 else ""
            timing = Timing(elapsed_us=400 * ask.turn_number, allowed_us=6_000_000, lag_us=150)
            step = table.answer(ask.seat, replace(done, note=note), timing)
    (ended,) = [event for event in step.events if isinstance(event, MatchEnded)]
    return MatchRecord(
        spec=spec,
        rules=rules.to_dict(),
        ruling=ruling,
        faults_max=3,
        clock=TimeControl(),
        versions=tuple(f"1.{seat}" for seat in range(rules.seats)),
        content=tuple(f"{seat:064x}" for seat in range(rules.seats)),
        deals=tuple(table.deals),
        places=ended.places,
        totals=table.totals,
        faults=tuple(table.faults),
        started_at="2026-11-30T00:00:00Z",
        duration_ms=812,
        lag_us_max=150,
    )


def _decide(ask: Ask, rules: RuleSet) -> Answer:
    match ask.kind:
        case TurnKind.PASS:
            return Answer(tuple(sorted(highest(ask.legal, rules.pass_count))))
        case TurnKind.PLAY:
            return Answer((lowest(ask.legal),))
        case TurnKind.MOON:
            return Answer((), "subtract")
