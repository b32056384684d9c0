"""Rules that a decision can break, in the order in which they are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from referee.rules.cards import CARDS, Card, card_text


class Breach(StrEnum):
    """The rule that a decision broke.

    The order of the members is the order of precedence (R14): of several rules broken at once, the first is named.
    Above all stands whether the seat was asked at all, and for what; then the form of the decision and whether the
    cards are there; then what a follower and what a leader owes.
    """

    WRONG_KIND = "WRONG_KIND"  # a play while passing, a pass while playing, anything when the deal is over
    NOT_YOUR_TURN = "NOT_YOUR_TURN"  # another seat is to act, or this one has passed already
    MOON_CHOICE_UNKNOWN = "MOON_CHOICE_UNKNOWN"  # neither add nor subtract
    PASS_WRONG_COUNT = "PASS_WRONG_COUNT"  # more or fewer cards than are passed
    PASS_CARD_REPEATED = "PASS_CARD_REPEATED"  # named more than once, and more often than it is held
    CARD_NOT_HELD = "CARD_NOT_HELD"  # not in the hand, or no card at all
    MUST_FOLLOW_SUIT = "MUST_FOLLOW_SUIT"  # R5.2
    MUST_LEAD_LOWEST_CLUB = "MUST_LEAD_LOWEST_CLUB"  # R4.1
    NO_POINTS_ON_FIRST_TRICK = "NO_POINTS_ON_FIRST_TRICK"  # R6.2, R6.4, R8.4
    HEARTS_NOT_BROKEN = "HEARTS_NOT_BROKEN"  # R8.2
    QUEEN_NOT_YET = "QUEEN_NOT_YET"  # R8.3


_SENTENCES: Final = {
    Breach.WRONG_KIND: "This is not the kind of decision that was asked for",
    Breach.NOT_YOUR_TURN: "It is not this seat's turn",
    Breach.MOON_CHOICE_UNKNOWN: "A moon is scored by add or subtract",
    Breach.PASS_WRONG_COUNT: "This is not the number of cards to pass",
    Breach.CARD_NOT_HELD: "The card is not held",
    Breach.PASS_CARD_REPEATED: "A card is named more often than it is held",
    Breach.MUST_LEAD_LOWEST_CLUB: "The first trick is led with the lowest club dealt",
    Breach.MUST_FOLLOW_SUIT: "The led suit is held and must be followed",
    Breach.HEARTS_NOT_BROKEN: "Hearts are not broken, so no heart may be led",
    Breach.QUEEN_NOT_YET: "Hearts are not broken, so the queen of spades may not be led",
    Breach.NO_POINTS_ON_FIRST_TRICK: "The card is barred from the first trick",
}


_NAMED_MAX: Final = 6  # cards of an answer that a sentence has room for


def explain(breach: Breach, legal: Iterable[Card], answer: Sequence[Card] = ()) -> str:
    """One sentence for the author of a bot: the rule broken, the cards that broke it, and those that were legal.

    Args:
        breach: the rule.
        legal: cards that were allowed; empty where there is nothing to choose from.
        answer: what the bot named, not all of which need be cards; empty where it is shown elsewhere.
    """
    named = ", ".join(_card_or_number(card) for card in answer[:_NAMED_MAX])
    if len(answer) > _NAMED_MAX:
        named += f" and {len(answer) - _NAMED_MAX} more"
    cards = ", ".join(map(card_text, legal))
    sentence = f"{named}: {_SENTENCES[breach]}" if named else _SENTENCES[breach]
    return f"{sentence}; legal: {cards}." if cards else f"{sentence}."


def _card_or_number(number: int) -> str:
    return card_text(number) if number in CARDS else f"card number {number}"
