"""Which cards may be played.

A hand is asked about as its four suits, each an ascending list. What the rule set says of single cards is looked up
in tables that are made once for it, so that a question costs a few list operations. (Bit masks were slower: 52 bits
are more than one digit of a Python integer.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, assert_never

from referee.rules.breach import Breach
from referee.rules.cards import CARDS, QUEEN_OF_SPADES, Card, is_heart, suit_of
from referee.rules.parameters import (
    FirstLead,
    FirstTrick,
    FirstTrickException,
    HeartsBrokenBy,
    LeadException,
    Moon,
    MoonNeeds,
    QueenBreaks,
    QueenLead,
)

if TYPE_CHECKING:
    from referee.rules.ruleset import RuleSet

Suits: TypeAlias = "Sequence[list[Card]]"

ByCard: TypeAlias = tuple[int, ...]  # indexed by card; index 0 is no card

COUNTS, BREAKS = 1, 2
NO_SEAT = -1


@dataclass(frozen=True, slots=True)
class Tables:
    """What a rule set says, in the form in which it is looked up."""

    marks: tuple[ByCard, ...]  # by the suit led: 0, COUNTS (points or moon), or BREAKS hearts
    needed: ByCard  # 1 where a moon needs the card
    needed_total: int  # cards in play that a moon needs, twins both
    has_barred: tuple[bool, ...]  # by suit: whether it has cards that are barred from the first trick
    barred: ByCard  # 1 where the card is barred from the first trick
    first_choice: ByCard  # 1 where a follower with nothing but barred cards must prefer the card
    next_seat: tuple[tuple[int, ...], ...]  # by leader, then seat: who plays after it; NO_SEAT after the last
    lowest_club_leads: bool
    hearts_wait: bool  # for hearts to be broken
    queen_waits: bool
    queen_frees_hearts: bool  # a leader may lead a heart if it holds but hearts and the queen


def tables_of(rules: RuleSet) -> Tables:
    """Tables of a rule set whose pack and values are known."""
    needed = _by_card(card for card in set(rules.pack) if _is_needed(rules, card))
    barred = _by_card(card for card in CARDS if _is_barred(rules, card))
    return Tables(
        marks=tuple(_marks(rules, led, needed) for led in range(4)),
        needed=needed,
        needed_total=sum(needed[card] for card in rules.pack),
        has_barred=tuple(
            any(_is_barred(rules, card) for card in CARDS[low : low + 13]) for low in range(0, 52, 13)
        ),
        barred=barred,
        first_choice=_by_card(card for card in CARDS if _is_first_choice(rules, card)),
        next_seat=tuple(_next_seats(rules.seats, leader) for leader in range(rules.seats)),
        lowest_club_leads=rules.first_lead is FirstLead.LOWEST_CLUB,
        hearts_wait=rules.hearts_must_break,
        queen_waits=rules.queen_lead is QueenLead.AFTER_BROKEN,
        queen_frees_hearts=rules.lead_exception is LeadException.ONLY_HEARTS_OR_QUEEN,
    )


def may_lead(tables: Tables, suits: Suits) -> list[Card]:
    """Cards a leader may lead while hearts are unbroken, the first trick's own rules apart (R8.2, R8.3)."""
    clubs, diamonds, hearts, spades = suits
    if not (tables.hearts_wait or tables.queen_waits):
        return clubs + diamonds + hearts + spades
    if tables.queen_waits:
        plain = clubs + diamonds + [card for card in spades if card != QUEEN_OF_SPADES]
        if not plain:
            return hearts + spades
        return plain if tables.hearts_wait else sorted(plain + hearts)
    others = [*clubs, *diamonds, *spades]
    if tables.queen_frees_hearts and all(card == QUEEN_OF_SPADES for card in others):
        return hearts + spades
    return others or hearts.copy()


def may_lead_first(tables: Tables, suits: Suits) -> list[Card]:
    """Cards a leader may lead to the first trick where none is prescribed (R8.4)."""
    free = may_lead(tables, suits)
    return [card for card in free if not tables.barred[card]] or free


