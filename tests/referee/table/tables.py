"""Tables for tests: a real rule set, real deals of a public seed, and seats that decide by a function."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from referee.records import MatchSpec, Ruling, TurnKind
from referee.rules import dealing
from referee.rules.cards import highest, lowest
from referee.rules.dealing import Dealt
from referee.rules.presets import preset
from referee.table import Answer, Ask, MatchEnded, Step, Table

SEED = dealing.integer_seed(7)
Decide = Callable[[Ask], Answer]


def spec(*, deals: int = 1, seats: int = 4, board_set: int = 0, key: str = "m") -> MatchSpec:
    return MatchSpec(
        key=key,
        number=0,
        round_number=1,
        board_set=board_set,
        attempt=0,
        rotation=0,
        bots=tuple("abcdefghij"[:seats]),
        deals=deals,
    )


def table(
    rules_name: str = "american",
    *,
    deals: int = 1,
    ruling: Ruling = Ruling.SUBSTITUTE,
    faults_max: int = 3,
    board_set: int = 0,
    key: str = "m",
    hands: tuple[tuple[int, ...], ...] | None = None,
) -> Table:
    """Make a table; every deal is of `hands` where they are given."""
    rules = preset(rules_name)

    def deal_cards(number: int) -> Dealt:
        if hands is not None:
            return Dealt(hands, ())
        return dealing.deal_cards(rules, dealing.deal_seed(SEED, "", board_set, 0, number))

    return Table(
        spec(deals=deals, seats=rules.seats, board_set=board_set, key=key),
        rules,
        deal_cards=deal_cards,
        turn_seeds=lambda number: partial(dealing.turn_seed, dealing.turn_key(SEED, "", board_set, 0, number)),
        ruling=ruling,
        faults_max=faults_max,
    )


def lowest_legal(ask: Ask) -> Answer:
    """What the referee itself would decide: the lowest legal card, the highest to pass, the default of a moon."""
    if ask.kind is TurnKind.MOON:
        return Answer((), ask.deal.rules.moon_choice_default)
    if ask.kind is TurnKind.PASS:
        return Answer(tuple(sorted(highest(ask.legal, ask.deal.rules.pass_count))))
    return Answer((lowest(ask.legal),))


def play_out(table: Table, decide: Decide = lowest_legal, *, step: Step | None = None) -> MatchEnded:
    """Answer every turn in the order of asking until the match is over."""
    events = list((step or table.open()).events)
    while pending := table.pending():
        ask = min(pending, key=lambda a: a.turn_number)
        events += table.answer(ask.seat, decide(ask)).events
    ended = events[-1]
    assert isinstance(ended, MatchEnded)
    return ended


def to_first_play(table: Table) -> Ask:
    """Open the table, let every seat pass, and give the turn that leads the first trick."""
    table.open()
    while table.pending()[0].kind is TurnKind.PASS:
        ask = table.pending()[0]
        table.answer(ask.seat, lowest_legal(ask))
    return table.pending()[0]


def sure_moon(ruling: Ruling = Ruling.SUBSTITUTE) -> Table:
    """Make a table at which seat 0 holds all clubs after the pass, takes every trick and chooses what it brings."""
    clubs = tuple(range(1, 14))
    others = tuple(range(14, 53))
    hands = (clubs[:10] + others[:3], others[3:16], others[16:29], clubs[10:] + others[29:])
    return table("omnibus-choice", hands=hands, ruling=ruling)


def to_moon(table: Table) -> Ask:
    """Play `sure_moon` up to the shooter's choice."""
    passes = {0: (14, 15, 16), 3: (11, 12, 13)}
    table.open()
    while (ask := table.pending()[0]).kind is not TurnKind.MOON:
        is_given = ask.kind is TurnKind.PASS and ask.seat in passes
        table.answer(ask.seat, Answer(passes[ask.seat]) if is_given else lowest_legal(ask))
    return ask
