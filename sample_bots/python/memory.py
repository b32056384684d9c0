"""What a seat can know of the cards it does not see, worked out from one turn."""

from cards import QUEEN_OF_SPADES, SPADES, SUIT


class Memory:
    """Cards unseen, voids and captures of one deal, as seen from one seat.

    unseen[suit]: sorted cards of the suit that other seats hold (or that lie in the widow, or were never dealt).
    voids[seat]: suits that the seat has shown not to have.
    mine: cards this seat played.
    """

    def __init__(self, turn):
        self.seat, self.seats = turn.seat, turn.seats
        played, leaders = list(turn.played), list(turn.leaders)
        self.voids = [set() for _ in range(self.seats)]
        self.mine = []
        for start in range(0, len(played), self.seats):
            leader, led = leaders[start // self.seats], SUIT[played[start]]
            for position, card in enumerate(played[start : start + self.seats]):
                seat = (leader + position) % self.seats
                if SUIT[card] != led:
                    self.voids[seat].add(led)
                if seat == self.seat:
                    self.mine.append(card)
        packs = 1 + ((len(turn.hand) + len(self.mine)) * self.seats > 52)
        counts = [0] + [packs] * 52
        for card in (*played, *turn.hand):
            counts[card] -= 1
        self.unseen = [
            [card for card in range(13 * suit + 1, 13 * suit + 14) for _ in range(counts[card])]
            for suit in range(4)
        ]
        self.others = [seat for seat in range(self.seats) if seat != self.seat]
        self.taker = (self.seat + turn.pass_offset) % self.seats
        self.given = set(turn.passed_cards)

    def queen_chance(self, seat):
        """How likely the seat is to hold the queen of spades."""
        if QUEEN_OF_SPADES not in self.unseen[SPADES] or SPADES in self.voids[seat]:
            return 0.0
        if QUEEN_OF_SPADES in self.given:
            return float(seat == self.taker)
        return 1 / sum(SPADES not in self.voids[other] for other in self.others)
