"""The sample bots' `Memory`, brought up to date card by card instead of being worked out anew at every turn.

A bot on the wire holds no state and reads the whole deal each time; that is most of what it costs. Played offline,
the same bot may be handed what it would have worked out: `test_offline_play.py` holds the two against each other.
"""

from collections.abc import Sequence
from typing import Any

from referee.rules.cards import QUEEN_OF_SPADES
from referee.rules.deal import Deal

HEARTS, SPADES = 2, 3
SUIT = [-1] + [card // 13 for card in range(52)]


class SeatMemory:
    """What `memory.Memory` says at one seat, by the same names."""

    __slots__ = (
        "_holders", "given", "others", "seat", "seats", "shooter", "taker", "threat", "unseen", "values", "voids",
    )  # fmt: skip

    def __init__(self, deal: Deal, seat: int, values: list[int], voids: list[set[int]]) -> None:
        self.seat, self.seats = seat, len(voids)
        self.values = values
        self.voids = voids
        self.others = [other for other in range(self.seats) if other != seat]
        theirs = sorted(card for other in self.others for card in deal.hand(other))
        self.unseen = [[card for card in theirs if SUIT[card] == suit] for suit in range(4)]
        self.shooter: int | None = None
        self.threat = 0.0
        self._holders = [self.others] * 4
        self.taker = (seat + deal.pass_offset) % self.seats
        self.given = [[card for card in sorted(deal.passed[seat]) if SUIT[card] == suit] for suit in range(4)]

    def holders(self, suit: int) -> list[int]:
        """The other seats that may have cards of the suit."""
        return self._holders[suit]

    def queen_chance(self, seat: int) -> float:
        """How likely another seat is to hold the queen of spades."""
        if QUEEN_OF_SPADES not in self.unseen[SPADES] or SPADES in self.voids[seat]:
            return 0.0
        if QUEEN_OF_SPADES in self.given[SPADES]:
            return float(seat == self.taker)
        return 1 / len(self._holders[SPADES])

    def saw(self, card: int) -> None:
        """Somebody else has played a card."""
        suit = SUIT[card]
        self.unseen[suit].remove(card)
        if card in self.given[suit]:
            self.given[suit].remove(card)

    def lost(self, suit: int) -> None:
        """Somebody has shown not to have the suit."""
        self._holders[suit] = [seat for seat in self.others if suit not in self.voids[seat]]


class RunningMemory:
    """The memories of all seats of one deal, from the end of the pass on."""

    def __init__(self, deal: Deal, values: list[int]) -> None:
        self._deal = deal
        self._values = values
        self._voids: list[set[int]] = [set() for _ in range(deal.rules.seats)]
        self._taken = [0] * deal.rules.seats
        self._penalties = sum(value > 0 for value in values)
        self.seats: Sequence[Any] = [
            SeatMemory(deal, seat, values, self._voids) for seat in range(deal.rules.seats)
        ]

    def saw(self, seat: int, card: int) -> None:
        """Take note of a card that was played just now."""
        suit = SUIT[card]
        for memory in self.seats:
            if memory.seat != seat:
                memory.saw(card)
        played, seats = self._deal.played, len(self.seats)
        led = SUIT[played[(len(played) - 1) // seats * seats]]
        if suit != led and led not in self._voids[seat]:
            self._voids[seat].add(led)
            for memory in self.seats:
                memory.lost(led)
        if len(played) % seats == 0:
            self._took(played[-seats:])

    def _took(self, trick: Sequence[int]) -> None:
        penalties = sum(self._values[card] > 0 for card in trick)
        winner = self._deal.winners[-1]
        if not penalties or winner is None:
            return
        self._taken[winner] += penalties
        alone = sum(map(bool, self._taken)) == 1
        for memory in self.seats:
            memory.shooter = winner if alone and memory.seat != winner else None
            memory.threat = self._taken[winner] / self._penalties if memory.shooter is not None else 0.0
