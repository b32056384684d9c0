"""A match to the target by the page: totals, end, ties and play-offs (R12, R13), sharing nothing with `referee`."""

from __future__ import annotations

from collections.abc import Sequence

from tests.naive.cards import Rules


class NaiveMatch:
    """The totals of one match; `places` is set when it is over."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.totals = [0] * int(rules["seats"])
        self.deals = 0
        self.tied: list[int] = []  # the seats of a play-off, while there is one
        self.dropped: dict[int, tuple[int, int]] = {}  # seat -> (deal of the play-off it dropped out in, score)
        self.places: list[int] | None = None

    def add(self, scores: Sequence[int]) -> None:
        """Count one deal."""
        self.deals += 1
        if self.tied and self.rules["tie_break"] == "tied_hand":  # R13.3: no total changes
            best = min(scores[seat] for seat in self.tied)
            for seat in self.tied:
                if scores[seat] > best:
                    self.dropped[seat] = (self.deals, scores[seat])
            self.tied = [seat for seat in self.tied if scores[seat] == best]
        else:
            self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
            if self.rules["score_floor"] is not None:  # R12.1
                self.totals = [max(total, self.rules["score_floor"]) for total in self.totals]
            if self.tied or any(total >= self.rules["target"] for total in self.totals):  # R12.2, R13.4
                self.tied = [seat for seat, total in enumerate(self.totals) if total == min(self.totals)]
        decided = len(self.tied) == 1 or (self.tied and self.rules["tie_break"] == "shared")
        if decided or self.deals == self.rules["max_deals"]:  # R12.4
            self.places = [1 + sum(self.is_ahead(b, a) for b in range(len(self.totals))) for a in self.seats()]
            self.tied = []

    def seats(self) -> range:
        return range(len(self.totals))

    def is_ahead(self, first: int, second: int) -> bool:
        """Is the first seat placed before the second (R12.3, R13.3)?"""
        if self.totals[first] != self.totals[second]:
            return self.totals[first] < self.totals[second]
        if first in self.dropped and second in self.dropped:
            deal_a, score_a = self.dropped[first]
            deal_b, score_b = self.dropped[second]
            return deal_a > deal_b or (deal_a == deal_b and score_a < score_b)
        return second in self.dropped
