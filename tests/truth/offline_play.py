"""Deals played by the sample bots' own strategies, without processes and wire: cheap enough for millions.

`counter-3` is the sample bot `counter` that plays a random legal card in 3 of 100 decisions: a stand-in for two
versions of one program.
"""

import importlib.util
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ratings.arrays import Ints
from ratings.observations import Observations, from_boards
from referee.records import BoardResult
from referee.rules.breach import Breach
from referee.rules.deal import Deal, Phase
from referee.rules.dealing import Dealt, deal_cards, integer_seed
from referee.rules.presets import preset
from tests.truth.running_memory import RunningMemory

BOTS = Path(__file__).parents[2] / "sample_bots/python"
RULES = preset("american")


class Turn:
    """What a turn on the wire carries (proto/hearts/v1/table.proto), clocks and ids apart, read off the deal."""

    __slots__ = ("_deal", "_rng", "legal", "memory", "seat")

    rules_name = RULES.name
    target = RULES.target
    seats = RULES.seats
    pass_count = RULES.pass_count
    scores = (0,) * RULES.seats

    def __init__(self, deal: Deal, seat: int, legal: list[int], memory: Any, rng: random.Random) -> None:
        self._deal = deal
        self._rng = rng
        self.seat = seat
        self.legal = legal
        self.memory = memory  # is not on the wire: see `running_memory.py`

    deal_number = property(lambda self: self._deal.deal_number)
    hand = property(lambda self: self._deal.hand(self.seat))
    played = property(lambda self: self._deal.played)
    leaders = property(lambda self: self._deal.leaders)
    pass_offset = property(lambda self: self._deal.pass_offset)
    passed_cards = property(lambda self: self._deal.passed[self.seat])
    received_cards = property(lambda self: self._deal.received[self.seat])
    points = property(lambda self: self._deal.points)
    hearts_broken = property(lambda self: self._deal.hearts_broken)
    turn_seed = property(lambda self: self._rng.getrandbits(32))


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
    if hasattr(module, "Memory"):
        true_memory = module.Memory
        vars(module)["Memory"] = lambda turn: turn.memory or true_memory(turn)
    return module


@dataclass(frozen=True, slots=True)
class Bot:
    """A sample bot that takes a random legal decision now and then."""

    module: Any
    chance: float
    has_memory: bool

    @classmethod
    @cache
    def named(cls, name: str) -> "Bot":
        """A sample bot by its name, with `-N` behind it for N per cent of random decisions; `'` marks a copy."""
        base, _, per_cent = name.rstrip("'").partition("-")
        module = strategy(base)
        return cls(module, int(per_cent or 0) / 100, hasattr(module, "Memory"))

    def choose_pass(self, turn: Turn, rng: random.Random) -> Sequence[int]:
        """The cards that it gives away."""
        if self.chance and rng.random() < self.chance:
            return rng.sample(turn.legal, RULES.pass_count)
        return self.module.choose_pass(turn)  # type: ignore[no-any-return]

    def choose_card(self, turn: Turn, rng: random.Random) -> int:
        """The card that it plays."""
        if self.chance and rng.random() < self.chance:
            return rng.choice(turn.legal)
        return self.module.choose_card(turn)  # type: ignore[no-any-return]


@lru_cache(maxsize=64)
def _dealt(number: int) -> Dealt:
    return deal_cards(RULES, integer_seed(number))


@cache
def _values() -> list[int]:
    """Points of each card, as the bots know them."""
    strategy("counter")  # its neighbours are found from then on
    return sys.modules["memory"].values_of(RULES.name)  # type: ignore[no-any-return]


def play_deal(number: int, bots: Sequence[Bot], rng: random.Random) -> list[int]:
    """The scores of deal `number` (from 1), the same cards whoever plays it. Nobody is asked about a sole card."""
    dealt = _dealt(number)
    deal = Deal(RULES, deal_number=number, hands=dealt.hands, widow=dealt.widow)
    for seat in deal.seats_to_act() if deal.phase is Phase.PASS else ():
        turn = Turn(deal, seat, deal.legal(seat), None, rng)
        _check(deal.pass_cards(seat, bots[seat].choose_pass(turn, rng)))
    memory = RunningMemory(deal, _values()) if any(bot.has_memory for bot in bots) else None
    playing = Phase.PLAY
    while deal.phase is playing:
        seat = deal.turn_seat
        legal = deal.legal(seat)
        card = legal[0]
        if len(legal) > 1:
            turn = Turn(deal, seat, legal, memory and memory.seats[seat], rng)
            card = bots[seat].choose_card(turn, rng)
        _check(deal.play(seat, card))
        if memory is not None:
            memory.saw(seat, card)
    if deal.phase is Phase.MOON:
        _check(deal.choose_moon(deal.turn_seat, "add"))
    return deal.scores


def _check(breach: Breach | None) -> None:
    assert breach is None, breach


def chance_of(seed: int, number: int, index: int) -> random.Random:
    """The chance of board `index` of a deal, apart from its cards."""
    return random.Random(f"{seed}/{number}/{index}")


def play_boards(seatings: Sequence[Sequence[str]], deals: Iterable[int], *, seed: int) -> Observations:
    """Play each deal once at every seating."""
    boards: list[BoardResult] = []
    for number in deals:
        for index, names in enumerate(seatings):
            scores = play_deal(number, [Bot.named(name) for name in names], chance_of(seed, number, index))
            boards.append(board_result(number, index, len(boards), names, scores))
    return from_boards(boards)


def board_result(number: int, index: int, order: int, names: Sequence[str], scores: Sequence[int]) -> BoardResult:
    """One board as the store would give it."""
    return BoardResult(
        match_id=f"{number}-{index}",
        deal_id=f"deal-{number:06}",
        number=order,
        round_number=0,
        unit="board",
        rules=RULES.name,
        bots=tuple(names),
        points=tuple(map(float, scores)),
        places=tuple(1 + sum(other < own for other in scores) for own in scores),
        autopilot=(False,) * RULES.seats,
    )


def duel(a: str, b: str, deals: Iterable[int], *, seed: int) -> Observations:
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
