"""The rulebook against the naive referee: 20,000 deals here, more with HEARTS_ORACLE_SCALE (`make oracle`).

Every failure prints the rule set, the cards and the decisions, and the seed of its `Random`.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from referee.rules.breach import Breach
from referee.rules.ruleset import RulesError, RuleSet
from referee.rules.scoring import MatchScore
from tests.naive.match import NaiveMatch
from tests.naive.playable import is_playable
from tests.oracle.drive import Comparison
from tests.oracle.rule_sets import (
    FREE,
    PRESETS,
    RuleDict,
    pairs_of,
    pairwise_rows,
    playable_pairs,
    playable_structures,
    random_rules,
    rules_of,
    wild_rules,
)

SCALE = int(os.environ.get("HEARTS_ORACLE_SCALE", "1"))
PRESET_DEALS = 300 * SCALE
RANDOM_CHUNKS = 15
RANDOM_RULE_SETS = 120 * SCALE
DEALS_OF_A_RANDOM_RULE_SET = 5
PAIRWISE_DEALS = 8
FIRST_TRICKS = 3000
WILD_RULE_SETS = 400 * SCALE


def play_deals(rules: RuleDict, name: str, deals: int, rng: Random, where: str) -> Counter[str]:
    """Play deals in a row on both referees, and both keep the match; a new match begins when one is over."""
    fast_rules = RuleSet.from_dict(rules, name=name)
    seen: Counter[str] = Counter()
    ours, theirs, deal_number = MatchScore(fast_rules), NaiveMatch(rules), 0
    for count in range(deals):
        deal_number += 1
        comparison = Comparison(fast_rules, rules, deal_number, rng, f"{where}, its deal {count}")
        scores = comparison.run()
        seen += comparison.seen
        ours.add(scores)
        theirs.add(scores)
        comparison.same("totals", list(ours.totals), theirs.totals)
        comparison.same("match over", ours.is_over, theirs.places is not None)
        comparison.same("play-off", ours.in_playoff, bool(theirs.tied))
        if theirs.places is not None:
            comparison.same("places", list(ours.places), theirs.places)
            ours, theirs, deal_number = MatchScore(fast_rules), NaiveMatch(rules), 0
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_every_deal_of_a_preset_goes_as_the_page_says(name: str) -> None:
    seen = play_deals(PRESETS[name], name, PRESET_DEALS, Random(f"preset {name}"), f"seed 'preset {name}'")

    assert seen["CARD_NOT_HELD"]
    assert (seen["moon"] > 0) == (PRESETS[name]["moon"] != "none")


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(RANDOM_CHUNKS))
def test_every_deal_of_a_random_rule_set_goes_as_the_page_says(chunk: int) -> None:
    rng = Random(f"random {chunk}")
    structures = playable_structures()
    seen: Counter[str] = Counter()

    for n in range(RANDOM_RULE_SETS):
        where = f"seed 'random {chunk}', rule set {n}"
        seen += play_deals(random_rules(rng, structures), "random", DEALS_OF_A_RANDOM_RULE_SET, rng, where)

    # Everything that can be refused was refused, and everything rare was met: the agreement above is not empty.
    assert [breach.value for breach in Breach if not seen[breach.value]] == []
    assert seen["moon"]
    assert seen["moon choice"]
    assert seen["no winner"]


def test_wild_rule_sets_are_refused_or_go_as_the_page_says() -> None:
    rng = Random("wild rule sets")
    dealt = 0
    for n in range(WILD_RULE_SETS):
        rules = wild_rules(rng)
        if not is_playable(rules):
            with pytest.raises(RulesError):
                RuleSet.from_dict(rules, name="wild")
            continue
        dealt += 1
        play_deals(rules, "wild", 2, rng, f"seed 'wild rule sets', {n}")

    assert dealt > WILD_RULE_SETS / 5


def test_all_playable_pairs_of_values_are_dealt_and_go_as_the_page_says() -> None:
    rng = Random("pairs")
    rows = pairwise_rows(rng)

    for n, row in enumerate(rows):
        play_deals(rules_of(row), "pairwise", PAIRWISE_DEALS, rng, f"seed 'pairs', row {n}")

    assert set().union(*map(pairs_of, rows)) == playable_pairs(playable_structures())


def test_first_tricks_led_with_any_card_go_as_the_page_says() -> None:
    # R6.3, R6.4 and R8.4 meet in hands that are dealt too seldom: many first tricks, nothing else.
    rng = Random("first tricks")
    base = PRESETS["american"] | {"pass_cycle": [0], "first_lead": "left_of_dealer"}
    free = [
        "first_trick",
        "first_trick_exception",
        "hearts_must_break",
        "lead_exception",
        "queen_lead",
        "penalties",
    ]
    for n in range(FIRST_TRICKS):
        rules = base | {name: rng.choice(FREE[name]) for name in free}
        fast_rules = RuleSet.from_dict(rules, name="first trick")
        comparison = Comparison(fast_rules, rules, 1, rng, f"seed 'first tricks', {n}", shape="penalties")
        while not comparison.naive.winners:
            comparison.try_breach(comparison.naive.turn_seat)
            comparison.step()


def test_the_figures_of_the_promise_are_kept() -> None:
    deals = PRESET_DEALS * len(PRESETS) + RANDOM_CHUNKS * RANDOM_RULE_SETS * DEALS_OF_A_RANDOM_RULE_SET

    assert deals >= 19_500 * SCALE
    assert len(PRESETS) == 35
