"""The reference player: what a seat's cards cost a bot that ducks, for the control variate of the ratings.

It is written down here and not taken from the sample bots, because those get better, and a correction of results
must be the same before and after. Changing anything here changes published tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.rules.cards import QUEEN_OF_SPADES, Card, is_heart, rank_of, suit_of
from referee.rules.deal import Deal, Phase

if TYPE_CHECKING:
    from referee.rules.ruleset import RuleSet

_SPADES = suit_of(QUEEN_OF_SPADES)


def reference_scores(
    rules: RuleSet, deal_number: int, dealer: int, hands: Sequence[Sequence[Card]], widow: Sequence[Card]
) -> list[int]:
    """Give the scores of a deal that the reference player plays at every seat.

    Args:
        rules: the rule set.
        deal_number: from 1; it decides the pass.
        dealer: seat that dealt.
        hands: cards of each seat before the pass.
        widow: cards left over.

    Raises:
        ValueError: the cards are not those of the rule set, or not dealt evenly.
    """
    deal = Deal(rules, deal_number=deal_number, hands=hands, widow=widow, dealer=dealer)
    while deal.phase is not Phase.DONE:
        for seat in deal.seats_to_act():
            if deal.phase is Phase.PASS:
                breach = deal.pass_cards(seat, _passed(deal.legal(seat), rules.pass_count))
            elif deal.phase is Phase.PLAY:
                breach = deal.play(seat, _played(deal, seat))
            else:
                breach = deal.choose_moon(seat, "add")
            assert breach is None, breach
    return deal.scores


def _passed(hand: Sequence[Card], count: int) -> list[Card]:
    """High spades, then the highest cards, of equals the heart."""

    def danger(card: Card) -> int:
        if suit_of(card) == _SPADES:
            return 100 + card if card >= QUEEN_OF_SPADES else 0
        return 2 * rank_of(card) + is_heart(card)

    return sorted(hand, key=lambda card: (danger(card), card))[-count:]


def _played(deal: Deal, seat: int) -> Card:
    """Lead low, follow as high as stays below the best card, get rid of the queen, of hearts and of high cards."""
    legal, seats = deal.legal(seat), deal.rules.seats
    trick = deal.played[len(deal.played) - len(deal.played) % seats :]
    if not trick:
        return min(legal, key=lambda card: (card >= QUEEN_OF_SPADES, rank_of(card), card))
    led = suit_of(trick[0])
    if suit_of(legal[0]) != led:
        return max(legal, key=lambda card: (card == QUEEN_OF_SPADES, is_heart(card), rank_of(card), card))
    best = max(card for card in trick if suit_of(card) == led)
    below = [card for card in legal if card < best]
    if below:
        return QUEEN_OF_SPADES if QUEEN_OF_SPADES in below else max(below)
    others = [card for card in legal if card != QUEEN_OF_SPADES] or legal
    return max(others) if len(trick) == seats - 1 else min(others)
