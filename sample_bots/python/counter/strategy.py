"""Counts: knows which cards are still out and who is void, and plays the card that should cost the fewest points.

The cost of a card is the chance that it takes the trick times the points that the trick should hold, less what it
is worth to be rid of the card. Against a seat that seems to shoot the moon, taking points becomes a gain.
"""

from cards import (
    HEARTS,
    QUEEN_OF_SPADES,
    RANK,
    SPADES,
    SUIT,
    choose_moon,  # noqa: F401  the wire loop asks this module for it
    running_trick,
)
from memory import Memory

QUEEN_POINTS = 13
GUARDS = 4  # spades below the queen that make high spades safe to keep
MOON_POINTS = 26
ALARM_POINTS = 6  # taken by one seat alone: from here on it may be shooting the moon


def choose_pass(turn):
    """Pass the most dangerous cards: high ones of suits in which few low cards cover them."""
    suits = [[card for card in turn.hand if SUIT[card] == suit] for suit in range(4)]

    def danger(card):
        suit = suits[SUIT[card]]
        below = sum(other < card for other in suit)
        if SUIT[card] == SPADES:
            guards = sum(other < QUEEN_OF_SPADES for other in suit)
            return 0 if card < QUEEN_OF_SPADES or guards >= GUARDS else 60 + RANK[card]
        cover = sum(RANK[other] <= 5 for other in suit)
        return 2 * RANK[card] + 3 * (SUIT[card] == HEARTS) - 4 * cover - below - len(suit)

    return sorted(turn.legal, key=lambda card: (danger(card), card))[-turn.pass_count :]


def choose_card(turn):
    memory, legal, trick = Memory(turn), list(turn.legal), running_trick(turn)
    if len(legal) == 1:
        return legal[0]
    behind = [(turn.seat + step) % turn.seats for step in range(1, turn.seats - len(trick))]
    if trick and SUIT[legal[0]] != SUIT[trick[0]]:
        return max(legal, key=lambda card: (burden(memory, card), card))
    table = Table(turn, memory, trick, behind)
    return min(legal, key=lambda card: (table.cost(card) - 0.3 * burden(memory, card), -card))


class Table:
    """The running trick, for weighing the cards that could be played to it."""

    def __init__(self, turn, memory, trick, behind):
        self.memory, self.trick, self.behind = memory, trick, behind
        self.first_trick = len(turn.played) < turn.seats
        self.points = sum(worth(card) for card in trick)
        takers = [seat for seat, points in enumerate(turn.points) if points > 0]
        alarm = len(takers) == 1 and takers[0] != turn.seat and turn.points[takers[0]] >= ALARM_POINTS
        self.shooter = takers[0] if alarm else None
        self.threat = turn.points[takers[0]] / MOON_POINTS if alarm else 0

    def cost(self, card):
        suit = SUIT[card]
        ranks = [RANK[other] for other in self.trick if SUIT[other] == SUIT[self.trick[0]]]
        if any(rank > RANK[card] for rank in ranks if ranks.count(rank) == 1) or RANK[card] in ranks:
            return 0.0
        out = self.memory.unseen[suit]
        wins = 1.0
        holders = [seat for seat in self.memory.others if suit not in self.memory.voids[seat]]
        if out and holders:
            above = sum(other > card for other in out) / len(out)
            must_beat = above ** max(1.0, len(out) / len(holders))
            for seat in self.behind:
                if seat in holders:
                    wins *= 1 - must_beat
        points = self.points + worth(card) + self.expected(suit, card, out, holders)
        return wins * (points - MOON_POINTS * self.threat**2 * (points > 0.9))

    def expected(self, suit, card, out, holders):
        """Points that the seats behind should add."""
        if self.first_trick:
            return 0.0
        points = 0.0
        memory = self.memory
        for seat in self.behind:
            void = suit in memory.voids[seat] or not out
            is_void = 1.0 if void else (1 - 1 / len(holders)) ** len(out)
            queen = memory.queen_chance(seat)
            heart = 1.0 if memory.unseen[HEARTS] and HEARTS not in memory.voids[seat] else 0.0
            points += is_void * (QUEEN_POINTS * queen + (1 - queen) * heart)
            if suit == HEARTS:
                points += 1 - is_void
            if suit == SPADES and card > QUEEN_OF_SPADES:
                points += (1 - is_void) * queen * QUEEN_POINTS * 0.7
        return points


def worth(card):
    """Points of a card under the usual rules."""
    return QUEEN_POINTS if card == QUEEN_OF_SPADES else int(SUIT[card] == HEARTS)


def burden(memory, card):
    """What it is worth to be rid of a card: its chance to take a later trick, times what such a trick holds."""
    out = memory.unseen[SUIT[card]]
    if not out:
        return worth(card) + 0.5
    below = sum(other < card for other in out) / len(out)
    if card == QUEEN_OF_SPADES:
        return 10.0
    if card > QUEEN_OF_SPADES and QUEEN_OF_SPADES in out:
        return 5.0
    return below * (2.5 if SUIT[card] == HEARTS else 1.5)
