"""Turns as a bot is asked them, from deals of any rule set played by given strategies without a wire."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, cast

from hearts.v1.table_pb2 import TURN_KIND_MOON, TURN_KIND_PASS, TURN_KIND_PLAY, Decision, Turn
from referee.rules.breach import Breach
from referee.rules.deal import Deal, Phase
from referee.rules.dealing import deal_cards, deal_seed, integer_seed
from referee.rules.ruleset import RuleSet

PYTHON_BOTS = Path(__file__).parents[2] / "sample_bots/python"
SEED = integer_seed(7)
KINDS = {Phase.PASS: TURN_KIND_PASS, Phase.PLAY: TURN_KIND_PLAY, Phase.MOON: TURN_KIND_MOON}
CHOICES = {1: "add", 2: "subtract"}


class Strategy(Protocol):
    """What the wire loop asks of a bot's strategy.py."""

    choose_pass: Callable[[Turn], Sequence[int]]
    choose_card: Callable[[Turn], int]
    choose_moon: Callable[[Turn], int]


def strategy(name: str) -> Strategy:
    """Load the strategy of one of the Python bots."""
    if str(PYTHON_BOTS) not in sys.path:
        sys.path.append(str(PYTHON_BOTS))
    spec = importlib.util.spec_from_file_location(f"strategy_of_{name}", PYTHON_BOTS / name / "strategy.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast("Strategy", module)


def decide(strategy: Strategy, turn: Turn) -> Decision:
    """Return the strategy's decision, as the wire loop would send it."""
    decision = Decision(turn_id=turn.turn_id)
    if turn.kind == TURN_KIND_PASS:
        decision.cards.extend(strategy.choose_pass(turn))  # type: ignore[arg-type]  # cards are plain numbers there
    elif turn.kind == TURN_KIND_PLAY:
        decision.cards.append(strategy.choose_card(turn))  # type: ignore[arg-type]
    else:
        decision.moon_choice = strategy.choose_moon(turn)  # type: ignore[assignment]
    return decision


def played_deal(
    rules: RuleSet, strategies: Sequence[Strategy], board_set: int, deal_number: int = 1
) -> tuple[Deal, list[tuple[Turn, Decision]]]:
    """Play one deal with a strategy at each seat; return it with every turn asked and its decision.

    Totals before the deal are drawn at random, so that the choice after a moon meets every situation.
    """
    dealt = deal_cards(rules, deal_seed(SEED, "", board_set, 0, deal_number))
    deal = Deal(rules, deal_number=deal_number, hands=dealt.hands, widow=dealt.widow)
    totals = [random.Random(f"{board_set}/{seat}").randrange(rules.target) for seat in range(rules.seats)]
    asked: list[tuple[Turn, Decision]] = []
    while deal.phase is not Phase.DONE:
        for seat in deal.seats_to_act():
            turn = turn_of(deal, seat, totals, board_set, len(asked) + 1)
            decision = decide(strategies[seat], turn)
            breach = apply(deal, seat, decision)
            assert breach is None, f"{breach} by {strategies[seat]} in {rules.name}, board set {board_set}: {turn}"
            asked.append((turn, decision))
    return deal, asked


def turn_of(deal: Deal, seat: int, totals: Sequence[int], board_set: int, turn_id: int) -> Turn:
    """Return what the referee asks a seat now."""
    moon = deal.phase is Phase.MOON
    return Turn(
        turn_id=turn_id,
        match_id=1,
        kind=KINDS[deal.phase],
        rules_name=deal.rules.name,
        target=deal.rules.target,
        seat=seat,
        seats=deal.rules.seats,
        deal_number=deal.deal_number,
        hand=deal.hands[seat],  # type: ignore[arg-type]  # the rulebook's cards are plain numbers
        legal=[] if moon else deal.legal(seat),  # type: ignore[arg-type]
        played=deal.played,  # type: ignore[arg-type]
        leaders=deal.leaders,
        pass_offset=deal.pass_offset,
        passed_cards=deal.passed[seat],  # type: ignore[arg-type]
        received_cards=deal.received[seat],  # type: ignore[arg-type]
        scores=totals,
        points=deal.points,
        hearts_broken=deal.hearts_broken,
        turn_seed=random.Random(f"{board_set}/{turn_id}").getrandbits(32),
        pass_count=deal.rules.pass_count,
    )


def apply(deal: Deal, seat: int, decision: Decision) -> Breach | None:
    """Put a decision to the deal."""
    if deal.phase is Phase.PASS:
        return deal.pass_cards(seat, list(decision.cards))
    if deal.phase is Phase.PLAY:
        return deal.play(seat, decision.cards[0])
    return deal.choose_moon(seat, CHOICES[decision.moon_choice])


def every_turn(rules: RuleSet, names: Sequence[str], board_sets: range) -> Iterator[tuple[Turn, Decision]]:
    """Turns of whole pass cycles, the named bots sitting in turn at every seat."""
    strategies = [strategy(name) for name in names]
    for board_set in board_sets:
        seated = [strategies[(seat + board_set) % len(names)] for seat in range(rules.seats)]
        deal_number = 1 + board_set % rules.cycle_length
        yield from played_deal(rules, seated, board_set, deal_number)[1]
