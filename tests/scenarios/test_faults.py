"""Faults that other programs really had, each with the ruling that is right here. Numbers are the rulebook's."""

from __future__ import annotations

import pytest

from referee.rules.breach import Breach
from referee.rules.cards import QUEEN_OF_SPADES, Card, is_heart, parse_card, parse_cards
from referee.rules.deal import Deal, Phase
from referee.rules.dealing import deal_cards, deal_seed, integer_seed
from referee.rules.presets import preset
from referee.rules.ruleset import RuleSet

C = parse_card


def deal_of(*hands: str, deal_number: int = 4, **changes: object) -> Deal:
    """A deal of just these cards, without a pass unless it is asked for."""
    cards = [parse_cards(hand.split()) for hand in hands]
    removed = [text for text in _texts() if parse_card(text) not in sum(cards, ())]
    base = preset("american")
    rules = RuleSet.from_dict({"removed": removed, "pass_count": 0, **changes}, base=base)
    return Deal(rules, deal_number=deal_number, hands=cards)


def _texts() -> list[str]:
    return [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def full_deal(number: int) -> Deal:
    rules = preset("american")
    return Deal(rules, deal_number=number, hands=deal_cards(rules, deal_seed(integer_seed(9), "", 0, 0, 1)).hands)


def play_all(deal: Deal, cards: str) -> None:
    for text in cards.split():
        assert deal.play(deal.turn_seat, C(text)) is None, text


def state(deal: Deal) -> object:
    return (
        deal.phase,
        deal.hands,
        deal.passed,
        deal.received,
        deal.turn_seat,
        deal.played[:],
        deal.leaders[:],
        deal.winners[:],
        deal.hearts_broken,
        deal.points[:],
        deal.scores[:],
        [deal.legal(seat) for seat in range(deal.rules.seats)],
    )


@pytest.mark.parametrize("card", ["5H", "QS"])
def test_1_no_heart_and_no_queen_is_discarded_on_the_first_trick(card: str) -> None:
    deal = deal_of("2C 9C", f"{card} 7D", "4C 5C", "6C 7C")
    play_all(deal, "2C")
    assert deal.play(1, C(card)) is Breach.NO_POINTS_ON_FIRST_TRICK
    assert deal.legal(1) == [C("7D")]


def test_2_the_pass_goes_left_right_across_hold() -> None:
    assert [full_deal(number).pass_offset for number in range(1, 9)] == [1, -1, 2, 0, 1, -1, 2, 0]


def test_3_sixteen_points_are_no_moon() -> None:
    deal = full_deal(4)
    deal._takings.take(0, parse_cards(["2H", "3H", "4H", "QS"]))
    deal._takings.take(1, [card for card in deal.rules.pack if is_heart(card) and card > C("4H")])
    deal._score()
    assert deal.moon_seat is None
    assert deal.scores == [16, 10, 0, 0]


def test_4_fewer_than_three_cards_are_not_passed() -> None:
    deal = full_deal(1)
    before = state(deal)
    assert deal.pass_cards(0, deal.hands[0][:2]) is Breach.PASS_WRONG_COUNT
    assert state(deal) == before


def test_5_in_a_hold_the_holder_of_the_two_of_clubs_leads_it_and_nobody_else_anything() -> None:
    deal = deal_of("5D 3H", "2C 3D", "4C 5C", "6C 7C")
    assert deal.turn_seat == 1
    assert deal.play(0, C("3H")) is Breach.NOT_YOUR_TURN
    assert deal.legal(1) == [C("2C")]
    play_all(deal, "2C 4C 6C 5D")
    assert deal.turn_seat == 3
    assert deal.play(3, C("7C")) is None


def test_9_a_card_of_a_suit_that_is_not_held_is_refused_and_the_turn_stands() -> None:
    deal = deal_of("2C 9C", "5H 7D", "4C 5C", "6C 7C")
    play_all(deal, "2C")
    before = state(deal)
    assert deal.play(1, C("AS")) is Breach.CARD_NOT_HELD
    assert state(deal) == before


def test_10_once_a_heart_is_played_later_leaders_have_hearts_in_their_legal_set() -> None:
    deal = deal_of("2C 3D KH", "3C 4D 6H", "4C 7H 5D", "AC 2D 9H", moon="none")
    play_all(deal, "2C 3C 4C AC")
    assert C("9H") not in deal.legal(3)
    play_all(deal, "2D 3D 4D 5D")
    assert not deal.hearts_broken
    deal = deal_of("2C 3D KH", "3C 4D 6H", "4C 7H 8H", "AC 2D 9H", moon="none")
    play_all(deal, "2C 3C 4C AC 2D 3D 4D 7H")
    assert deal.legal(1) == [C("6H")]


def test_12_one_card_named_three_times_is_no_pass() -> None:
    deal = full_deal(1)
    before = state(deal)
    card = deal.hands[2][0]
    assert deal.pass_cards(2, [card, card, card]) is Breach.PASS_CARD_REPEATED
    assert state(deal) == before


def test_13_only_the_lead_of_hearts_waits_a_void_follower_discards_them() -> None:
    deal = deal_of("2C 3D 4S", "3C 6H 5S", "4C 7D 8D", "AC 2D 9H", moon="none")
    play_all(deal, "2C 3C 4C AC")
    assert deal.legal(3) == [C("2D")]
    play_all(deal, "2D 3D")
    assert not deal.hearts_broken
    assert deal.legal(1) == [C("6H"), C("5S")]


def test_16_a_lone_queen_is_led_to_the_last_trick() -> None:
    deal = deal_of("2C 2D", "3C 4D", "4C 6D", "AC QS")
    play_all(deal, "2C 3C 4C AC")
    assert deal.legal(3) == [QUEEN_OF_SPADES]
    assert deal.play(3, QUEEN_OF_SPADES) is None


def test_18_a_seat_with_thirteen_hearts_may_play_any_of_them() -> None:
    rules = preset("american")
    hearts = [card for card in rules.pack if is_heart(card)]
    rest = [card for card in rules.pack if not is_heart(card)]
    deal = Deal(rules, deal_number=4, hands=[rest[:13], hearts, rest[13:26], rest[26:]])
    play_all(deal, "2C")
    assert deal.legal(1) == hearts


def test_20_the_winner_is_counted_from_the_leader() -> None:
    deal = deal_of("5C 2H", "6C 3H", "2C 4H", "AC 5H")
    play_all(deal, "2C AC 5C 6C")
    assert deal.leaders == [2, 3]
    assert deal.winners == [3]


@pytest.mark.parametrize(("taker", "scores"), [(0, [-10, 26, 26, 26]), (1, [0, 16, 26, 26])])
def test_22_only_the_taker_of_the_jack_scores_its_bonus(taker: int, scores: list[int]) -> None:
    rules = preset("omnibus")
    hands = deal_cards(rules, deal_seed(integer_seed(9), "", 0, 0, 1)).hands
    deal = Deal(rules, deal_number=4, hands=hands)
    deal._takings.take(0, [card for card in rules.pack if is_heart(card) or card == QUEEN_OF_SPADES])
    deal._takings.take(taker, [C("JD")])
    deal._score()
    assert deal.scores == scores


def held_or_received(deal: Deal, seat: int) -> set[Card]:
    return {*deal.hands[seat], *deal.received[seat]}


def test_nothing_of_the_passes_is_known_before_all_have_passed() -> None:  # cases 9 and 10
    deal = full_deal(1)
    gift = deal.hands[0][:3]
    assert deal.pass_cards(0, gift) is None
    assert deal.received == [()] * 4
    assert not held_or_received(deal, 1) & set(gift)
    assert deal.pass_cards(1, gift) is Breach.CARD_NOT_HELD
    for seat in (3, 2, 1):
        assert deal.phase is Phase.PASS
        assert deal.pass_cards(seat, deal.hands[seat][:3]) is None
    assert deal.received[1] == tuple(gift)
    assert set(gift) <= set(deal.hands[1])


def test_the_two_of_clubs_is_led_by_whom_it_was_passed_to() -> None:  # case 19
    deal = full_deal(1)
    giver = next(seat for seat in range(4) if C("2C") in deal.hands[seat])
    for seat in range(4):
        gift = [C("2C"), *deal.hands[seat][-2:]] if seat == giver else deal.hands[seat][-3:]
        assert deal.pass_cards(seat, gift) is None
    assert deal.turn_seat == (giver + 1) % 4
    assert deal.legal(deal.turn_seat) == [C("2C")]


def test_a_second_pass_of_a_seat_changes_nothing() -> None:  # case 120
    deal = full_deal(1)
    assert deal.pass_cards(0, deal.hands[0][:3]) is None
    before = state(deal)
    assert deal.pass_cards(0, deal.hands[0][3:6]) is Breach.NOT_YOUR_TURN
    assert deal.play(0, deal.hands[0][0]) is Breach.WRONG_KIND
    assert deal.choose_moon(0, "add") is Breach.WRONG_KIND
    assert deal.legal(0) == []
    assert state(deal) == before


def test_a_third_copy_of_a_card_cannot_be_dealt() -> None:  # case 118
    rules = preset("cancellation-8")
    hands = [list(hand) for hand in deal_cards(rules, integer_seed(1)).hands]
    hands[0][0] = hands[1][0]
    with pytest.raises(ValueError, match="more often than the pack holds it"):
        Deal(rules, deal_number=1, hands=hands)


def test_a_revoke_charges_the_whole_deal_and_ends_it() -> None:
    deal = full_deal(4)
    deal.revoke(2)
    assert deal.phase is Phase.DONE
    assert deal.scores == [0, 0, 26, 0]
    assert deal.seats_to_act() == ()
    with pytest.raises(ValueError, match="is over"):
        deal.revoke(2)
