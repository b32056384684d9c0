"""Both referees under one Hypothesis state machine: any decision by any seat at any time.

After each step they must agree on everything that can be seen; after a breach the fast one, private state included,
must be exactly what it was.
"""

from __future__ import annotations

import pickle
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from referee.rules.deal import Deal
from referee.rules.ruleset import RuleSet
from tests.naive.cards import CARDS
from tests.oracle.drive import Comparison, numbers
from tests.oracle.rule_sets import RuleDict
from tests.oracle.strategies import generators, rule_sets

SEATS = st.integers(0, 10)
ANY_CARDS = st.sampled_from([*CARDS, "no card"])


def everything_in(deal: Deal) -> bytes:
    """The whole state, the private part too."""
    return pickle.dumps(deal)


class TwoReferees(RuleBasedStateMachine):
    """One deal after another on both referees."""

    both: Comparison

    @initialize(rules=rule_sets(), rng=generators(), deal_number=st.integers(1, 12))
    def begin(self, rules: RuleDict, rng: Random, deal_number: int) -> None:
        fast_rules = RuleSet.from_dict(rules, name="drawn")
        self.both = Comparison(fast_rules, rules, deal_number, rng, f"deal {deal_number}")

    def under_way(self) -> bool:
        return self.both.naive.phase != "done"

    @precondition(under_way)
    @rule(steps=st.integers(1, 40))
    def decide_legally(self, steps: int) -> None:
        for _ in range(steps):
            if self.under_way():
                self.both.step()

    @rule(seat=SEATS, cards=st.lists(ANY_CARDS, max_size=8))
    def pass_anything(self, seat: int, cards: list[str]) -> None:
        self.attempt("pass", seat, cards)

    @rule(seat=SEATS, card=ANY_CARDS)
    def play_anything(self, seat: int, card: str) -> None:
        self.attempt("play", seat, [card])

    @precondition(lambda self: self.both.naive.phase == "play")
    @rule(data=st.data())
    def play_any_card_of_the_hand(self, data: st.DataObject) -> None:
        seat = self.both.naive.turn_seat
        self.attempt("play", seat, [data.draw(st.sampled_from(self.both.naive.hands[seat]))])

    @rule(seat=SEATS, choice=st.sampled_from(["add", "subtract", "both", ""]))
    def choose_anything(self, seat: int, choice: str) -> None:
        self.attempt("moon", seat, [choice])

    def attempt(self, kind: str, seat: int, answer: list[str]) -> None:
        """Decide on both; if it was a breach, nothing has changed."""
        before = everything_in(self.both.fast)
        breach = self.both.decide(kind, seat, answer)
        if breach is not None:
            assert everything_in(self.both.fast) == before, f"{breach} changed the deal"

    @invariant()
    def they_agree(self) -> None:
        if not hasattr(self, "both"):
            return
        both, naive, fast = self.both, self.both.naive, self.both.fast
        both.same("phase", fast.phase.value, naive.phase)
        both.same("seats to act", list(fast.seats_to_act()), naive.seats_to_act())
        both.same("hands", [list(hand) for hand in fast.hands], [numbers(hand) for hand in naive.hands])
        both.same("hearts broken", fast.hearts_broken, naive.broken)
        both.same("points", list(fast.points), naive.points())
        if naive.phase == "done":
            both.compare_end()


TestTwoReferees = TwoReferees.TestCase
TestTwoReferees.settings = settings(
    max_examples=120,
    stateful_step_count=40,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
