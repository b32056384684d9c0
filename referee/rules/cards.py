"""Cards as integers 1..52 and as text (R1.1).

`suit = (card - 1) // 13` in the order clubs, diamonds, hearts, spades; `rank = (card - 1) % 13 + 2`, the ace
being 14. Text is rank then suit: `2C`, `TD`, `QS`. Zero is never a card. A set of faces is often held as a
bit mask with bit `card` set; bit 0 stays clear.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from referee.rules.shown import shown

Card: TypeAlias = int

SUITS: Final = "CDHS"
RANKS: Final = "23456789TJQKA"
CARDS: Final = range(1, 53)

_TEXTS: Final = ("", *(rank + suit for suit in SUITS for rank in RANKS))
_CARDS: Final = {text: card for card, text in enumerate(_TEXTS) if card}

TWO_OF_CLUBS: Final[Card] = _CARDS["2C"]
JACK_OF_DIAMONDS: Final[Card] = _CARDS["JD"]
QUEEN_OF_SPADES: Final[Card] = _CARDS["QS"]


def suit_of(card: Card) -> int:
    """Suit as 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return (card - 1) // 13


def rank_of(card: Card) -> int:
    """Rank as 2..14; jack 11, queen 12, king 13, ace 14."""
    return (card - 1) % 13 + 2


def is_heart(card: Card) -> bool:
    """Whether the card is of the suit of hearts."""
    return suit_of(card) == 2


def card_text(card: Card) -> str:
    """Text form of a card, such as `QS`.

    Raises:
        ValueError: the number is no card.
    """
    if not 1 <= card <= 52:
        raise ValueError(f"{card!r} is no card: cards are the numbers 1 (2C) to 52 (AS)")
    return _TEXTS[card]


def parse_card(text: str) -> Card:
    """Card of a text form, capitals only.

    Raises:
        ValueError: the text is no card.
    """
    card = _CARDS.get(text) if isinstance(text, str) else None
    if card is None:
        raise ValueError(
            f"{shown(text)} is no card: write a rank of {RANKS} and a suit of {SUITS}, such as QS or TD"
        )
    return card


def cards_text(cards: Iterable[Card]) -> list[str]:
    """Text forms of cards, in the order given."""
    return [card_text(card) for card in cards]


def parse_cards(texts: Iterable[str]) -> tuple[Card, ...]:
    """Cards of text forms, in the order given.

    Raises:
        ValueError: one of the texts is no card.
    """
    return tuple(parse_card(text) for text in texts)


def lowest(cards: Sequence[Card]) -> Card:
    """Card of the lowest rank, of those the first in the order clubs, diamonds, hearts, spades (R15.1).

    The referee plays it for a seat that gives no decision of its own.
    """
    return min(cards, key=_height)


def highest(cards: Iterable[Card], n: int) -> tuple[Card, ...]:
    """The `n` cards of the highest ranks, of equal ranks the later suit first (R15.2).

    The referee passes them for a seat that gives no decision of its own.
    """
    return tuple(sorted(cards, key=_height, reverse=True)[:n])


def _height(card: Card) -> tuple[int, int]:
    return rank_of(card), suit_of(card)
