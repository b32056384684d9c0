"""Which rule sets are refused: the rulebook against R17 of the page."""

from __future__ import annotations

import itertools
from random import Random

from referee.rules.ruleset import RulesError, RuleSet
from tests.naive.cards import deal_total_of, pack_of
from tests.naive.playable import is_playable
from tests.oracle.rule_sets import FREE, PRESETS, STRUCTURE, RuleDict


def is_accepted(rules: RuleDict) -> bool:
    try:
        RuleSet.from_dict(rules, name="tried")
    except RulesError as error:
        if error.key.split(".")[0] not in rules:
            raise  # it has to name the parameter
        return False
    return True


def test_exactly_the_playable_structures_are_accepted() -> None:
    american = PRESETS["american"]
    combinations = list(itertools.product(*STRUCTURE.values()))
    for values in Random("structures").sample(combinations, 3000):
        rules = american | dict(zip(STRUCTURE, values, strict=True))

        assert is_accepted(rules) == is_playable(rules), rules


def test_exactly_the_playable_values_are_accepted() -> None:
    american = PRESETS["american"]
    wild: RuleDict = {
        "removed": [["2C", "2C"], ["2H", "3H", "4H", "5H"]],
        "pass_cycle": [[], [4], [-4], [3, -3]],
        "pass_count": [-1, 0, 13, 14],
        "penalties": [{}, {"QS": 0}, {"QS": -1}, {"5H": 3}, {"JD": 4, "QS": 1}],
        "bonuses": [{}, {"JD": -1}, {"JD": 0}, {"JD": 2}, {"QS": -13}, {"5H": -3}],
        "moon_points": ["deal_total", 0, 1, -1],
        "target": [0, 1, -5],
        "score_floor": [None, 0, 1, -1],
        "max_deals": [None, 0, 1],
    }
    rng = Random("wild values")
    accepted = 0
    for _ in range(3000):
        changed = {key: rng.choice(wild[key]) for key in rng.sample(sorted(wild), rng.randint(1, 3))}
        rules = american | changed
        accepted += is_playable(rules)

        assert is_accepted(rules) == is_playable(rules), changed
    assert 300 < accepted < 2700


def test_the_pack_and_the_deal_total_are_the_same() -> None:
    rng = Random("packs")
    for name, preset in PRESETS.items():
        ours = RuleSet.from_dict(preset, name=name)
        size = len(pack_of(preset)) // preset["seats"]

        assert sorted(ours.pack) == sorted(
            13 * "CDHS".index(c[1]) + "23456789TJQKA".index(c[0]) + 1 for c in pack_of(preset)
        )
        assert (ours.deal_total, ours.hand_size) == (deal_total_of(preset), size), name
        for parameter in rng.sample(list(FREE), 3):
            value = rng.choice(FREE[parameter])
            assert RuleSet.from_dict({parameter: value}, base=ours).to_dict() == (
                ours.to_dict() | {parameter: value}
            )
