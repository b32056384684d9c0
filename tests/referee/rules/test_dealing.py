from __future__ import annotations

import pytest

from referee.rules.dealing import deal_cards, deal_seed, integer_seed
from referee.rules.presets import PRESETS, preset


@pytest.mark.parametrize("name", PRESETS)
def test_every_card_is_dealt_once(name: str) -> None:
    rules = preset(name)
    dealt = deal_cards(rules, deal_seed(integer_seed(7), "", 3, 0, 1))
    assert sorted(sum(dealt.hands, dealt.widow)) == sorted(rules.pack)
    assert [len(hand) for hand in dealt.hands] == [rules.hand_size] * rules.seats
    assert len(dealt.widow) == rules.widow_size


def test_attempts_salts_and_deals_have_their_own_cards() -> None:
    seed = integer_seed(7)
    seeds = {
        deal_seed(seed, salt, board_set, attempt, deal)
        for salt in ("", "x")
        for board_set in (0, 1)
        for attempt in (0, 1)
        for deal in (1, 2)
    }
    assert len(seeds) == 16


def test_a_number_that_does_not_fit_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="attempt = -1"):
        deal_seed(integer_seed(7), "", 0, -1, 1)
