"""Cards for the naive referee: two characters, rank then suit (R1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Rules = Mapping[str, Any]
"""The "rules" object of one preset, as JSON gives it."""

SUITS = "CDHS"
RANKS = "23456789TJQKA"
RANK = {rank + suit: number for suit in SUITS for number, rank in enumerate(RANKS, start=2)}
ORDER = {rank + suit: 13 * s + r + 1 for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)}
"""A card's number on the wire; the canonical order too."""
CARDS = sorted(ORDER, key=ORDER.__getitem__)
QUEEN = "QS"


def in_order(cards: Iterable[str]) -> list[str]:
    """Sort cards canonically: clubs, diamonds, hearts, spades, each from the two up."""
    return sorted(cards, key=ORDER.__getitem__)


def pack_of(rules: Rules) -> list[str]:
    """List every card in play, twins twice (R1.2)."""
    return [card for card in CARDS if card not in rules["removed"]] * int(rules["packs"])


def values_of(rules: Rules) -> dict[str, int]:
    """Say what every card is worth (R10.1, R10.2)."""
    values = dict.fromkeys(CARDS, 0)
    for card in CARDS:
        if card[1] == "H":
            values[card] = RANK[card] if rules["heart_values"] == "rank" else 1
    values.update(rules["penalties"])
    values.update(rules["bonuses"])
    return values


def deal_total_of(rules: Rules) -> int:
    """Add up what is positive in play (R10.4)."""
    values = values_of(rules)
    return sum(max(values[card], 0) for card in pack_of(rules))


def moon_set_of(rules: Rules) -> list[str]:
    """List the cards that a shooter needs, twins twice (R11.1)."""
    values = values_of(rules)
    match rules["moon_needs"]:
        case "all_penalty_cards":
            return [card for card in pack_of(rules) if values[card] > 0]
        case "hearts_and_queen":
            return [card for card in pack_of(rules) if card[1] == "H" or card == QUEEN]
        case _:
            return [card for card in pack_of(rules) if values[card] != 0]


def lowest(cards: Iterable[str]) -> str:
    """Pick the referee's own play (R15.1)."""
    return min(cards, key=lambda card: (RANK[card], SUITS.index(card[1])))


def highest(cards: Iterable[str], count: int) -> list[str]:
    """Pick the referee's own pass (R15.2)."""
    return sorted(cards, key=lambda card: (RANK[card], SUITS.index(card[1])), reverse=True)[:count]
