"""What a seat can know of the cards it does not see, worked out from one turn."""

from functools import lru_cache

from cards import ACE_OF_SPADES, HEARTS, JACK_OF_DIAMONDS, KING_OF_SPADES, QUEEN_OF_SPADES, SPADES, SUIT


@lru_cache(maxsize=64)
def values_of(rules_name):
    """Points of each card, by its number. A rule set that is not known by its name counts as the usual one."""
    values = [0] + [int(SUIT[card] == HEARTS) for card in range(1, 53)]
    values[QUEEN_OF_SPADES] = 13
    if rules_name.startswith("spot"):
        values[27:40] = range(2, 15)
    if rules_name.startswith("spot-25"):
        values[QUEEN_OF_SPADES] = 25
    if rules_name.startswith("black-maria"):
        values[KING_OF_SPADES], values[ACE_OF_SPADES] = 10, 7
    if rules_name.startswith("british"):
        values[QUEEN_OF_SPADES] = 0
    if rules_name.startswith("omnibus"):
        values[JACK_OF_DIAMONDS] = -10
    return values


class Memory:
    """The cards of one deal as seen from one seat.

    values: points of each card.
    unseen[suit]: cards of the suit that others hold, ascending (or that lie in the widow, or were never dealt).
    voids[seat]: suits that the seat has shown not to have.
    others: the other seats.
    shooter: the seat that has taken all points so far, if that is another seat and one alone; its share of the
    point cards is threat, from 0 to 1.
    given[suit]: cards of the suit that this seat passed and that are still out, ascending; taker holds them.
    """

    def __init__(self, turn):
        self.seat, self.seats = turn.seat, turn.seats
        self.values = values_of(turn.rules_name)
        self.others = [seat for seat in range(self.seats) if seat != self.seat]
        self.voids = [set() for _ in range(self.seats)]
        played, leaders = list(turn.played), list(turn.leaders)
        taken = [0] * self.seats
        for number, leader in enumerate(leaders):
            trick = played[number * self.seats : (number + 1) * self.seats]
            for position, card in enumerate(trick):
                seat = (leader + position) % self.seats
                if SUIT[card] != SUIT[trick[0]]:
                    self.voids[seat].add(SUIT[trick[0]])
            if len(trick) == self.seats and number + 1 < len(leaders):  # the next leader took it
                taken[leaders[number + 1]] += sum(self.values[card] > 0 for card in trick)
        packs = 2 if (len(turn.hand) + len(leaders) - 1) * self.seats > 52 else 1
        counts = [0] + [packs] * 52
        for card in (*played, *turn.hand):
            counts[card] -= 1
        self.unseen = [
            [card for card in range(13 * suit + 1, 13 * suit + 14) for _ in range(counts[card])]
            for suit in range(4)
        ]
        takers = [seat for seat in range(self.seats) if taken[seat]]
        self.shooter = takers[0] if len(takers) == 1 and takers[0] != self.seat else None
        self.threat = max(taken) / sum(value > 0 for value in self.values) if self.shooter is not None else 0.0
        self.taker = (self.seat + turn.pass_offset) % self.seats
        self.given = [[] for _ in range(4)]
        for card in sorted(turn.passed_cards):
            if card in self.unseen[SUIT[card]]:
                self.given[SUIT[card]].append(card)

    def holders(self, suit):
        """The other seats that may have cards of the suit."""
        return [seat for seat in self.others if suit not in self.voids[seat]]

    def queen_chance(self, seat):
        """How likely another seat is to hold the queen of spades."""
        if QUEEN_OF_SPADES not in self.unseen[SPADES] or SPADES in self.voids[seat]:
            return 0.0
        if QUEEN_OF_SPADES in self.given[SPADES]:
            return float(seat == self.taker)
        return 1 / len(self.holders(SPADES))
