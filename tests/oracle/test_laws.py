"""Laws that hold under every rule set, whoever plays."""

from __future__ import annotations

from itertools import chain
from random import Random

from hypothesis import given, settings

from referee.rules.deal import Deal, Phase
from referee.rules.ruleset import RuleSet
from tests.naive.cards import pack_of, values_of
from tests.oracle.drive import numbers, shuffled_hands
from tests.oracle.rule_sets import RuleDict
from tests.oracle.strategies import generators, rule_sets

EXAMPLES = 400


def begin(rules: RuleDict, rng: Random) -> tuple[Deal, list[int]]:
    hands, widow = shuffled_hands(rules, rng)
    fast_rules = RuleSet.from_dict(rules, name="drawn")
    deal = Deal(
        fast_rules, deal_number=rng.randint(1, 9), hands=[numbers(hand) for hand in hands], widow=numbers(widow)
    )
    return deal, numbers(widow)


def decide(deal: Deal, rng: Random) -> None:
    seat = rng.choice(deal.seats_to_act())
    if deal.phase is Phase.PASS:
        assert deal.pass_cards(seat, rng.sample(deal.hands[seat], deal.rules.pass_count)) is None
    elif deal.phase is Phase.PLAY:
        assert deal.play(seat, rng.choice(deal.legal(seat))) is None
    else:
        assert deal.choose_moon(seat, rng.choice(["add", "subtract"])) is None


@settings(max_examples=EXAMPLES, deadline=None, print_blob=True)
@given(rules=rule_sets(), rng=generators())
def test_every_card_is_accounted_for_at_every_moment(rules: RuleDict, rng: Random) -> None:
    deal, widow = begin(rules, rng)
    pack = sorted(deal.rules.pack)
    while deal.phase is not Phase.DONE:
        decide(deal, rng)

        assert sorted(chain(*deal.hands, deal.played, widow)) == pack


@settings(max_examples=EXAMPLES, deadline=None, print_blob=True)
@given(rules=rule_sets(), rng=generators())
def test_a_seat_that_is_asked_has_something_legal_that_it_holds(rules: RuleDict, rng: Random) -> None:
    deal, _ = begin(rules, rng)
    while deal.phase is not Phase.DONE:
        if deal.phase is not Phase.MOON:
            for seat in deal.seats_to_act():
                legal = deal.legal(seat)
                assert legal
                assert legal == sorted(legal)
                assert set(legal) <= set(deal.hands[seat])
        decide(deal, rng)


@settings(max_examples=EXAMPLES, deadline=None, print_blob=True)
@given(rules=rule_sets(), rng=generators())
def test_points_sum_to_the_deals_total_and_scores_to_that_or_the_moons(rules: RuleDict, rng: Random) -> None:
    deal, _ = begin(rules, rng)
    values = values_of(rules)
    penalty = sum(max(values[card], 0) for card in pack_of(rules))
    bonus = sum(min(values[card], 0) for card in pack_of(rules))
    while deal.phase is not Phase.DONE:
        decide(deal, rng)

    if deal.winners[-1] is None:  # `void`: what lies on the table is nobody's
        assert rules["last_trick_cancelled"] == "void"
        assert sum(deal.points) - bonus >= 0
        assert sum(deal.points) <= penalty
    else:
        assert sum(deal.points) == penalty + bonus
        if deal.moon_seat is None:
            assert deal.scores == deal.points
        else:
            amount = penalty if rules["moon_points"] == "deal_total" else rules["moon_points"]
            moon = {amount * (rules["seats"] - 1) + bonus, bonus - amount}
            assert sum(deal.scores) in moon
            assert rules["moon"] != "none"


@settings(max_examples=EXAMPLES, deadline=None, print_blob=True)
@given(rules=rule_sets(), rng=generators())
def test_a_revoke_costs_the_deals_total_whenever_it_happens(rules: RuleDict, rng: Random) -> None:
    deal, _ = begin(rules, rng)
    for _ in range(rng.randrange(len(deal.rules.pack))):
        if deal.seats_to_act():
            decide(deal, rng)
    if deal.seats_to_act():
        offender = rng.randrange(rules["seats"])
        deal.revoke(offender)

        assert deal.phase is Phase.DONE
        assert deal.scores == [deal.rules.deal_total if seat == offender else 0 for seat in range(rules["seats"])]
        assert deal.moon_seat is None
        assert deal.seats_to_act() == ()