def may_follow_first(tables: Tables, suits: Suits, led: int) -> list[Card]:
    """Cards a follower may play to the first trick (R6)."""
    if suits[led] and not tables.has_barred[led]:
        return suits[led].copy()
    barred = tables.barred
    free = suits[led] or [card for suit in suits for card in suit]
    if allowed := [card for card in free if not barred[card]]:
        return allowed
    if not all(barred[card] for suit in suits for card in suit):
        return free.copy()  # R6.3: only those of the led suit are barred
    return [card for card in free if tables.first_choice[card]] or free.copy()


def why_not_follow(suits: Suits, led: int, card: Card) -> Breach:
    """The rule that a follower's held card, which is not legal, breaks."""
    leaves_suit = suits[led] and suit_of(card) != led
    return Breach.MUST_FOLLOW_SUIT if leaves_suit else Breach.NO_POINTS_ON_FIRST_TRICK


def why_not_lead(card: Card) -> Breach:
    """The rule that a leader's held card, which is not legal, breaks."""
    return Breach.QUEEN_NOT_YET if card == QUEEN_OF_SPADES else Breach.HEARTS_NOT_BROKEN


def why_not_lead_first(tables: Tables, suits: Suits, card: Card) -> Breach:
    """The same on the first trick: the bar speaks before R8.2 and R8.3, unless it is lifted."""
    is_lifted = all(tables.barred[free] for free in may_lead(tables, suits))
    if tables.barred[card] and not is_lifted:
        return Breach.NO_POINTS_ON_FIRST_TRICK
    return why_not_lead(card)


def _next_seats(seats: int, leader: int) -> tuple[int, ...]:
    after = [(seat + 1) % seats for seat in range(seats)]
    return tuple(NO_SEAT if seat == leader else seat for seat in after)


def _by_card(cards: Iterable[Card]) -> ByCard:
    table = [0] * 53
    for card in cards:
        table[card] = 1
    return tuple(table)


def _is_needed(rules: RuleSet, card: Card) -> bool:
    """Whether a moon needs the card (R11.1)."""
    if rules.moon is Moon.NONE:
        return False
    match rules.moon_needs:
        case MoonNeeds.ALL_PENALTY_CARDS:
            return rules.values[card] > 0
        case MoonNeeds.HEARTS_AND_QUEEN:
            return is_heart(card) or card == QUEEN_OF_SPADES
        case MoonNeeds.ALL_PENALTY_AND_BONUS:
            return rules.values[card] != 0
        case unknown:
            assert_never(unknown)


def _is_barred(rules: RuleSet, card: Card) -> bool:
    """Whether the card is barred from the first trick (R6.1)."""
    if rules.first_trick is FirstTrick.FREE or rules.values[card] <= 0:
        return False
    return rules.first_trick is FirstTrick.NO_PENALTY or card != QUEEN_OF_SPADES


def _is_first_choice(rules: RuleSet, card: Card) -> bool:
    """Whether the exception of R6.4 prefers the card."""
    match rules.first_trick_exception:
        case FirstTrickException.ALL_PENALTY_ANY:
            return False
        case FirstTrickException.QUEEN_FORCED:
            return card == QUEEN_OF_SPADES
        case FirstTrickException.HEARTS_FIRST:
            return is_heart(card)
        case unknown:
            assert_never(unknown)


def _marks(rules: RuleSet, led: int, needed: ByCard) -> ByCard:
    marks = [0] * 53
    for card in CARDS:
        if _breaks(rules, led, card):
            marks[card] = BREAKS
        elif rules.values[card] or needed[card]:
            marks[card] = COUNTS
    return tuple(marks)


def _breaks(rules: RuleSet, led: int, card: Card) -> bool:
    """Whether the card breaks hearts in a trick led in this suit (R7.1)."""
    is_discarded = suit_of(card) != led
    if is_heart(card):
        return is_discarded or rules.hearts_broken_by is HeartsBrokenBy.ANY_HEART_PLAYED
    if card != QUEEN_OF_SPADES:
        return False
    if rules.queen_breaks is QueenBreaks.DISCARDED:
        return is_discarded
    return rules.queen_breaks is QueenBreaks.PLAYED
