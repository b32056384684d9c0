"""The naive referee stands alone, and is right about the cases of the page that are easiest to get wrong."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from tests.naive.cards import highest, lowest
from tests.naive.deal import NaiveDeal
from tests.naive.match import NaiveMatch

AMERICAN: dict[str, Any] = {
    "seats": 4,
    "packs": 1,
    "removed": [],
    "leftover": "none",
    "pass_count": 3,
    "pass_cycle": [1, -1, 2, 0],
    "first_lead": "lowest_club",
    "first_trick": "no_penalty",
    "first_trick_exception": "all_penalty_any",
    "hearts_must_break": True,
    "hearts_broken_by": "any_heart_played",
    "queen_breaks": "never",
    "lead_exception": "only_hearts",
    "queen_lead": "always",
    "heart_values": "unit",
    "penalties": {"QS": 13},
    "bonuses": {},
    "moon": "add",
    "moon_needs": "all_penalty_cards",
    "moon_points": "deal_total",
    "moon_choice_default": "add",
    "target": 100,
    "score_floor": None,
    "tie_break": "all_play_on",
    "max_deals": None,
    "cancellation": False,
    "last_trick_cancelled": "leader",
}
HOLD_DEAL = 4


def test_it_imports_nothing_of_the_referee() -> None:
    for path in Path(__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] in ("referee", "ratings", "hearts") for name in names), path


def first_follower(rest: str, **changes: Any) -> list[str]:
    """The legal set of a seat that is void in clubs and second to play in the first trick."""
    deal = NaiveDeal(AMERICAN | changes, HOLD_DEAL, [["2C"], rest.split(), ["3C"], ["4C"]])
    assert deal.play(0, "2C") is None
    return deal.legal(1)


@pytest.mark.parametrize(
    ("hand", "changes", "legal"),
    [
        ("7D 2H 3H QS", {}, "7D"),
        ("2H 3H QS", {}, "2H 3H QS"),
        ("2H 3H QS", {"first_trick_exception": "queen_forced"}, "QS"),
        ("2H 3H QS", {"first_trick_exception": "hearts_first"}, "2H 3H"),
        ("2H 3H", {"first_trick_exception": "queen_forced"}, "2H 3H"),
        ("JD 2H 3H", {"bonuses": {"JD": -10}}, "JD"),
        ("2D 2H QS", {"first_trick": "queen_allowed"}, "2D QS"),
        ("2H 3H QS", {"first_trick": "queen_allowed"}, "QS"),
        ("2H KS AS", {"penalties": {"QS": 13, "KS": 10, "AS": 7}}, "2H KS AS"),
        ("2H QS", {"penalties": {}}, "QS"),
        ("2D 2H QS", {"first_trick": "free"}, "2D 2H QS"),
    ],
)
def test_the_first_trick(hand: str, changes: dict[str, Any], legal: str) -> None:
    assert first_follower(hand, **changes) == legal.split()


def leads(hand: str, changes: dict[str, Any], *, broken: bool = False) -> list[str]:
    """The legal set of a leader of a later trick."""
    deal = NaiveDeal(
        AMERICAN | changes, HOLD_DEAL, [["2C", *hand.split()], ["3C", "4C"], ["5C", "6C"], ["7C", "8C"]]
    )
    for seat, card in enumerate(["2C", "3C", "5C", "7C"]):
        assert deal.play(seat, card) is None
    deal.turn_seat, deal.broken = 0, broken
    return deal.legal(0)


@pytest.mark.parametrize(
    ("hand", "changes", "broken", "legal"),
    [
        ("9C 2H 3H", {}, False, "9C"),
        ("9C 2H 3H", {}, True, "9C 2H 3H"),
        ("2H 3H", {}, False, "2H 3H"),
        ("2H QS", {}, False, "QS"),
        ("2H QS", {"lead_exception": "only_hearts_or_queen"}, False, "2H QS"),
        ("2H QS", {"queen_lead": "after_broken"}, False, "2H QS"),
        ("9C 2H QS", {"queen_lead": "after_broken"}, False, "9C"),
        ("9C 2H QS", {"queen_lead": "after_broken", "hearts_must_break": False}, False, "9C 2H"),
        ("9C 2H QS", {"queen_lead": "after_broken"}, True, "9C 2H QS"),
        ("9C 2H QS", {"hearts_must_break": False}, False, "9C 2H QS"),
    ],
)
def test_later_leads(hand: str, changes: dict[str, Any], broken: bool, legal: str) -> None:
    assert leads(hand, changes, broken=broken) == legal.split()


@pytest.mark.parametrize(
    ("played", "cancellation", "winner"),
    [
        ("AD AD KD KD 2D 9S", True, 4),
        ("9D 9D 2C 3C 4C 5C", True, None),
        ("QS QS JS 2C 3C 4C", True, 2),
        ("9D 2C 3C 4C 5C 6C", True, 0),
        ("2D AD AD 3D 4D 5D", False, 1),
    ],
)
def test_cancelled_tricks(played: str, cancellation: bool, winner: int | None) -> None:
    rules = AMERICAN | {"seats": 6, "packs": 2, "cancellation": cancellation, "first_lead": "left_of_dealer"}
    deal = NaiveDeal(rules | {"pass_cycle": [0]}, 1, [["2C"]] * 6)

    assert deal.winner_of(list(enumerate(played.split()))) == winner


def totals(start: list[int], deals: list[list[int]], **changes: Any) -> tuple[list[int], list[int] | None]:
    score = NaiveMatch(AMERICAN | changes)
    for scores in [start, *deals]:
        score.add(scores)
    return score.totals, score.places


def test_ends_and_ties() -> None:
    assert totals([99, 0, 50, 20], []) == ([99, 0, 50, 20], None)
    assert totals([100, 0, 50, 20], []) == ([100, 0, 50, 20], [4, 1, 3, 2])
    assert totals([100, 20, 20, 20], [[0, 1, 2, 3]]) == ([100, 21, 22, 23], [4, 1, 2, 3])
    assert totals([100, 20, 20, 21], [[3, 2, 2, 0]]) == ([103, 22, 22, 21], [4, 2, 2, 1])
    assert totals([100, 20, 20, 21], [[3, 2, 1, 0]], tie_break="tied_hand") == ([100, 20, 20, 21], [4, 2, 1, 3])
    assert totals([100, 5, 5, 5], [[0, 2, 2, 7], [0, 4, 3, 1]], tie_break="tied_hand") == (
        [100, 5, 5, 5],
        [4, 2, 1, 3],
    )
    assert totals([100, 20, 20, 21], [], tie_break="shared") == ([100, 20, 20, 21], [4, 1, 1, 3])
    assert totals([100, 20, 20, 21], [], max_deals=1) == ([100, 20, 20, 21], [4, 1, 1, 3])


def test_the_referees_own_decisions() -> None:
    assert lowest(["3S", "3C", "KC"]) == "3C"
    assert highest(["KC", "AD", "KS", "2S"], 3) == ["AD", "KS", "KC"]


def test_the_base_rules_here_are_those_of_the_shipped_preset() -> None:
    presets = Path(__file__).parents[2] / "referee" / "rules" / "presets.json"

    assert json.loads(presets.read_text())["american"]["rules"] == AMERICAN
