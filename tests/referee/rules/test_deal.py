from __future__ import annotations

import random

import pytest

from referee.rules.deal import NO_SEAT, Deal, Phase
from referee.rules.dealing import deal_cards, deal_seed, integer_seed
from referee.rules.presets import PRESETS, preset


def play_at_random(deal: Deal, rng: random.Random) -> None:
    for seat in deal.seats_to_act() if deal.phase is Phase.PASS else ():
        assert deal.pass_cards(seat, rng.sample(deal.legal(seat), deal.rules.pass_count)) is None
    while deal.phase is Phase.PLAY:
        assert deal.play(deal.turn_seat, rng.choice(deal.legal(deal.turn_seat))) is None
    if deal.phase is Phase.MOON:
        assert deal.choose_moon(deal.turn_seat, rng.choice(["add", "subtract"])) is None


@pytest.mark.parametrize("name", PRESETS)
def test_random_play_of_every_preset_accounts_for_every_card_and_point(name: str) -> None:
    rules = preset(name)
    for number in range(1, 21):
        dealt = deal_cards(rules, deal_seed(integer_seed(number), "", 0, 0, number))
        deal = Deal(rules, deal_number=number, hands=dealt.hands, widow=dealt.widow)
        play_at_random(deal, random.Random(number))
        assert deal.phase is Phase.DONE, number
        assert deal.turn_seat == NO_SEAT
        assert sorted([*deal.played, *dealt.widow]) == sorted(rules.pack), number
        assert sum(deal.points) == sum(rules.values[card] for card in rules.pack), number
        if deal.moon_seat is None:
            assert deal.scores == deal.points, number
