"""Deals played by the sample bots' own strategies, without processes and wire: cheap enough for thousands.

`counter-3` is the sample bot `counter` that plays a random legal card in 3 of 100 decisions: a stand-in for two
versions of one program.
"""

import importlib.util
import random
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from ratings.arrays import Ints
from ratings.observations import Observations, from_boards
from referee.records import BoardResult
from referee.rules.deal import Deal, Phase
from referee.rules.dealing import deal_cards, integer_seed
from referee.rules.presets import preset

BOTS = Path(__file__).parents[2] / "sample_bots/python"
RULES = preset("american")
Seat = Callable[[Deal, int], Sequence[int]]
"""The cards that a bot decides for, from a deal and its own seat."""


@cache
def strategy(name: str) -> Any:
    """The module `strategy.py` of a sample bot; it imports its neighbours `cards` and `memory` by name."""
    spec = importlib.util.spec_from_file_location(f"strategy_of_{name}", BOTS / name / "strategy.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(BOTS))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(BOTS))
    return module


def bot(name: str, rng: random.Random) -> Seat:
    """A sample bot by its name, with `-N` behind it for N per cent of random decisions."""
    base, _, per_cent = name.partition("-")
    module, chance = strategy(base), int(per_cent or 0) / 100

    def decide(deal: Deal, seat: int) -> Sequence[int]:
        legal = deal.legal(seat)
        count = RULES.pass_count if deal.phase is Phase.PASS else 1
        if chance and rng.random() < chance:
            return rng.sample(legal, count)
        # What a turn on the wire carries (proto/hearts/v1/table.proto), clocks and ids apart.
        turn = SimpleNamespace(
            rules_name=RULES.name,
            target=RULES.target,
            seat=seat,
            seats=RULES.seats,
            deal_number=deal.deal_number,
            hand=deal.hand(seat),
            legal=legal,
            played=deal.played,
            leaders=deal.leaders,
            pass_offset=deal.pass_offset,
            pass_count=RULES.pass_count,
            passed_cards=deal.passed[seat],
            received_cards=deal.received[seat],
            scores=[0] * RULES.seats,
            points=deal.points,
            hearts_broken=deal.hearts_broken,
            turn_seed=rng.getrandbits(32),
        )
        return module.choose_pass(turn) if deal.phase is Phase.PASS else [module.choose_card(turn)]

    return decide


def play_deal(number: int, seats: Sequence[Seat]) -> list[int]:
    """The scores of deal `number` (from 1), the same cards whoever plays it."""
    dealt = deal_cards(RULES, integer_seed(number))
    deal = Deal(RULES, deal_number=number, hands=dealt.hands, widow=dealt.widow)
    while deal.phase is not Phase.DONE:
        for seat in deal.seats_to_act():
            if deal.phase is Phase.MOON:
                breach = deal.choose_moon(seat, "add")
            elif deal.phase is Phase.PASS:
                breach = deal.pass_cards(seat, seats[seat](deal, seat))
            else:
                breach = deal.play(seat, seats[seat](deal, seat)[0])
            assert breach is None, breach
    return deal.scores


def play_boards(seatings: Sequence[Sequence[str]], deals: Sequence[int], *, seed: int) -> Observations:
    """Play each deal once at every seating."""
    boards: list[BoardResult] = []
    for number in deals:
        for index, names in enumerate(seatings):
            rng = random.Random(f"{seed}/{number}/{index}")
            scores = play_deal(number, [bot(name.rstrip("'"), rng) for name in names])
            boards.append(
                BoardResult(
                    match_id=f"{number}-{index}",
                    deal_id=f"deal-{number:06}",
                    number=len(boards),
                    round_number=0,
                    unit="board",
                    rules=RULES.name,
                    bots=tuple(names),
                    points=tuple(map(float, scores)),
                    places=tuple(1 + sum(other < own for other in scores) for own in scores),
                    autopilot=(False,) * RULES.seats,
                )
            )
    return from_boards(boards)


def duel(a: str, b: str, deals: Sequence[int], *, seed: int) -> Observations:
    """A,A,B,B and its mirror."""
    return play_boards([(a, a, b, b), (b, b, a, a)], deals, seed=seed)


def rotations(table: Sequence[str]) -> list[tuple[str, ...]]:
    """Every rotation of a table."""
    return [tuple(np.roll(np.array(table, dtype=object), turn)) for turn in range(len(table))]


def first_of_each_deal(results: Observations) -> Observations:
    """What would have been played without rotation: one board of each deal, the seats by chance of the deal."""
    keep = np.zeros(results.boards, dtype=np.bool_)
    starts: Ints = np.flatnonzero(np.diff(results.deal, prepend=-1) > 0)
    keep[starts + np.arange(len(starts)) % 4] = True
    return results.selected(keep)
