from __future__ import annotations

import random
from typing import Any

import pytest

from referee.rules.cards import cards_text
from referee.rules.deal import Deal, Phase
from referee.rules.dealing import Dealt, deal_cards, deal_seed, integer_seed
from referee.rules.judge import judge, malformed
from referee.rules.presets import PRESETS, preset

KEYS = [
    "id",
    "pass_offset",
    "leader",
    "legal",
    "winners",
    "hearts_broken",
    "points",
    "moon_seat",
    "scores",
    "complete",
    "error",
]


def dealt(name: str, number: int = 1) -> Dealt:
    return deal_cards(preset(name), deal_seed(integer_seed(5), "", 0, 0, number))


def request_of(name: str, number: int = 1, **more: Any) -> dict[str, Any]:
    cards = dealt(name, number)
    return {
        "id": f"{name}-{number}",
        "rules": name,
        "deal_number": number,
        "hands": [cards_text(hand) for hand in cards.hands],
        "widow": cards_text(cards.widow),
        **more,
    }


@pytest.mark.parametrize("name", PRESETS)
def test_a_whole_deal_is_answered_as_the_deal_itself_goes(name: str) -> None:
    rng = random.Random(name)
    cards = dealt(name)
    deal = Deal(preset(name), deal_number=1, hands=cards.hands, widow=cards.widow)
    request = request_of(name)
    if deal.phase is Phase.PASS:
        passes = [rng.sample(deal.legal(seat), deal.rules.pass_count) for seat in deal.seats_to_act()]
        for seat, gift in enumerate(passes):
            assert deal.pass_cards(seat, gift) is None
        request["passes"] = [cards_text(gift) for gift in passes]
    legal = []
    while deal.phase is Phase.PLAY:
        legal.append(cards_text(deal.legal(deal.turn_seat)))
        assert deal.play(deal.turn_seat, rng.choice(deal.legal(deal.turn_seat))) is None
    request["plays"] = cards_text(deal.played)
    answer = judge(request)
    assert list(answer) == KEYS
    assert answer == {
        "id": request["id"],
        "pass_offset": deal.pass_offset,
        "leader": deal.leaders[0],
        "legal": legal,
        "winners": deal.winners,
        "hearts_broken": deal.hearts_broken,
        "points": deal.points,
        "moon_seat": None,
        "scores": deal.scores,
        "complete": True,
        "error": None,
    }


def test_before_anyone_has_passed_there_is_no_leader_and_nothing_to_play() -> None:
    answer = judge(request_of("american"))
    assert (answer["pass_offset"], answer["leader"], answer["legal"], answer["complete"]) == (1, None, [], False)
    assert answer["error"] is None


def test_a_hold_starts_with_the_legal_cards_of_the_leader() -> None:
    answer = judge(request_of("american", 4))
    assert answer["legal"] == [["2C"]]
    assert (answer["pass_offset"], answer["error"], answer["scores"]) == (0, None, None)


def test_what_precedes_the_first_error_is_answered_and_the_error_says_where() -> None:
    request = request_of("american", 4)
    leader = judge(request)["leader"]
    second = (leader + 1) % 4
    not_held = request["hands"][leader][-1]
    answer = judge({**request, "plays": ["2C", not_held, "3C"]})
    assert len(answer["legal"]) == 2
    error = answer["error"]
    assert (error["at"], error["index"], error["seat"], error["card"]) == ("play", 1, second, not_held)
    assert error["breach"] == "CARD_NOT_HELD"
    assert "; legal: " in error["message"]
    assert not answer["complete"]


@pytest.mark.parametrize(
    ("changes", "at", "message"),
    [
        ({"rules": "amercan"}, "rules", "did you mean american?"),
        ({"rules": None}, "rules", "name of a preset or a table"),
        ({"rules": {"seats": 9}}, "rules", "3 to 7"),
        ({"hands": None}, "hands", "give a list for each seat"),
        ({"hands": []}, "hands", "0 hands were given for 4 seats"),
        ({"hands": [["2C"], ["3C"], ["4C"], ["5C"]]}, "hands", "seat 0 holds 1 cards, it is dealt 13"),
        ({"hands": ["2C", "3C", "4C", "5C"]}, "hands", "give a list of cards"),
        ({"hands": [[7], [], [], []]}, "hands", "is no card"),
        ({"widow": ["QS"]}, "hands", "QS is dealt more often"),
        ({"widow": "QS"}, "hands", "give a list of cards"),
        ({"deal_number": 0}, "hands", "counted from 1"),
        ({"deal_number": True}, "hands", "give a whole number"),
        ({"deal_number": "4"}, "hands", "give a whole number"),
        ({"dealer": 4}, "hands", "a seat from 0 to 3"),
        ({"passes": "QS"}, "pass", "give one list for each seat"),
        ({"passes": [["QS"], [], [], []]}, "pass", "hold"),
        ({"plays": "QS"}, "play", "give a list of cards in order"),
        ({"hands": [[None], [], [], []]}, "hands", "null is no card: "),
        ({"hands": [[["2C"]], [], [], []]}, "hands", '["2C"] is no card: '),
        ({"hands": [[], [], 7, []]}, "hands", "hands[2] = 7 is not allowed: give a list of cards"),
        ({"widow": {}}, "hands", "widow = {} is not allowed: give a list of cards"),
        ({"plays": ["ZZ"]}, "play", '"ZZ" is no card: write a rank of'),
        ({"plays": [1]}, "play", "1 is no card: "),
        ({"plays": [{}]}, "play", "{} is no card: "),
        ({"plays": [None]}, "play", "such as QS or TD; legal: 2C."),
        ({"plays": [["2C"]]}, "play", '["2C"] is no card: '),
    ],
)
def test_a_wrong_request_is_answered_with_where_and_why(changes: dict[str, Any], at: str, message: str) -> None:
    answer = judge({**request_of("american", 4), **changes})
    assert list(answer) == KEYS
    assert answer["error"]["at"] == at
    assert message in answer["error"]["message"]


