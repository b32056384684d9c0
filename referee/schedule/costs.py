"""What has been played so far, as the cost of seating bots together again, and the search for a cheap round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.schedule.shuffle import Shuffler

# What one former meeting costs. Meetings matter most: each is a comparison of two bots.
LEFT_WEIGHT = 2
PAIR_WEIGHT = 6
ACROSS_WEIGHT = 2
OWNER_COST = 1_000_000  # more than any number of repeated meetings

SWAPS_EACH = 150  # tries of one search for each seat,
SWAPS_MAX = 5_000  # and at most
COOL = 0.8  # from this share of the search on, no loss is taken


class Costs:
    """The cost of each pair at one table, of each left neighbour, and of each pair across.

    A table costs the sum over its pairs. Since a pair meets at most once in a round, taking the cheapest tables
    round after round keeps the sum of the squared counts low.
    """

    __slots__ = ("across", "left", "pair")

    def __init__(self, entrants: int) -> None:
        self.pair = [[0] * entrants for _ in range(entrants)]
        self.left = [[0] * entrants for _ in range(entrants)]
        self.across = [[0] * entrants for _ in range(entrants)]

    def add_to_pair(self, one: int, other: int, cost: int) -> None:
        """Make a pair dearer, whatever it has played."""
        self.pair[one][other] += cost
        self.pair[other][one] += cost

    def keep_owners_apart(self, owners: Sequence[str]) -> None:
        """Make pairs of one owner dearer than anything else; an empty owner is nobody."""
        for one, owner in enumerate(owners):
            for other in range(one):
                if owner and owner == owners[other]:
                    self.add_to_pair(one, other, OWNER_COST)

    def add(self, table: Sequence[int | None]) -> None:
        """Count a table that was played; None stands for a bot that is no longer here."""
        seats = len(table)
        for seat, one in enumerate(table):
            for ahead in range(1, seats):
                other = table[(seat + ahead) % seats]
                if one is None or other is None:
                    continue
                self.pair[one][other] += PAIR_WEIGHT
                if ahead == 1:
                    self.left[one][other] += LEFT_WEIGHT
                if 2 * ahead == seats:
                    self.across[one][other] += ACROSS_WEIGHT

    def of(self, table: Sequence[int]) -> int:
        """Price a table."""
        seats = len(table)
        total = self.left[table[-1]][table[0]]
        for seat, one in enumerate(table):
            pair_row, rest = self.pair[one], table[seat + 1 :]
            for other in rest:
                total += pair_row[other]
            if rest:
                total += self.left[one][rest[0]]
        if seats % 2 == 0:
            half = seats // 2
            total += sum(self.across[table[seat]][table[seat + half]] for seat in range(half))
        return total


def cheapest_tables(
    costs: Costs, sitters: Sequence[int], seats: int, shuffler: Shuffler, heat: int = PAIR_WEIGHT
) -> tuple[tuple[int, ...], ...]:
    """Seat `sitters`, a multiple of `seats`, so that the round costs little (simulated annealing by swaps).

    `heat` is the loss that is taken half of the time in the beginning: about the smallest one that matters.
    """
    tables = [list(sitters[start : start + seats]) for start in range(0, len(sitters), seats)]
    prices = [costs.of(table) for table in tables]
    swaps = min(SWAPS_EACH * len(sitters), SWAPS_MAX)
    for swap in range(swaps):
        one, other = shuffler.below(len(sitters)), shuffler.below(len(sitters))
        (first, first_seat), (second, second_seat) = divmod(one, seats), divmod(other, seats)
        if prices[first] + prices[second] == 0:
            continue
        a, b = tables[first], tables[second]
        a[first_seat], b[second_seat] = b[second_seat], a[first_seat]
        new_first, new_second = costs.of(a), costs.of(b)
        loss = new_first + new_second - prices[first] - prices[second]
        if shuffler.accepts(loss, heat * (1 - swap / (COOL * swaps))):
            prices[first], prices[second] = new_first, new_second
        else:
            a[first_seat], b[second_seat] = b[second_seat], a[first_seat]
    return tuple(tuple(table) for table in tables)
