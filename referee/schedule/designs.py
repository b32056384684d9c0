"""Exact schedules for tables of four: in a cycle, each pair meets, and sits across, equally often.

In the language of designs these are directed whist tournaments (perfect Mendelsohn designs with blocks of four):

- N = 1 mod 4: each pair is together 3 times, across once, and each bot is each other's left neighbour once. For a
  prime the base round is m(1, i, -1, -i) with i*i = -1 (Moore 1896; Anderson, "Combinatorial Designs and
  Tournaments", 1997). Nine works the same way over the field of nine elements, without a cyclic base round.
- N = 0 mod 4: together 3 times and across once as well. Left neighbours cannot be exact: directed differences add
  up to zero around every table without the hub, but not around the hub's. So the next cycle is the mirror image,
  and two cycles are exact in everything.
- N = 2, 3 mod 4: N(N-1)/4 is no whole number of tables, so that a cycle meets twice as often: 6, 2, 2 (for six
  entrants 12, 4, 4, since no shorter one is cyclic).

The base rounds below were found by simulated annealing, once; the tests verify each by counting.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import isqrt
from typing import TYPE_CHECKING

from referee.schedule.cyclic import BaseRound, Clock
from referee.schedule.packing import pack_rounds

if TYPE_CHECKING:
    from referee.schedule.shuffle import Shuffler

SEATS = 4

# Base rounds by number of entrants: rounds between bars, tables between blanks, the hub is a star.
_BASE_ROUNDS = {
    4: "*,0,2,1",
    6: "*,0,1,2 | *,0,1,3 | *,0,1,4 | *,0,3,1 | 0,2,1,3 | 0,3,2,1",
    7: "1,6,5,0 | 4,3,6,0 | 0,5,2,4",
    8: "*,0,1,3 2,5,4,6",
    10: "*,6,8,3 2,1,4,5 | *,3,2,6 1,7,0,5 | 2,0,1,4",
    11: "1,6,7,10 9,3,0,2 | 3,7,8,4 1,10,9,6 | 2,6,1,4",
    12: "*,5,1,7 6,0,3,4 9,2,10,8",
    14: "*,6,1,7 5,4,10,8 12,0,2,9 | *,4,0,3 7,8,10,2 11,6,5,1 | 5,3,7,1",
    15: "7,3,12,10 9,14,1,8 5,4,6,2 | 2,8,1,5 3,6,0,10 13,4,11,9 | 9,8,3,4",
    16: "*,4,11,9 13,14,10,7 5,8,3,12 6,1,0,2",
    18: "*,9,1,14 3,7,0,5 15,10,11,16 13,2,4,12 | *,13,11,8 16,2,15,5 10,4,1,0 14,6,12,7 | 14,16,7,10",
    19: "0,13,6,14 15,12,2,8 1,5,11,10 7,18,3,16 | 16,2,4,13 10,3,0,14 18,17,6,1 7,8,9,5 | 7,10,8,15",
    20: "*,10,4,17 11,18,7,8 3,5,2,13 14,12,16,9 1,0,15,6",
    21: "5,6,9,19 2,8,7,11 17,10,18,12 4,1,14,16 13,3,20,15",
    22: (
        "*,12,2,0 6,14,10,7 13,16,8,20 17,3,4,9 5,1,15,19 | *,15,17,6 2,18,0,13 16,7,1,10 14,8,12,9 4,5,3,19 "
        "| 15,5,7,16"
    ),
    23: (
        "14,22,7,11 6,1,21,10 13,19,17,9 20,15,2,3 4,18,5,12 | 21,19,1,2 22,15,20,11 4,13,6,5 3,10,0,17 "
        "12,18,7,9 | 13,10,12,0"
    ),
    24: "*,3,15,22 18,1,0,14 20,8,6,7 17,4,19,12 5,2,11,9 16,10,13,21",
    25: "23,13,22,1 0,21,8,7 11,12,14,5 18,6,16,10 24,2,19,17 20,15,4,9",
    26: (
        "*,14,11,17 3,22,18,7 20,8,16,19 0,5,21,13 4,15,2,1 24,9,6,10 | *,13,19,10 12,22,17,3 16,9,8,21 "
        "24,1,6,7 18,0,2,20 5,14,4,23 | 5,20,3,7"
    ),
    27: (
        "16,0,10,11 5,25,4,20 7,19,26,12 24,18,6,8 2,23,14,21 3,1,9,13 | 5,14,13,17 10,20,6,9 24,16,0,18 "
        "3,25,21,11 4,2,26,1 22,15,12,8 | 11,25,7,12"
    ),
    28: "*,22,10,4 25,16,6,3 24,7,9,5 17,23,12,26 15,1,8,11 21,19,0,20 18,2,14,13",
    30: (
        "*,2,0,27 21,23,19,7 9,1,17,25 13,24,14,18 20,4,26,11 10,16,8,5 12,3,22,15 | *,11,12,15 6,18,17,27 "
        "2,20,3,8 24,26,4,7 5,1,21,16 14,25,19,28 23,10,9,13 | 19,20,27,13"
    ),
    31: (
        "26,12,30,2 25,5,0,18 7,15,8,27 1,6,21,4 29,3,24,9 10,14,23,11 13,19,16,17 | 13,23,25,27 14,28,22,20 "
        "8,11,3,18 29,4,12,19 15,24,6,2 0,16,7,30 9,21,10,5 | 29,27,18,17"
    ),
    32: "*,1,5,12 4,19,29,23 9,3,21,24 27,16,11,25 15,26,14,28 2,30,7,6 20,18,17,10 8,0,22,13",
    33: "24,12,10,22 6,29,23,9 1,2,13,5 4,26,32,19 15,8,16,0 18,17,20,11 30,7,21,25 3,31,14,27",
    34: (
        "*,4,13,3 20,17,0,15 19,12,1,18 23,14,27,5 10,8,22,25 28,29,31,21 16,9,24,11 6,26,32,30 | *,20,32,21 "
        "17,5,8,0 11,10,14,28 16,12,3,22 9,4,23,15 13,24,19,7 26,1,31,27 18,25,29,6 | 2,4,12,25"
    ),
    35: (
        "8,29,7,0 27,15,4,20 28,24,12,9 19,34,13,18 21,3,25,31 26,17,1,32 10,2,22,33 16,5,14,23 | 7,6,21,24 "
        "3,8,5,30 22,4,14,18 29,23,1,31 25,17,20,27 19,33,28,9 34,11,10,12 2,13,15,16 | 16,1,19,10"
    ),
    36: "*,7,30,16 26,12,34,19 4,14,5,31 21,20,15,18 1,2,6,17 0,22,32,8 28,24,9,11 25,23,29,13 27,33,3,10",
    38: (
        "*,21,36,2 12,14,3,35 17,26,15,20 19,23,16,6 29,4,28,33 8,18,10,30 13,1,22,7 9,0,31,32 5,11,27,34 | "
        "*,31,30,13 12,5,17,8 10,7,34,36 22,18,35,1 27,0,16,4 14,21,2,20 15,26,25,33 28,29,24,6 19,11,9,32 | "
        "32,30,2,19"
    ),
    39: (
        "11,30,33,22 18,4,24,3 14,8,19,17 9,0,27,34 10,31,12,7 15,2,23,25 35,36,29,13 38,21,37,28 26,32,1,20 "
        "| 27,26,31,0 10,2,19,20 25,24,35,28 9,16,21,13 38,12,36,1 18,34,4,14 15,17,30,6 7,3,29,23 22,8,32,5 "
        "| 5,17,12,30"
    ),
    40: (
        "*,23,35,27 24,19,36,37 34,26,2,32 21,31,6,15 0,4,20,38 16,14,25,13 30,8,1,11 10,7,12,33 3,9,28,17 "
        "5,29,22,18"
    ),
}

# Whole rounds, not to be developed: r + m(1, i, -1, -i) over the field of nine elements a + bi, numbered a + 3b.
_NINE = (
    "1,3,2,6 4,5,8,7 | 2,4,0,7 5,3,6,8 | 0,5,1,8 3,4,7,6 | 4,6,5,0 7,8,2,1 | 5,7,3,1 8,6,0,2 | 3,8,4,2 "
    "6,7,1,0 | 7,0,8,3 1,2,5,4 | 8,1,6,4 2,0,3,5 | 6,2,7,5 0,1,4,3"
)


@dataclass(frozen=True, slots=True)
class Design:
    """An exact schedule: its base rounds, each developed by `steps` steps of the clock."""

    clock: Clock
    bases: tuple[BaseRound, ...]
    steps: int

    @property
    def boards(self) -> int:
        """How many board sets each entrant plays in a cycle."""
        return self.steps * SEATS * sum(map(len, self.bases)) // self.clock.entrants

    @property
    def is_mirrored(self) -> bool:
        """Whether every second cycle must be the mirror image of the one before to make left neighbours exact."""
        return self.clock.entrants % SEATS == 0

    def cycles(self, shuffler: Shuffler) -> Iterator[Iterator[BaseRound]]:
        """Yield cycles without end, with the numbers dealt anew, so that few tables come twice."""
        while True:
            labels = shuffler.shuffled(range(self.clock.entrants))
            yield self._rounds(self.bases, labels)
            if self.is_mirrored:
                yield self._rounds(tuple(map(self.clock.mirrored, self.bases)), labels)

    def _rounds(self, bases: tuple[BaseRound, ...], labels: list[int]) -> Iterator[BaseRound]:
        """Yield the rounds of one cycle; those that leave tables empty are packed together, and come last."""
        tables_max = self.clock.entrants // SEATS
        rounds = chain.from_iterable(
            self.clock.develop(base, self.steps) for base in bases if len(base) == tables_max
        )
        rest = chain.from_iterable(self.clock.develop(base, self.steps) for base in bases if len(base) < tables_max)
        for tables in chain(rounds, pack_rounds(chain.from_iterable(rest), tables_max)):
            yield tuple(tuple(labels[number] for number in table) for table in tables)


@cache
def exact_design(entrants: int, seats: int) -> Design | None:
    """Look up the exact schedule of so many entrants, if one is known here."""
    if seats != SEATS:
        return None
    if entrants == 9:
        return Design(Clock(9, has_hub=False), _parsed(_NINE, 9), steps=1)
    if entrants in _BASE_ROUNDS:
        clock = Clock(entrants - 1 + entrants % 2, has_hub=entrants % 2 == 0)
        return Design(clock, _parsed(_BASE_ROUNDS[entrants], clock.modulus), clock.modulus)
    if entrants % 4 == 1 and _is_prime(entrants):
        return Design(Clock(entrants, has_hub=False), (_whist(entrants),), entrants)
    return None


def _parsed(text: str, hub: int) -> tuple[BaseRound, ...]:
    return tuple(
        tuple(
            tuple(hub if number == "*" else int(number) for number in table.split(","))
            for table in base_round.split()
        )
        for base_round in text.split("|")
    )


def _whist(prime: int) -> BaseRound:
    """Make the base round m(1, i, -1, -i): one m for each coset of the fourth roots of unity."""
    root = next(x for n in range(2, prime) if (x := pow(n, prime // 4, prime)) * x % prime == prime - 1)
    left = set(range(1, prime))
    base = []
    while left:
        m = min(left)
        table = (m, m * root % prime, prime - m, prime - m * root % prime)
        base.append(table)
        left.difference_update(table)
    return tuple(base)


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))