@pytest.mark.parametrize("card", ["ZZ", 1, None, {}])
def test_a_play_that_is_no_card_breaks_the_rule_that_a_bot_breaks_by_it(card: object) -> None:
    error = judge({**request_of("american", 4), "plays": [card]})["error"]
    assert (error["index"], error["card"], error["breach"]) == (0, card, "CARD_NOT_HELD")


def test_cards_missing_from_the_hands_are_named() -> None:
    request = request_of("american", 4)
    request["hands"][0][0] = request["hands"][1][0]
    assert "is dealt more often than the pack holds it" in judge(request)["error"]["message"]


@pytest.mark.parametrize(
    ("gift", "breach"),
    [(["2C"], "PASS_WRONG_COUNT"), (["1H", "2C", "3C"], "CARD_NOT_HELD"), ([], "PASS_WRONG_COUNT")],
)
def test_a_wrong_pass_names_the_seat_and_the_breach(gift: list[str], breach: str) -> None:
    request = request_of("american")
    passes = [hand[:3] for hand in request["hands"]]
    passes[2] = gift
    error = judge({**request, "passes": passes})["error"]
    assert (error["at"], error["index"], error["seat"], error["card"], error["breach"]) == (
        "pass",
        2,
        2,
        gift,
        breach,
    )


def test_a_card_passed_three_times_is_repeated() -> None:
    request = request_of("american")
    passes = [hand[:3] for hand in request["hands"]]
    passes[0] = [request["hands"][0][0]] * 3
    assert judge({**request, "passes": passes})["error"]["breach"] == "PASS_CARD_REPEATED"


def test_passes_for_too_few_seats_and_plays_before_the_pass_are_errors() -> None:
    request = request_of("american")
    assert "3 passes were given for 4 seats" in judge({**request, "passes": [["2C"]] * 3})["error"]["message"]
    assert judge({**request, "plays": ["2C"]})["error"]["at"] == "pass"


MOON: dict[str, Any] = {
    "rules": {
        "base": "spruce",
        "pass_count": 0,
        "removed": [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"],
    },
    "hands": [["2C", "5C"], ["3C", "QH"], ["4C", "QS"], ["AC", "6C"]],
    "plays": ["2C", "3C", "4C", "AC", "6C", "5C", "QH", "QS"],
}
for card in MOON["plays"]:
    MOON["rules"]["removed"].remove(card)


@pytest.mark.parametrize(
    ("choice", "scores"), [(None, [14, 14, 14, 0]), ("add", [14, 14, 14, 0]), ("subtract", [0, 0, 0, -14])]
)
def test_a_moon_is_scored_as_chosen_or_by_default(choice: str | None, scores: list[int]) -> None:
    answer = judge({**MOON, "moon_choice": choice})
    assert answer["error"] is None
    assert (answer["moon_seat"], answer["scores"], answer["complete"]) == (3, scores, True)


@pytest.mark.parametrize("choice", ["both", 7, ["add"]])
def test_an_unknown_choice_leaves_the_deal_unscored(choice: object) -> None:
    answer = judge({**MOON, "moon_choice": choice})
    assert answer["error"]["breach"] == "MOON_CHOICE_UNKNOWN"
    assert answer["error"]["seat"] == 3
    assert (answer["scores"], answer["complete"], answer["moon_seat"]) == (None, False, 3)


def test_a_play_after_the_end_is_of_the_wrong_kind() -> None:
    answer = judge({**MOON, "moon_choice": "add", "plays": [*MOON["plays"], "2C"]})
    assert answer["error"]["breach"] == "WRONG_KIND"
    assert answer["error"]["seat"] in (3, None)


def test_what_is_no_request_gets_an_answer_of_the_same_shape() -> None:
    assert list(malformed("why")) == KEYS
    assert malformed("why")["error"]["message"] == "why"
