"""The deals that a bot is tried with: one for each corner of the rules, and one of each preset. Pure.

A corner's deal is built so that the seat of the bot must meet the corner, whatever it and the others play: a seat
that holds the ace of clubs and no other club, for instance, wins the first trick and leads to the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from referee.rules.cards import CARDS, Card, card_text
from referee.rules.dealing import Dealt, deal_cards, deal_seed, integer_seed
from referee.rules.presets import PRESETS, preset
from referee.rules.ruleset import RuleSet

TURNS_PER_DEAL = 100  # turn numbers are deal number times this, plus the turn's place in its deal from 1
_SEED = integer_seed(7)
_QUICK = ("american", "spruce", "omnibus", "black-maria-3", "british", "five", "cancellation-8", "spot-25")
_BY_TEXT = {card_text(card): card for card in CARDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialDeal:
    """One deal with the bot at one seat. `number` is from 1 and never changes meaning within a release."""

    number: int
    title: str
    rules: RuleSet
    seat: int
    dealt: Dealt


def corner_deals() -> list[TrialDeal]:
    """One deal for each corner of the base game's rules, and the choice after a moon."""
    hearts = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    long_spades = "AC AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S"
    corners = [
        ("the two of clubs leads the first trick", "2C 5C 9C 3D 8D QD 4H TH KH 3S 9S QS AS", 0, "american"),
        ("no points on the first trick", "3D 4D 9D JD AD 2H 7H JH AH 4S TS QS KS", 0, "american"),
        ("a hand of nothing but points on the first trick", hearts, 0, "american"),
        ("hearts are not led before they are broken", "AC 2D 9D AD 2H 5H 9H QH AH 2S 8S QS KS", 0, "american"),
        ("a hand of nothing but hearts may lead them", f"AC {hearts[3:]}", 0, "american"),
        ("a single card of the suit led must be played", "7C 7D KD AD 3H 6H 9H JH 4S 6S TS JS QS", 0, "american"),
        ("three cards pass to the left", "", 1, "american"),
        ("three cards pass to the right", "", -1, "american"),
        ("three cards pass across", "", 2, "american"),
        ("five cards pass where the rules say so", "", 1, "american"),
        ("in a hold deal nothing is passed", "", 0, "american"),
        ("the shooter of a moon chooses how it is scored", long_spades, 0, "spruce"),
    ]
    return [
        TrialDeal(
            number=number,
            title=title,
            rules=replace(preset(name), pass_cycle=(offset,), pass_count=5 if title.startswith("five") else 3),
            seat=number % 4,
            dealt=_around(hand, number),
        )
        for number, (title, hand, offset, name) in enumerate(corners, 1)
    ]


def preset_deals(*, quick: bool) -> list[TrialDeal]:
    """One deal of every preset, or of some that are as different as can be.

    The number of a deal does not depend on `quick`.
    """
    first = len(corner_deals()) + 1
    deals = []
    for number, name in enumerate(PRESETS, first):
        rules = preset(name)
        dealt = deal_cards(rules, deal_seed(_SEED, "", number, 0, 1))
        seat = number % rules.seats
        deal = TrialDeal(number=number, title=name, rules=rules, seat=seat, dealt=dealt)
        if not quick or name in _QUICK:
            deals.append(deal)
    return deals


def deal_of(turn_number: int) -> TrialDeal | None:
    """The deal in which a turn number lies, None where there is none."""
    wanted = turn_number // TURNS_PER_DEAL
    return next((deal for deal in (*corner_deals(), *preset_deals(quick=False)) if deal.number == wanted), None)


def _around(hand: str, number: int) -> Dealt:
    """Deal the seat `number % 4` a hand, and everything else to the others by chance."""
    held = [_BY_TEXT[text] for text in hand.split()]
    rest: list[Card] = [card for card in CARDS if card not in held]
    Random(number).shuffle(rest)  # noqa: S311  the deal is the same every time, and no secret
    held = held or [rest.pop() for _ in range(13)]
    others: Sequence[list[Card]] = [rest[13 * i : 13 * (i + 1)] for i in range(3)]
    hands = [*others[: number % 4], held, *others[number % 4 :]]
    return Dealt(tuple(tuple(sorted(each)) for each in hands), ())
