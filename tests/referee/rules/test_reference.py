"""The reference player ends every deal of every rule set, and says the same of the same cards for ever."""

from __future__ import annotations

import pytest

from referee.rules.dealing import deal_cards, integer_seed
from referee.rules.presets import PRESETS, preset
from referee.rules.reference import reference_scores


def scores(name: str, number: int) -> list[int]:
    rules = preset(name)
    dealt = deal_cards(rules, integer_seed(number))
    return reference_scores(rules, number, (number - 1) % rules.seats, dealt.hands, dealt.widow)


@pytest.mark.parametrize("name", PRESETS)
def test_every_rule_set_can_be_played(name: str) -> None:
    for number in range(1, 9):
        assert len(scores(name, number)) == preset(name).seats


def test_the_same_cards_cost_the_same_in_every_version() -> None:
    assert [scores("american", number) for number in range(1, 6)] == [
        [1, 6, 15, 4],
        [0, 0, 22, 4],
        [0, 0, 8, 18],
        [4, 2, 14, 6],
        [4, 1, 21, 0],
    ]


def test_points_are_those_of_the_deal() -> None:
    assert {sum(scores("american", number)) for number in range(1, 101)} <= {26, 78}
