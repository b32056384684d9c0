"""Shoots the moon when the hand promises it, and ducks otherwise.

The plan is made afresh at every turn from what the turn shows, so it needs no memory: it stands as long as nobody
else has taken a point and few cards of the hand could lose a trick.
"""

from cards import (
    HEARTS,
    SUIT,
    by_rank,
    choose_moon,  # noqa: F401  the wire loop asks this module for it
    running_trick,
)
from duck import strategy as duck
from memory import Memory

LOSERS_MAX = 1  # cards that may lose a trick and the plan still stands
HEARTS_MIN = 3  # at the pass: fewer hearts are too easily taken by somebody else


def losers(memory, cards):
    """The cards that would lose a trick if this seat led every suit from the top and the others kept their best."""
    lost = []
    for suit in range(4):
        out = list(memory.unseen[suit])
        for card in sorted((card for card in cards if SUIT[card] == suit), reverse=True):
            if out and out[-1] > card:
                lost.append(card)
                out.pop()
            else:
                out = out[len(memory.others) :]  # everybody follows with the lowest
    return lost


def choose_pass(turn):
    memory, hand = Memory(turn), list(turn.hand)
    lost = losers(memory, hand)
    hearts = sum(SUIT[card] == HEARTS for card in hand)
    if len(lost) > turn.pass_count + LOSERS_MAX or hearts < HEARTS_MIN:
        return duck.choose_pass(turn)
    # Give the losers away, hearts first: a heart that loses a trick ends the plan.
    rest = sorted((card for card in hand if card not in lost), key=by_rank)
    lost.sort(key=lambda card: (SUIT[card] != HEARTS, by_rank(card)))
    return (lost + rest)[: turn.pass_count]


def choose_card(turn):
    memory, legal, trick = Memory(turn), list(turn.legal), running_trick(turn)
    spoiled = any(points > 0 for seat, points in enumerate(turn.points) if seat != turn.seat)
    lost = losers(memory, turn.hand)
    if spoiled or len(lost) > LOSERS_MAX:
        return duck.choose_card(turn)
    if not trick:
        return max(legal, key=lambda card: (card not in lost, by_rank(card)))
    if SUIT[legal[0]] != SUIT[trick[0]]:
        return min(legal, key=lambda card: (card not in lost, SUIT[card] == HEARTS, by_rank(card)))
    best = max(card for card in trick if SUIT[card] == SUIT[trick[0]])
    winners = [card for card in legal if card > best]
    if not winners:
        return min(legal)
    return min(winners) if len(trick) == turn.seats - 1 else max(winners)
