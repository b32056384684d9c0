"""A bank of boards that were really played: the sample bots' own strategies under the rules *american*, offline.

Every deal seats four of the eight bots by chance and is played in one of three ways: at every rotation, four times
with the same seats (the bots that draw cards draw others), or once. The bank is made in chunks, each a file in
`build/truth`, so that it can be stopped and goes on; what another version of the strategies has played is not read.
"""

import hashlib
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from ratings.observations import Observations, assemble
from tests.truth.offline_play import BOTS, RULES, Bot, chance_of, play_deal, rotations

POOL = ("counter", "counter-12", "counter-3", "counter-6", "duck", "duck-6", "low", "moon")  # sorted
SEED = 6
DEALS_A_CHUNK = 1000
FOLDER = Path(__file__).parents[2] / "build/truth"

Way = Literal["rotated", "repeated", "once"]
FIRST_DEAL: dict[Way, int] = {"rotated": 1, "repeated": 100_001, "once": 200_001}
CHUNKS: dict[Way, int] = {"rotated": 100, "repeated": 100, "once": 200}


@dataclass(frozen=True, slots=True, eq=False)
class Boards:
    """Boards in schedule order: who sat where (index in POOL), the points, the deal."""

    bot: npt.NDArray[np.int8]  # boards x seats
    points: npt.NDArray[np.int8]
    deal: npt.NDArray[np.int32]

    def observations(self) -> Observations:
        """Give them as the fits read them."""
        points = self.points.astype(np.int32)
        place = 1 + (points[:, :, None] > points[:, None, :]).sum(axis=2)
        numbers, deal = np.unique(self.deal, return_inverse=True)
        ids = [f"{number:07}" for number in numbers.tolist()]
        boards, seats = points.shape
        return assemble(
            unit="board",
            rules=RULES.name,
            bots=POOL,
            deal_ids=ids,
            match_ids=ids,
            bot=self.bot.ravel().astype(np.int32),
            points=points.ravel().astype(np.float64),
            place=place.ravel().astype(np.int32),
            autopilot=np.zeros(points.size, dtype=np.bool_),
            seats=np.full(boards, seats),
            deal=deal.astype(np.int32),
            match=deal.astype(np.int32),
            number=np.arange(boards),
            round_number=np.zeros(boards, dtype=np.int32),
            deals=np.ones(boards, dtype=np.int32),
        )

    def between(self, start: int, end: int) -> "Boards":
        """Those of a piece of the schedule."""
        return Boards(self.bot[start:end], self.points[start:end], self.deal[start:end])

    def shuffled(self, rng: np.random.Generator) -> "Boards":
        """The same boards in another order."""
        order = rng.permutation(len(self.deal))
        return Boards(self.bot[order], self.points[order], self.deal[order])


@cache
def folder() -> Path:
    """Where the bank of these strategies, this pool and this seed is kept."""
    digest = hashlib.sha256(repr((POOL, SEED, DEALS_A_CHUNK)).encode())
    programs = sorted({f"{name.partition('-')[0]}/strategy.py" for name in POOL})
    for path in ("cards.py", "memory.py", "shooting.py", *programs):
        digest.update((BOTS / path).read_bytes())
    return FOLDER / digest.hexdigest()[:12]


def seatings(number: int, way: Way) -> list[tuple[str, ...]]:
    """Who sits where on each board of a deal."""
    table = random.Random(f"{SEED}/table/{number}").sample(POOL, RULES.seats)
    match way:
        case "rotated":
            return rotations(table)
        case "repeated":
            return [tuple(table)] * 4
        case "once":
            return [tuple(table)]


def play_chunk(way: Way, index: int, deals: int = DEALS_A_CHUNK) -> Boards:
    """Play one chunk."""
    bot, points, deal = [], [], []
    first = FIRST_DEAL[way] + index * DEALS_A_CHUNK
    for number in range(first, first + deals):
        for board, names in enumerate(seatings(number, way)):
            scores = play_deal(number, [Bot.named(name) for name in names], chance_of(SEED, number, board))
            bot.append([POOL.index(name) for name in names])
            points.append(scores)
            deal.append(number)
    return Boards(np.array(bot, dtype=np.int8), np.array(points, dtype=np.int8), np.array(deal, dtype=np.int32))


def chunk(way: Way, index: int) -> Boards:
    """Read one chunk, or play it and keep it."""
    path = folder() / f"{way}-{index:03}.npz"
    if not path.exists():
        boards = play_chunk(way, index)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".part")
        with beside.open("wb") as file:
            np.savez_compressed(file, bot=boards.bot, points=boards.points, deal=boards.deal)
        beside.rename(path)
    with np.load(path) as columns:
        return Boards(columns["bot"], columns["points"], columns["deal"])


@cache
def bank(way: Way) -> Boards:
    """Give all boards that were played in one way."""
    chunks = [chunk(way, index) for index in range(CHUNKS[way])]
    return Boards(
        np.concatenate([part.bot for part in chunks]),
        np.concatenate([part.points for part in chunks]),
        np.concatenate([part.deal for part in chunks]),
    )


def firsts() -> Boards:
    """Give one board of each deal of the bank: 400,000 random deals, each table seated by chance."""
    parts = [bank(way) for way in get_args(Way)]
    kept = [np.diff(part.deal, prepend=0) > 0 for part in parts]
    return Boards(
        np.concatenate([part.bot[keep] for part, keep in zip(parts, kept, strict=True)]),
        np.concatenate([part.points[keep] for part, keep in zip(parts, kept, strict=True)]),
        np.concatenate([part.deal[keep] for part, keep in zip(parts, kept, strict=True)]),
    )


def order_of_play() -> Iterator[tuple[Way, int]]:
    """Every chunk, the ways in turn, so that a bank that is half full is half full for all designs."""
    for index in range(100):
        yield "rotated", index
        yield "repeated", index
        yield "once", 2 * index
        yield "once", 2 * index + 1


def main() -> int:
    """Fill the bank."""
    for way, index in order_of_play():
        chunk(way, index)
        print(f"\r{way} {index + 1} of {CHUNKS[way]} ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
