"""How long schedules take to make, and how even they come out. Run as a script, or call `measure`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from itertools import islice

from referee.schedule.balance import balance
from referee.schedule.pairing import Entrant, Seating
from referee.schedule.round_robin import round_robin


def measure() -> dict[str, float]:
    """CPU seconds of whole cycles, of the first round where a tournament waits for it, and of changed fields."""
    thousand = field(1000)
    played = list(islice(round_robin(thousand[:900], 4, "bench"), 900))
    return {
        "entrants_40_seats_4_s": timed(round_robin(field(40), 4, "bench")),
        "entrants_40_seats_6_s": timed(round_robin(field(40), 6, "bench")),
        "entrants_40_owners_apart_s": timed(round_robin(field(40, owners=10), 4, "bench", owners_apart=True)),
        "entrants_1000_first_round_s": timed(islice(round_robin(thousand, 4, "bench"), 250)),
        "entrants_1000_seats_4_s": timed(round_robin(thousand, 4, "bench")),
        "entrants_1000_changed_ten_rounds_s": timed(islice(round_robin(thousand, 4, "bench", played=played), 2500)),
    }


def table(counts: range, seats: int, cycles: int) -> Iterator[str]:
    """Yield the lines of a table of balance figures: min..max of each count, and the variation of meetings."""
    yield f"{'N':>4} {'tables':>7} {'rounds':>7} {'boards':>8} {'pairs':>8} {'cv':>5} {'left':>6} {'across':>7}"
    for count in counts:
        report = balance(round_robin(field(count), seats, "figures", cycles), field(count))
        of = {spread.name: spread for spread in report.spreads}
        text = {name: f"{spread.low}..{spread.high}" for name, spread in of.items()}
        yield (
            f"{count:>4} {report.board_sets:>7} {report.rounds:>7} {text['boards']:>8} {text['pairs']:>8} "
            f"{of['pairs'].variation:>5.0%} {text['left']:>6} {text.get('across', '-'):>7}"
        )


def field(count: int, owners: int = 0) -> list[Entrant]:
    """Make so many entrants."""
    return [Entrant(f"bot-{n:04}", owner=f"owner-{n % owners}" if owners else "") for n in range(count)]


def timed(seatings: Iterator[Seating]) -> float:
    """CPU seconds that it takes to read a schedule."""
    began = time.process_time()
    for _ in seatings:
        pass
    return round(time.process_time() - began, 3)


if __name__ == "__main__":
    if sys.argv[1:] == ["figures"]:
        for seats in (3, 4, 5, 6):
            print(f"{seats} seats, one cycle")
            print("\n".join(table(range(max(4, seats), 41), seats, 1)))
    else:
        print(json.dumps(measure(), indent=2))
