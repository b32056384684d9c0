"""How balanced a schedule is: the figures that are published with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.schedule.pairing import Entrant, Seating

COUNTS = {
    "boards": "board sets an entrant",
    "seats": "matches an entrant in a seat",
    "pairs": "meetings of two",
    "left": "one on another's left",
    "across": "two across",
}


@dataclass(frozen=True, slots=True)
class Spread:
    """One count over everybody it concerns; `variation` is the standard deviation as a share of the mean."""

    name: str  # a key of `COUNTS`
    low: int
    high: int
    mean: float
    variation: float

    @classmethod
    def of(cls, name: str, values: Sequence[int]) -> Spread:
        """Summarise the values of one count."""
        if not values:
            return cls(name, 0, 0, 0.0, 0.0)
        mean = sum(values) / len(values)
        deviation = sqrt(sum((value - mean) ** 2 for value in values) / len(values))
        return cls(name, min(values), max(values), mean, deviation / mean if mean else 0.0)


@dataclass(frozen=True, slots=True)
class OwnerMeeting:
    """Two bots of one owner at one table, and the board sets where that could not be avoided."""

    owner: str
    bots: tuple[str, str]
    board_sets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BalanceReport:
    """The balance of a schedule; see `COUNTS` for what is counted."""

    entrants: int
    rounds: int
    board_sets: int
    matches: int
    spreads: tuple[Spread, ...]
    owner_meetings: tuple[OwnerMeeting, ...]

    def to_dict(self) -> dict[str, object]:
        """Write the report as plain values for JSON."""
        return {
            "entrants": self.entrants,
            "rounds": self.rounds,
            "board_sets": self.board_sets,
            "matches": self.matches,
            "counts": [
                {
                    "count": spread.name,
                    "min": spread.low,
                    "max": spread.high,
                    "mean": round(spread.mean, 6),
                    "variation": round(spread.variation, 6),
                }
                for spread in self.spreads
            ],
            "owner_meetings": [
                {"owner": met.owner, "bots": list(met.bots), "board_sets": list(met.board_sets)}
                for met in self.owner_meetings
            ],
        }

    def to_text(self) -> str:
        """Write the report for people, in at most 80 columns."""
        lines = [
            f"{self.entrants} entrants, {self.rounds} rounds, {self.board_sets} board sets, {self.matches} matches",
            "",
            f"{'count':<8}{'of':<30}{'min':>7}{'max':>7}{'mean':>10}{'variation':>11}",
        ]
        lines += [
            f"{spread.name:<8}{COUNTS[spread.name]:<30}{spread.low:>7}{spread.high:>7}"
            f"{spread.mean:>10.2f}{spread.variation:>11.0%}"
            for spread in self.spreads
        ]
        if self.owner_meetings:
            lines += ["", "Bots of one owner that had to meet:"]
            for met in self.owner_meetings:
                times = len(met.board_sets)
                what = f"{met.owner}: {met.bots[0]} and {met.bots[1]}, {times} board set{'s' * (times > 1)}"
                lines.append("  " + (what if len(what) <= 78 else what[:75] + "..."))
        return "\n".join(lines) + "\n"


def balance(
    seatings: Iterable[Seating],
    entrants: Sequence[Entrant] = (),
    rotations: int | None = None,
    *,
    owners_apart: bool = False,
) -> BalanceReport:
    """Count a schedule through.

    Args:
        seatings: the schedule, all of it or a part.
        entrants: everybody who could have played, so that whoever never met is counted as zero, and the owners;
            empty for those who did play.
        rotations: how many are played of each table; None for all.
        owners_apart: bots of one owner were not to meet: leave them out of the counts of pairs,
            list where they did.
    """
    tables = list(seatings)
    names = [entrant.name for entrant in entrants] or sorted({bot for table in tables for bot in table.bots})
    boards, seat_counts = Counter[str](), Counter[tuple[str, int]]()
    pairs, across, left = Counter[frozenset[str]](), Counter[frozenset[str]](), Counter[tuple[str, str]]()
    matches = 0
    for table in tables:
        seats = len(table.bots)
        turns = seats if rotations is None else rotations
        matches += turns
        boards.update(set(table.bots))
        for seat, bot in enumerate(table.bots):
            seat_counts.update((bot, (seat + rotation) % seats) for rotation in range(turns))
            left[bot, table.bots[(seat + 1) % seats]] += 1
            for other in range(seat + 1, seats):
                pair = frozenset((bot, table.bots[other]))
                pairs[pair] += 1
                across[pair] += 2 * (other - seat) == seats
    seats_max = max((len(table.bots) for table in tables), default=0)
    owner_of = {entrant.name: entrant.owner or None for entrant in entrants} if owners_apart else {}
    strangers = [(one, other) for one, other in permutations(names, 2) if not _share(owner_of, one, other)]
    everyone = [frozenset(pair) for pair in strangers if pair[0] < pair[1]]
    has_across = any(len(table.bots) % 2 == 0 for table in tables)
    return BalanceReport(
        entrants=len(names),
        rounds=len({table.round_number for table in tables}),
        board_sets=len(tables),
        matches=matches,
        spreads=(
            Spread.of("boards", [boards[name] for name in names]),
            Spread.of("seats", [seat_counts[name, seat] for name in names for seat in range(seats_max)]),
            Spread.of("pairs", [pairs[pair] for pair in everyone]),
            Spread.of("left", [left[pair] for pair in strangers]),
            *([Spread.of("across", [across[pair] for pair in everyone])] if has_across else []),
        ),
        owner_meetings=owner_meetings(tables, entrants) if owners_apart else (),
    )


def _share(owner_of: Mapping[str, str | None], one: str, other: str) -> bool:
    owner = owner_of.get(one)
    return owner is not None and owner == owner_of.get(other)


def owner_meetings(seatings: Iterable[Seating], entrants: Sequence[Entrant]) -> tuple[OwnerMeeting, ...]:
    """List the pairs of bots of one owner that sit together, and where."""
    owner_of = {entrant.name: entrant.owner for entrant in entrants if entrant.owner}
    met: dict[tuple[str, str, str], list[int]] = {}
    for table in seatings:
        for one, other in combinations(sorted(bot for bot in set(table.bots) if bot in owner_of), 2):
            if owner_of[one] == owner_of[other]:
                met.setdefault((owner_of[one], one, other), []).append(table.board_set)
    return tuple(
        OwnerMeeting(owner, (one, other), tuple(board_sets))
        for (owner, one, other), board_sets in sorted(met.items())
    )
