"""The rulings of the tables beside this file, row by row."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee.rules.cards import CARDS, RANKS, Card, card_text, cards_text, parse_card
from referee.rules.deal import Deal, Phase
from referee.rules.dealing import deal_cards, deal_seed, integer_seed
from referee.rules.judge import judge
from referee.rules.presets import preset, with_settings
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import MatchScore

HERE = Path(__file__).parent


def rows(name: str) -> list[object]:
    """The rows of a table as test parameters, named by their case."""
    lines = [line for line in (HERE / name).read_text().splitlines() if line and not line.startswith("#")]
    cells = [[cell.strip() for cell in line.split("|")] for line in lines[1:]]
    return [pytest.param(*row[1:], id=row[0]) for row in cells]


@pytest.mark.parametrize("name", ["plays.txt", "takings.txt", "totals.txt", "deals.txt"])
def test_a_table_is_aligned_and_names_each_case_once(name: str) -> None:
    lines = [line for line in (HERE / name).read_text().splitlines() if line and not line.startswith("#")]
    columns = {tuple(i for i, letter in enumerate(line) if letter == "|") for line in lines}
    assert len(columns) == 1
    cases = [line.split("|")[0].strip() for line in lines]
    assert sorted(set(cases)) == sorted(cases)


def rules_of(text: str) -> RuleSet:
    name, *settings = text.split()
    return with_settings(preset(name), settings)


def cards_of(text: str) -> list[Card]:
    """Cards of a text with runs such as 2H-KH."""
    cards: list[Card] = []
    for word in text.split():
        first, dash, last = word.partition("-")
        cards += range(parse_card(first), parse_card(last) + 1) if dash else [parse_card(first)]
    return cards


def dealt(rules: RuleSet, text: str) -> tuple[RuleSet, list[list[Card]], list[Card]]:
    """Hands of a row, filled up where it says so, and the rule set with just the cards that are in play."""
    hands_text, _, widow_text = text.partition("+")
    parts = hands_text.split("/")
    hands = [cards_of(part.replace("*", "")) for part in parts]
    widow = cards_of(widow_text)
    if "*" in text:
        rest = list(rules.pack)
        for card in sum(hands, widow):
            rest.remove(card)
        for hand in hands:
            while len(hand) < rules.hand_size:
                hand.append(rest.pop(0))
    else:
        removed = [card_text(card) for card in CARDS if card not in sum(hands, widow)]
        rules = RuleSet.from_dict({"removed": removed, "pass_count": 0}, base=rules)
    return RuleSet.from_dict({"pass_cycle": [0]}, base=rules), hands, widow


@pytest.mark.parametrize(("rules_text", "hands_text", "plays", "verdict"), rows("plays.txt"))
def test_plays(rules_text: str, hands_text: str, plays: str, verdict: str) -> None:
    rules, hands, widow = dealt(rules_of(rules_text), hands_text)
    request = {
        "rules": rules.to_dict(),
        "hands": [cards_text(hand) for hand in hands],
        "widow": cards_text(widow),
        "plays": plays.split(),
    }
    answer = judge(request)
    if "refused" not in verdict:
        assert answer["error"] is None
    for part in verdict.split("; "):
        kind, *words = part.split()
        match kind:
            case "legal":
                assert answer["legal"][-1] == cards_text(cards_of(" ".join(words)))
            case "refused":
                assert answer["error"]["breach"] == words[0]
                assert answer["error"]["index"] == len(request["plays"]) - 1
            case "winners":
                assert answer["winners"] == [None if word == "-" else int(word) for word in words]
            case "scores" | "points":
                assert answer[kind] == [int(word) for word in words]
            case "leader":
                assert answer["leader"] == int(words[0])
            case "broken" | "unbroken":
                assert answer["hearts_broken"] is (kind == "broken")
            case "no":
                assert answer["moon_seat"] is None
                assert answer["complete"]
            case _:
                pytest.fail(f"the verdict {part!r} is not understood")


@pytest.mark.parametrize(("rules_text", "taken", "choice", "scores"), rows("takings.txt"))
def test_takings(rules_text: str, taken: str, choice: str, scores: str) -> None:
    rules = rules_of(rules_text)
    cards = deal_cards(rules, deal_seed(integer_seed(1), "", 0, 0, 1))
    deal = Deal(rules, deal_number=1, hands=cards.hands, widow=cards.widow)
    deal._takings.pot = []
    for seat, text in enumerate(taken.split("/")):
        deal._takings.take(seat, cards_of(text))
    deal._score()
    assert (deal.phase is Phase.MOON) is bool(choice)
    if choice:
        assert deal.seats_to_act() == (deal.moon_seat,)
        assert deal.choose_moon(deal.turn_seat, choice) is None
    assert deal.scores == [int(score) for score in scores.split()]


@pytest.mark.parametrize(("rules_text", "before", "deals", "after", "verdict"), rows("totals.txt"))
def test_totals(rules_text: str, before: str, deals: str, after: str, verdict: str) -> None:
    score = MatchScore(rules_of(rules_text))
    score.totals = [int(total) for total in before.split()]
    for scores in deals.split(","):
        score.add([int(points) for points in scores.split()])
    assert score.totals == [int(total) for total in after.split()]
    assert score.is_over is (verdict != "on")
    if score.is_over:
        assert score.places == tuple(int(place) for place in verdict.split()[1:])


@pytest.mark.parametrize(("rules_text", "number", "verdict"), rows("deals.txt"))
def test_deals(rules_text: str, number: str, verdict: str) -> None:
    rules = rules_of(rules_text)
    cards = deal_cards(rules, deal_seed(integer_seed(1), "", 0, 0, int(number)))
    deal = Deal(rules, deal_number=int(number), hands=cards.hands, widow=cards.widow)
    given = [tuple(random.Random(1).sample(hand, rules.pass_count)) for hand in deal.hands]
    offset = deal.pass_offset
    for seat in deal.seats_to_act() if deal.phase is Phase.PASS else ():
        assert deal.pass_cards(seat, given[seat]) is None
    for part in verdict.split("; "):
        kind, *words = part.split()
        match kind:
            case "hand":
                assert {len(hand) for hand in deal.hands} == {int(words[0])}
            case "widow":
                assert len(cards.widow) == int(words[0])
            case "absent":
                assert {card_text(card) for card in CARDS if card not in rules.pack} == set(words)
            case "lowest":
                assert deal.legal(deal.turn_seat) == [parse_card(words[0])]
            case "offset":
                assert offset == int(words[0])
            case "dealer":
                assert deal.dealer == int(words[0])
            case "seat":
                assert deal.received[int(words[-1])] == given[int(words[0])]
            case _:
                pytest.fail(f"the verdict {part!r} is not understood")


def test_a_run_of_cards_is_read_in_rank_order() -> None:
    assert cards_text(cards_of("2H-AH")) == [rank + "H" for rank in RANKS]
