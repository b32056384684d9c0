"""The vectors of the rulebook are fresh, plenty, and what docs/rules.md says."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from tests.naive.cards import in_order, pack_of
from tests.naive.deal import NaiveDeal
from tests.naive.match import NaiveMatch
from tests.oracle.rule_sets import PRESETS
from tests.vectors.rulebook_vectors import VECTORS, files

LEGAL_PLAYS = json.loads((VECTORS / "legal_plays.json").read_text())
SCORING = json.loads((VECTORS / "scoring.json").read_text())


@pytest.mark.parametrize("name", ["legal_plays.json", "scoring.json"])
def test_the_committed_vectors_are_what_the_rulebook_says_today(name: str) -> None:
    assert (VECTORS / name).read_text() == files()[name], "run `make vectors` and look at the difference"


def position_on_the_naive_referee(vector: dict[str, Any]) -> NaiveDeal:
    """Set a naive deal to what one seat sees: its hand and the table; the other hands do not matter."""
    rules = PRESETS[vector["rules"]]
    deal = NaiveDeal(rules | {"pass_cycle": [0], "first_lead": "left_of_dealer"}, 1, [["2C"]] * rules["seats"])
    deal.rules = rules
    played, leaders, seats = vector["played"].split(), vector["leaders"], rules["seats"]
    deal.tricks = [
        [((leader + n) % seats, card) for n, card in enumerate(played[i * seats : (i + 1) * seats])]
        for i, leader in enumerate(leaders)
    ]
    deal.hands[vector["seat"]] = vector["hand"].split()
    deal.broken = vector["hearts_broken"]
    if rules["first_lead"] == "lowest_club":
        deal.lowest_club = next(card for card in pack_of(rules) if card[1] == "C")
    return deal


def test_every_position_is_legal_by_the_page_and_from_the_view_alone() -> None:
    for vector in LEGAL_PLAYS["positions"]:
        deal = position_on_the_naive_referee(vector)

        assert deal.legal(vector["seat"]) == vector["legal"].split(), vector


def test_hearts_broken_follows_from_the_cards_played() -> None:
    for vector in LEGAL_PLAYS["positions"]:
        deal = position_on_the_naive_referee(vector)
        deal.broken = False
        for trick in deal.tricks:
            for _, card in trick:
                deal.notice_breaking(card, trick[0][1][1])

        assert deal.broken == vector["hearts_broken"], vector


def test_every_deal_is_scored_by_the_page() -> None:
    for vector in SCORING["deals"]:
        rules = PRESETS[vector["rules"]]
        deal = NaiveDeal(rules | {"pass_cycle": [0], "first_lead": "left_of_dealer"}, 1, [["2C"]] * rules["seats"])
        deal.taken = [pile.split() for pile in vector["taken"]]
        assert in_order(card for pile in deal.taken for card in pile) == in_order(pack_of(rules))
        deal.finish_play()
        if vector["moon_choice"] is not None:
            assert deal.choose_moon(vector["moon_seat"], vector["moon_choice"]) is None

        assert (deal.points(), deal.shooter, deal.scores) == (
            vector["points"],
            vector["moon_seat"],
            vector["scores"],
        ), vector


def test_every_match_ends_by_the_page() -> None:
    for vector in SCORING["matches"]:
        match = NaiveMatch(PRESETS[vector["rules"]] | vector["set"])
        totals = []
        for scores in vector["scores"]:
            match.add(scores)
            totals.append(match.totals)

        assert (totals, match.places) == (vector["totals"], vector["places"]), vector


def test_there_are_enough_of_every_kind() -> None:
    positions = LEGAL_PLAYS["positions"]
    situations = Counter(vector["situation"] for vector in positions)
    sizes = {name: (VECTORS / name).stat().st_size for name in ("legal_plays.json", "scoring.json")}

    assert len(positions) >= 2000
    assert {vector["rules"] for vector in positions} == set(PRESETS)
    assert {vector["rules"] for vector in SCORING["deals"]} == set(PRESETS)
    for rare in (
        "first trick, void, all legal",
        "first trick, void, some not legal",
        "lead, unbroken, some not legal",
    ):
        assert situations[rare] >= 50, rare
    assert len(SCORING["deals"]) >= 5 * len(PRESETS)
    assert any(vector["places"] is None for vector in SCORING["matches"])
    assert sum(sizes.values()) < 700_000, sizes
