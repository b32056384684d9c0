"""Results of bots whose strength is known: the yardstick for everything else in this package.

Each seat of a board performs at strength + luck of the cards + chance; the order of performances gives the places.
With Gumbel-distributed chance and no luck this is exactly the model of Plackett and Luce, whose pairs follow
exactly Bradley-Terry (Yellott, J. Math. Psychology 15, 1977), so that the true ratings are the strengths put in.
The luck belongs to (deal, seat) and is shared by all boards of a deal: it makes boards of one deal hang together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, assert_never

import numpy as np

from ratings.arrays import Floats, Ints
from ratings.bradley_terry import ELO
from ratings.observations import Observations, assemble

Design = Literal["random", "rotated", "repeated", "duel"]
"""Boards of a deal: one; every rotation of the table; the same seats `REPEATS` times; A,A,B,B and its mirror."""

REPEATS = 4
POINTS_PER_NATURAL_UNIT = 3.0  # spreads simulated points about as widely as those of real deals


def simulate(
    strengths: Mapping[str, float],
    deals: int,
    rng: np.random.Generator,
    *,
    design: Design = "rotated",
    luck: float = 0.0,
    seats: int = 4,
    ties: bool = False,
    unlike: float = 1.0,
) -> Observations:
    """Play `deals` deals.

    Args:
        strengths: Elo of each bot.
        deals: number of different deals.
        rng: the only source of chance.
        design: which boards are played with a deal.
        luck: standard deviation of the luck of the cards, in natural units (1 = 174 Elo).
        seats: seats of a table.
        ties: round performances to whole units, so that places are shared at times.
        unlike: how much the chance differs between bots and rotations of one deal: 1 is independent, 0 means that
            the same cards at the same seat always do the same for equal bots.
    """
    names = tuple(sorted(strengths))
    theta = np.array([strengths[name] for name in names]) / ELO
    seated, deal = _seated(len(names), deals, rng, design, seats)
    cards = rng.normal(0.0, luck, (deals, seats)) if luck else np.zeros((deals, seats))
    shared = rng.gumbel(size=(deals, seats))
    own = rng.gumbel(size=seated.shape)
    performance = theta[seated] + cards[deal] + unlike * own + (1 - unlike) * shared[deal]
    if ties:
        performance = np.round(performance)
    return _boards(names, seated, deal, performance)


def _seated(bots: int, deals: int, rng: np.random.Generator, design: Design, seats: int) -> tuple[Ints, Ints]:
    """The bot at each seat of each board, and the deal of each board."""
    tables = rng.permuted(np.tile(np.arange(bots), (deals, 1)), axis=1)[:, :seats]
    match design:
        case "random":
            boards = [tables]
        case "rotated":
            boards = [np.roll(tables, turn, axis=1) for turn in range(seats)]
        case "repeated":
            boards = [tables] * REPEATS
        case "duel":
            first = np.tile(np.arange(seats) * bots // seats, (deals, 1))
            boards = [first, bots - 1 - first]
        case _:
            assert_never(design)
    return np.stack(boards, axis=1).reshape(-1, seats), np.repeat(np.arange(deals), len(boards))


def _boards(names: tuple[str, ...], seated: Ints, deal: Ints, performance: Floats) -> Observations:
    boards, seats = seated.shape
    place = 1 + (performance[:, :, None] < performance[:, None, :]).sum(axis=2)
    points = 6.5 - POINTS_PER_NATURAL_UNIT * (performance - performance.mean(axis=1, keepdims=True))
    width = len(str(int(deal.max())))
    ids = [f"deal-{index:0{width}}" for index in range(int(deal.max()) + 1)]
    return assemble(
        unit="board",
        rules="simulated",
        bots=names,
        deal_ids=ids,
        match_ids=ids,
        bot=seated.ravel().astype(np.int32),
        points=points.ravel(),
        place=place.ravel().astype(np.int32),
        autopilot=np.zeros(seated.size, dtype=np.bool_),
        seats=np.full(boards, seats),
        deal=deal.astype(np.int32),
        match=deal.astype(np.int32),
        number=np.arange(boards),
        round_number=(deal // 10).astype(np.int32),
        deals=np.ones(boards, dtype=np.int32),
    )
