"""Counts: knows which cards are still out and who is void, and plays the card that should cost the fewest points.

The cost of a card is the chance that it takes the trick times the points that the trick should hold, less what it
is worth to be rid of the card. Against a seat that seems to shoot the moon, taking points becomes a gain. A hand
that promises the moon itself shoots it.
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
from memory import Memory, values_of
from shooting import moon_pays, pass_for_moon, play_for_moon

GUARDS = 4  # spades below the queen that make high spades safe to keep
RELIEF = 0.3  # of the burden that a card is, so much counts for playing it
ALARM = 0.4  # share of the point cards, taken by one seat alone, from which on it may be shooting the moon
MOON_POINTS = 26
LOSERS_MAX = 1  # cards of the own hand that may lose a trick, and it still tries to shoot the moon


def choose_pass(turn):
    """Prepare a moon, or pass the most dangerous cards: high ones of suits in which few low cards cover them."""
    if moon_pays(turn.rules_name) and (moon := pass_for_moon(turn, Memory(turn), LOSERS_MAX)):
        return moon
    values = values_of(turn.rules_name)
    suits = [[card for card in turn.hand if SUIT[card] == suit] for suit in range(4)]

    def danger(card):
        suit = suits[SUIT[card]]
        if values[card] < 0:
            return -100  # a bonus
        if SUIT[card] == SPADES and values[QUEEN_OF_SPADES]:
            guards = sum(other < QUEEN_OF_SPADES for other in suit)
            return 0 if card < QUEEN_OF_SPADES or guards >= GUARDS else 60 + RANK[card]
        cover = sum(RANK[other] <= 5 for other in suit)
        below = sum(other < card for other in suit)
        return 2 * RANK[card] + 3 * (SUIT[card] == HEARTS) - 4 * cover - below - len(suit)

    return sorted(turn.legal, key=lambda card: (danger(card), card))[-turn.pass_count :]


def choose_card(turn):
    legal = list(turn.legal)
    if len(legal) == 1:
        return legal[0]
    trick = Trick(turn)
    if moon_pays(turn.rules_name) and (moon := play_for_moon(turn, trick.memory, LOSERS_MAX)):
        return moon
    return min(legal, key=lambda card: (trick.cost(card) - RELIEF * trick.burden(card), -card))


class Trick:
    """The running trick, for weighing the cards that could be played to it."""

    def __init__(self, turn):
        self.memory = Memory(turn)
        self.cards = running_trick(turn)
        self.led = SUIT[self.cards[0]] if self.cards else None
        self.behind = [(turn.seat + step) % turn.seats for step in range(1, turn.seats - len(self.cards))]
        self.is_first = len(turn.played) < turn.seats
        self.points = sum(self.memory.values[card] for card in self.cards)
        ranks = [RANK[card] for card in self.cards if SUIT[card] == self.led]
        self.ranks = set(ranks)
        self.best = max((rank for rank in ranks if ranks.count(rank) == 1), default=0)  # twins cancel each other
        first = turn.seat - len(self.cards)
        winning = [
            place for place, card in enumerate(self.cards) if SUIT[card] == self.led and RANK[card] == self.best
        ]
        self.winner = (first + winning[0]) % turn.seats if winning else turn.seat
        self.moon = MOON_POINTS * self.memory.threat**2 if self.memory.threat >= ALARM else 0.0

    def cost(self, card):
        """Points that playing the card should cost."""
        suit = SUIT[card]
        if self.led is not None and suit != self.led:
            feeds_shooter = self.winner == self.memory.shooter and self.memory.values[card] > 0
            return self.moon if feeds_shooter else 0.0
        if RANK[card] < self.best or RANK[card] in self.ranks:
            return 0.0
        points = self.points + self.memory.values[card] + self.still_to_come(card)
        return self.chance(card) * (points - self.moon * (points > 0.9))

    def chance(self, card):
        """How likely the card is to take the trick, if everybody behind stays below it who can."""
        out, holders = self.memory.unseen[SUIT[card]], self.memory.holders(SUIT[card])
        if not out or not holders:
            return 1.0
        above = sum(other > card for other in out) / len(out)
        must_beat = above ** max(1.0, len(out) / len(holders))
        known = self.memory.given[SUIT[card]]
        if not known or self.memory.taker not in self.behind:
            return (1 - must_beat) ** sum(seat in holders for seat in self.behind)
        # What this seat passed itself it need not guess.
        others = (1 - must_beat) ** sum(seat in holders for seat in self.behind if seat != self.memory.taker)
        return others if known[0] < card else others * (1 - above ** max(0.0, len(out) / len(holders) - len(known)))

    def still_to_come(self, card):
        """Points that the seats behind should add to the trick if the card takes it."""
        if self.is_first:
            return 0.0
        memory, suit = self.memory, SUIT[card]
        out, holders = memory.unseen[suit], memory.holders(suit)
        heart = max((memory.values[other] for other in memory.unseen[HEARTS]), default=0)
        points = 0.0
        for seat in self.behind:
            is_void = (1 - 1 / len(holders)) ** len(out) if seat in holders and out else 1.0
            if seat == memory.taker and memory.given[suit]:
                is_void = 0.0
            queen = memory.values[QUEEN_OF_SPADES] * memory.queen_chance(seat)
            points += is_void * (queen + (heart if HEARTS not in memory.voids[seat] else 0))
            if suit == HEARTS:
                points += (1 - is_void) * memory.values[out[0]] if out else 0
            elif suit == SPADES and card > QUEEN_OF_SPADES:
                points += (1 - is_void) * queen * 0.7
        return points

    def burden(self, card):
        """What it is worth to be rid of a card: its chance to take a later trick, times what such a trick holds."""
        memory, value = self.memory, self.memory.values[card]
        out = memory.unseen[SUIT[card]]
        if value < 0:
            return value
        if card == QUEEN_OF_SPADES and value:
            return 10.0 * value / 13
        if card > QUEEN_OF_SPADES and QUEEN_OF_SPADES in out:
            return 5.0 + value / 2
        below = sum(other < card for other in out) / len(out) if out else 0.5
        return below * (1.5 + value)
