"""The Python strategies: legal under every rule set, pure, and as strong as they should be."""

import pytest

from hearts.v1.table_pb2 import TURN_KIND_PLAY, Turn
from referee.rules.cards import CARDS, parse_cards
from referee.rules.deal import Deal, Phase
from referee.rules.presets import PRESETS, preset, with_settings
from tests.sample_bots.positions import apply, decide, every_turn, played_deal, strategy, turn_of

NAMES = ("random", "low", "duck", "counter", "moon")


@pytest.mark.parametrize("name", PRESETS)
def test_every_bot_plays_by_every_rule_set(name: str) -> None:
    rules = preset(name)

    for turn, decision in every_turn(rules, NAMES, range(2)):
        assert set(decision.cards) <= set(turn.legal)


@pytest.mark.parametrize("pass_count", [0, 1, 7, 13])
def test_every_bot_passes_as_many_cards_as_the_turn_says(pass_count: int) -> None:
    rules = with_settings(preset("american"), [f"pass_count={pass_count}"])

    sizes = {len(d.cards) for turn, d in every_turn(rules, NAMES, range(1)) if turn.kind == 1}

    assert sizes == ({pass_count} if pass_count else set())


@pytest.mark.parametrize("name", NAMES)
def test_a_strategy_remembers_nothing(name: str) -> None:
    asked = list(every_turn(preset("spruce"), [name], range(3)))

    forgetful = strategy(name)  # loaded anew, and asked in the opposite order
    assert [decide(forgetful, turn) for turn, _ in reversed(asked)] == [d for _, d in reversed(asked)]


@pytest.mark.parametrize(
    ("better", "worse"), [("low", "random"), ("duck", "low"), ("counter", "duck"), ("moon", "duck")]
)
def test_the_ladder_of_strength_holds(better: str, worse: str) -> None:
    rules, deals = preset("american"), 60
    sides = [strategy(better), strategy(worse)]
    balance = 0
    for board_set in range(deals):
        for first in range(2):  # the same cards, sides changed
            seated = [sides[(seat + first) % 2] for seat in range(4)]
            scores = played_deal(rules, seated, board_set, 1 + board_set % 4)[0].scores
            balance += sum(scores[seat] * (1 if seated[seat] is sides[1] else -1) for seat in range(4))

    assert balance > 0, f"{better} took {-balance} points fewer than {worse} in {deals} deals, both ways"


def test_the_counter_shoots_a_moon_that_its_hand_promises() -> None:
    winners = parse_cards(["JC", "QC", "KC", "AC", "JD", "QD", "KD", "AD", "QH", "KH", "AH", "KS", "AS"])
    rest = [card for card in CARDS if card not in winners]
    deal = Deal(preset("american"), deal_number=4, hands=[winners, *(rest[seat::3] for seat in range(3))])
    counter, duck = strategy("counter"), strategy("duck")
    while deal.phase is Phase.PLAY:
        seat = deal.turn_seat
        apply(deal, seat, decide(duck if seat else counter, turn_of(deal, seat, [0] * 4, 1, 1)))

    assert deal.scores == [0, 26, 26, 26]


@pytest.mark.parametrize(("offset", "card"), [(1, "2S"), (-1, "AS")])
def test_the_counter_remembers_to_whom_it_passed_the_queen(offset: int, card: str) -> None:
    """The seats before it have followed; behind sits its left neighbour alone, who may have got the queen."""
    hand = parse_cards(["2S", "AS"])
    turn = Turn(
        kind=TURN_KIND_PLAY,
        rules_name="american",
        seat=0,
        seats=4,
        hand=hand,  # type: ignore[arg-type]  # the rulebook's cards are plain numbers
        legal=hand,  # type: ignore[arg-type]
        played=parse_cards(["2C", "3C", "4C", "AC", "3S", "4S"]),  # type: ignore[arg-type]
        leaders=[3, 2],
        pass_offset=offset,
        passed_cards=parse_cards(["QS", "5C", "6C"]),  # type: ignore[arg-type]
        points=[0, 0, 1, 0],
    )

    assert tuple(decide(strategy("counter"), turn).cards) == parse_cards([card])
