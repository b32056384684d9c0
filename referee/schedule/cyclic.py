"""Cyclic schedules: a base round moved on by one, again and again, until it comes back.

Entrants are numbered 0..modulus-1 around a clock, and where the tables take everybody one more entrant, the
*hub*, stays where it is. Adding 1 to each number of a base round gives the next round. So after one turn of the
clock a pair has met as often as its difference occurs in the base round: balancing N(N-1)/2 pairs comes down to
balancing N/2 differences, and every entrant plays equally often by construction (Bose 1939; Anderson,
"Combinatorial Designs and Tournaments", 1997, calls such whist tournaments Z-cyclic).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.schedule.shuffle import Shuffler

Table = tuple[int, ...]
BaseRound = tuple[Table, ...]

# What an uneven count costs, for each ordered pair. Meetings matter most: each is a comparison of two bots.
LEFT_WEIGHT = 2
PAIR_WEIGHT = 3
ACROSS_WEIGHT = 1
STEPS_MAX = 20_000  # of one search, and at most this many for each number:
STEPS_PER_NUMBER = 1_000
HEAT_FIRST = 3  # the search begins by taking about half of the swaps that cost so much more,
HEAT_LAST = 0.5  # and ends by taking a quarter of those that cost one more
SPREAD_GOAL = 2  # the search is made again, at most so often, until no two counts of a kind differ by more
SEARCHES_MAX = 3


@dataclass(frozen=True, slots=True)
class Clock:
    """The numbers that a base round is made of: 0..modulus-1, and the hub, if any, is `modulus` itself."""

    modulus: int
    has_hub: bool

    @classmethod
    def of(cls, entrants: int, seats: int) -> Clock:
        """Choose the clock on which one base round sits everybody, or leaves out as few as it must."""
        if entrants % seats == 0:
            return cls(entrants - 1, has_hub=True)
        return cls(entrants, has_hub=False)

    @property
    def entrants(self) -> int:
        """How many numbers there are."""
        return self.modulus + self.has_hub

    def develop(self, base: BaseRound, steps: int | None = None) -> Iterator[BaseRound]:
        """Yield the rounds that so many steps of the clock, or one whole turn, make of a base round."""
        for step in range(self.modulus if steps is None else steps):
            yield tuple(tuple(self.moved(number, step) for number in table) for table in base)

    def moved(self, number: int, step: int) -> int:
        """Where a number is after `step` steps of the clock."""
        return number if number == self.modulus else (number + step) % self.modulus

    def mirrored(self, base: BaseRound) -> BaseRound:
        """Turn the clock round: the same meetings by difference, with directed differences reversed."""
        return tuple(
            tuple(number if number == self.modulus else -number % self.modulus for number in table)
            for table in base
        )


class Differences:
    """How often each difference occurs in the base rounds played so far: the whole balance of a cyclic schedule.

    Three counts lie behind each other in one list, so that a table is a list of places in it: left neighbours by
    directed difference, then pairs and then seats across by undirected difference. The hub meets everybody
    equally and is not counted.
    """

    __slots__ = ("_clock", "_seat_pairs", "_weights", "cost", "counts")

    def __init__(self, clock: Clock, seats: int) -> None:
        size = clock.modulus
        self._clock = clock
        self.counts = [0] * (3 * size)
        self._weights = [LEFT_WEIGHT] * size + [2 * PAIR_WEIGHT] * size + [2 * ACROSS_WEIGHT] * size
        if size % 2 == 0:  # opposite numbers form half as many pairs as any other difference
            self._weights[size + size // 2] = PAIR_WEIGHT
            self._weights[2 * size + size // 2] = ACROSS_WEIGHT
        self.cost = 0  # weighted sum of the squared counts, over ordered pairs
        self._seat_pairs = _seat_pairs(seats)

    def places_of(self, table: Sequence[int]) -> list[int]:
        """List the places that one table adds one to."""
        size = self._clock.modulus
        places = []
        for first, second, is_left, is_across in self._seat_pairs:
            one, other = table[first], table[second]
            if one == size or other == size:
                continue
            ahead = (other - one) % size
            undirected = min(ahead, size - ahead)
            # Opposite numbers of an even clock are moved onto each other: each occurrence lets them meet twice.
            twice = (undirected,) if 2 * undirected == size else ()
            for place in (undirected, *twice):
                places.append(size + place)
                if is_across:
                    places.append(2 * size + place)
            if is_left:
                places.append(ahead)
        return places

    def add(self, places: Sequence[int]) -> None:
        """Count a table in."""
        counts, weights = self.counts, self._weights
        cost = self.cost
        for place in places:
            cost += weights[place] * (2 * counts[place] + 1)
            counts[place] += 1
        self.cost = cost

    def remove(self, places: Sequence[int]) -> None:
        """Count a table out."""
        counts, weights = self.counts, self._weights
        cost = self.cost
        for place in places:
            counts[place] -= 1
            cost -= weights[place] * (2 * counts[place] + 1)
        self.cost = cost

    def add_round(self, base: BaseRound) -> None:
        """Count a base round in."""
        for table in base:
            self.add(self.places_of(table))

    def remove_round(self, base: BaseRound) -> None:
        """Count a base round out."""
        for table in base:
            self.remove(self.places_of(table))

    def spread(self) -> int:
        """The largest difference between two counts of one kind."""
        size = self._clock.modulus
        kinds = (
            self.counts[1:size],
            *(self.counts[start + 1 : start + 1 + size // 2] for start in (size, 2 * size)),
        )
        return max((max(counts) - min(counts) for counts in kinds if counts), default=0)

    def cost_min(self) -> int:
        """The cost if each kind of count were as even as its sum allows."""
        size, counts = self._clock.modulus, self.counts
        ordered_pairs = max(1, size - 1)
        total = 0
        for start, weight in ((0, LEFT_WEIGHT), (size, PAIR_WEIGHT), (2 * size, ACROSS_WEIGHT)):
            weighted = sum(self._weights[place] * counts[place] for place in range(start, start + size))
            mean, over = divmod(weighted // weight, ordered_pairs)
            total += weight * (ordered_pairs * mean * mean + over * (2 * mean + 1))
        return total


def find_base_round(differences: Differences, clock: Clock, seats: int, shuffler: Shuffler) -> BaseRound:
    """Search for a base round that evens out `differences`, and count it in."""
    found: list[tuple[int, int, BaseRound]] = []
    for _ in range(SEARCHES_MAX):
        numbers = shuffler.shuffled(range(clock.entrants))
        if clock.has_hub:
            hub = numbers.index(clock.modulus)
            numbers[0], numbers[hub] = numbers[hub], numbers[0]
        order = _anneal(differences, numbers, seats, shuffler)
        base = tuple(tuple(order[start : start + seats]) for start in range(0, len(order) - seats + 1, seats))
        differences.add_round(base)
        spread = differences.spread()
        found.append((spread, differences.cost, base))
        if spread <= SPREAD_GOAL:
            return base
        differences.remove_round(base)
    _, _, best = min(found)
    differences.add_round(best)
    return best


def _anneal(differences: Differences, numbers: list[int], seats: int, shuffler: Shuffler) -> list[int]:
    """Swap numbers while the differences become more even; return the best order seen.

    The tables are counted in for the search only, and out again at its end.
    """
    tables = len(numbers) // seats
    seated = tables * seats
    places = [differences.places_of(numbers[seats * table : seats * (table + 1)]) for table in range(tables)]
    for table_places in places:
        differences.add(table_places)
    goal = differences.cost_min()
    best, best_cost = numbers.copy(), differences.cost
    steps = min(STEPS_MAX, STEPS_PER_NUMBER * len(numbers))
    for step in range(steps):
        if best_cost <= goal:
            break
        heat = HEAT_FIRST - (HEAT_FIRST - HEAT_LAST) * step / steps
        one, other = shuffler.below(seated), shuffler.below(len(numbers))
        touched = {one // seats, other // seats} - {tables}
        before = differences.cost
        for table in touched:
            differences.remove(places[table])
        numbers[one], numbers[other] = numbers[other], numbers[one]
        fresh = {table: differences.places_of(numbers[seats * table : seats * (table + 1)]) for table in touched}
        for table_places in fresh.values():
            differences.add(table_places)
        loss = differences.cost - before
        if shuffler.accepts(loss, heat):
            places = [fresh.get(table, old) for table, old in enumerate(places)]
            if differences.cost < best_cost:
                best, best_cost = numbers.copy(), differences.cost
            continue
        for table in touched:
            differences.remove(fresh[table])
            differences.add(places[table])
        numbers[one], numbers[other] = numbers[other], numbers[one]
    for table_places in places:
        differences.remove(table_places)
    return best


def _seat_pairs(seats: int) -> tuple[tuple[int, int, bool, bool], ...]:
    """List the pairs of seats of a table: first, second, whether second is left of first, whether across."""
    adjacent = [(seat, (seat + 1) % seats, True, False) for seat in range(seats)]
    apart = [
        (first, second, False, 2 * (second - first) == seats)
        for first in range(seats)
        for second in range(first + 2, seats)
        if (second + 1) % seats != first
    ]
    return (*adjacent, *apart)
