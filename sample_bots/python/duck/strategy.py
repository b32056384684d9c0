"""Ducks: plays the highest card that does not win, passes high cards, and is careful with the queen of spades.

The same strategy is written in every language of the sample bots; proto/vectors/duck.json holds its decisions.
"""

from cards import (
    HEARTS,
    QUEEN_OF_SPADES,
    RANK,
    SPADES,
    SUIT,
    by_rank,
    choose_moon,  # noqa: F401  the wire loop asks this module for it
    running_trick,
)

GUARDS = 4  # spades below the queen that make high spades safe to keep


def choose_pass(turn):
    """Pass unguarded high spades, then what is highest, of equals the heart."""
    low_spades = [card for card in turn.hand if SUIT[card] == SPADES and card < QUEEN_OF_SPADES]

    def danger(card):
        if card >= QUEEN_OF_SPADES:
            return 0 if len(low_spades) >= GUARDS else 20 + card
        return 0 if SUIT[card] == SPADES else 2 * RANK[card] + (SUIT[card] == HEARTS)

    return sorted(turn.legal, key=lambda card: (danger(card), card))[-turn.pass_count :]


def choose_card(turn):
    legal, trick = list(turn.legal), running_trick(turn)
    queen_lurks = QUEEN_OF_SPADES not in turn.played and QUEEN_OF_SPADES not in turn.hand
    if not trick:
        return lead(legal, queen_lurks)
    if SUIT[legal[0]] == SUIT[trick[0]]:
        return follow(legal, trick, is_last=len(trick) == turn.seats - 1)
    return discard(legal, queen_lurks)


def risk(card, queen_lurks):
    """How badly a high spade may end: 2 is the queen herself, 1 what she can be played under."""
    if card == QUEEN_OF_SPADES:
        return 2
    return 1 if card > QUEEN_OF_SPADES and queen_lurks else 0


def lead(legal, queen_lurks):
    return min(legal, key=lambda card: (risk(card, queen_lurks), by_rank(card)))


def follow(legal, trick, is_last):
    """Stay below the best card so far, as high as can be; where that cannot be, keep the queen back."""
    ranks = [RANK[card] for card in trick if SUIT[card] == SUIT[trick[0]]]
    best = max((rank for rank in ranks if ranks.count(rank) == 1), default=0)  # twins cancel each other
    safe = [card for card in legal if RANK[card] < best or RANK[card] in ranks]
    if safe:
        return QUEEN_OF_SPADES if QUEEN_OF_SPADES in safe else max(safe)
    others = [card for card in legal if card != QUEEN_OF_SPADES] or legal
    return max(others) if is_last else min(others)


def discard(legal, queen_lurks):
    return max(legal, key=lambda card: (risk(card, queen_lurks), SUIT[card] == HEARTS, by_rank(card)))
