"""What the seats have taken, and what still lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.rules.cards import Card
    from referee.rules.ruleset import RuleSet


class Takings:
    """Cards taken in one deal.

    The widow and the cards of tricks that nobody won lie in the *pot*, which goes with the next trick that is won
    (R2.4, R9.3). Cards without points that no moon needs may be left out.

    Attributes:
        points: sum of the values of the cards taken, per seat.
        bonus_points: that of the negative values alone.
        pot: cards that count on the table.
    """

    __slots__ = ("_needed", "_needed_taken", "_values", "bonus_points", "points", "pot")

    def __init__(self, rules: RuleSet, widow: Sequence[Card]) -> None:
        self.points = [0] * rules.seats
        self.bonus_points = [0] * rules.seats
        self.pot = list(widow)
        self._values = rules.values
        self._needed = rules.tables.needed
        self._needed_taken = [0] * rules.seats

    def take(self, seat: int, cards: Sequence[Card]) -> None:
        """Give the cards of a trick, and the pot with them, to a seat."""
        if self.pot:
            cards = [*cards, *self.pot]
            self.pot = []
        values, needed = self._values, self._needed
        points = bonus_points = needed_taken = 0
        for card in cards:
            value = values[card]
            points += value
            needed_taken += needed[card]
            if value < 0:
                bonus_points += value
        self.points[seat] += points
        self.bonus_points[seat] += bonus_points
        self._needed_taken[seat] += needed_taken

    def shooter(self, needed_total: int) -> int | None:
        """Seat that took all the cards a moon needs (R11.1): by cards, never by points."""
        if not needed_total:
            return None
        return next((seat for seat, taken in enumerate(self._needed_taken) if taken == needed_total), None)
