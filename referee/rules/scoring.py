"""Running totals to the end of a match: target, floor, ties, play-offs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, assert_never

from referee.rules.parameters import TieBreak

if TYPE_CHECKING:
    from referee.rules.ruleset import RuleSet


def rank_places(totals: Sequence[float]) -> tuple[int, ...]:
    """Place of each seat, the fewest points first; ties share: 1, 1, 3, 4 (R12.3)."""
    return tuple(1 + sum(other < total for other in totals) for total in totals)


def moon_scores(rules: RuleSet, shooter: int, bonus_points: Sequence[int], *, adds: bool) -> list[int]:
    """Scores of a deal with a moon (R11.3, R11.4).

    Args:
        rules: the rule set.
        shooter: who shot the moon.
        bonus_points: sum of the negative values of the cards taken, per seat; nothing else taken counts.
        adds: whether the others take the moon's points, or the shooter takes them off.
    """
    scores = list(bonus_points)
    for seat in range(rules.seats):
        if adds and seat != shooter:
            scores[seat] += rules.moon_amount
        if not adds and seat == shooter:
            scores[seat] -= rules.moon_amount
    return scores


class MatchScore:
    """The score of one match, deal by deal (R12, R13).

    A match goes to the rule set's target, or over a fixed number of deals and then without a play-off.

    Under `tied_hand` the totals stand still during a play-off: only the scores of the tied seats in each of its
    deals count, and a seat that drops out is placed by its score in that deal (R13.3).

    Attributes:
        totals: running total per seat.
        deals_played: deals added so far, those of a play-off included.
        in_playoff: whether the deals are now played to break a tie; once begun, that ends only with the match.
        is_over: whether the match has ended.
        places: place per seat, once it has.
        contenders: seats that may still win under `tied_hand`; all seats otherwise.
    """

    def __init__(self, rules: RuleSet, *, deals: int = 0) -> None:
        """Start at zero.

        Args:
            rules: the rule set.
            deals: number of deals of the match; 0 to the target.
        """
        self.rules = rules
        self.totals = [0] * rules.seats
        self.deals_played = 0
        self.in_playoff = False
        self.is_over = False
        self.places: tuple[int, ...] = ()
        self.contenders = tuple(range(rules.seats))
        self._deals = deals
        self._ranks: list[tuple[int, ...]] = [()] * rules.seats  # scores in the play-off deals of `tied_hand`

    def add(self, scores: Sequence[int]) -> None:
        """Count one finished deal.

        Raises:
            ValueError: the match is over, or there is not one score for each seat.
        """
        if self.is_over:
            raise ValueError(f"the match was over after {self.deals_played} deals")
        if len(scores) != self.rules.seats:
            raise ValueError(f"{len(scores)} scores were given for {self.rules.seats} seats")
        self.deals_played += 1
        if self.in_playoff and self.rules.tie_break is TieBreak.TIED_HAND:
            for seat in self.contenders:  # R13.3
                self._ranks[seat] += (scores[seat],)
            self.contenders = _lowest(scores, self.contenders)
        else:
            self._add_to_totals(scores)
        if self._deals:
            if self.deals_played == self._deals:
                self._end()
        elif self.in_playoff or max(self.totals) >= self.rules.target:
            self._break_tie()
        if not self._deals and self.deals_played == self.rules.max_deals and not self.is_over:
            self._end()

    def _add_to_totals(self, scores: Sequence[int]) -> None:
        floor = self.rules.score_floor
        for seat, score in enumerate(scores):
            total = self.totals[seat] + score
            self.totals[seat] = total if floor is None else max(total, floor)

    def _break_tie(self) -> None:
        """End the match if its winner is known, or if nobody is to be found; otherwise play on."""
        match self.rules.tie_break:
            case TieBreak.SHARED:
                self._end()
            case TieBreak.ALL_PLAY_ON:
                if len(_lowest(self.totals, self.contenders)) == 1:
                    self._end()
                else:
                    self.in_playoff = True
            case TieBreak.TIED_HAND:
                if not self.in_playoff:
                    self.contenders = _lowest(self.totals, self.contenders)
                if len(self.contenders) == 1:
                    self._end()
                else:
                    self.in_playoff = True
            case unknown:
                assert_never(unknown)

    def _end(self) -> None:
        self.is_over = True
        self.in_playoff = False
        ranks = [(total, *rank) for total, rank in zip(self.totals, self._ranks, strict=True)]
        self.places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


def _lowest(scores: Sequence[int], seats: Sequence[int]) -> tuple[int, ...]:
    """Of these seats, those with the lowest score."""
    low = min(scores[seat] for seat in seats)
    return tuple(seat for seat in seats if scores[seat] == low)
