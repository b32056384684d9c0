"""Columns of results: contradictions and mixtures are refused, selections and mergers keep everything apart."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.observations import ResultError, from_boards, merged
from ratings.simulation import simulate
from tests.ratings.boards import board

ONE = board(0, "abc", (0, 13, 13), match_id="m1", deal_id="d1")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"places": (1, 2, 3, 4)},
            "m1, deal d1: bots, points, places and autopilot must be one value a seat",
        ),
        ({"points": (0.0, float("nan"), 1.0)}, "hold a value that is no finite number"),
        ({"places": (1, 3, 3)}, "places (1, 3, 3) are no ranking"),
        ({"deals": 0}, "deals is 0, at least 1 is needed"),
    ],
)
def test_a_board_that_contradicts_itself_is_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(ResultError) as refusal:
        from_boards([replace(ONE, **changes)])  # type: ignore[arg-type]

    assert sentence in str(refusal.value)


@pytest.mark.parametrize(("key", "what"), [("unit", "unit"), ("rules", "rule set")])
def test_units_and_rule_sets_are_never_pooled(key: str, what: str) -> None:
    other = replace(ONE, match_id="m2", **{key: "other"})  # type: ignore[arg-type]

    with pytest.raises(ResultError, match=f"match m2 has {what} 'other' .* rate them separately"):
        from_boards([ONE, other])
    with pytest.raises(ResultError, match=f"autumn has {what} 'other' but spring has"):
        merged({"spring": from_boards([ONE]), "autumn": from_boards([other])})


def test_merged_tournaments_keep_deals_of_the_same_name_apart() -> None:
    results = merged({"spring": from_boards([ONE]), "autumn": from_boards([replace(ONE, bots=("c", "d", "a"))])})

    assert results.bots == ("a", "b", "c", "d")
    assert results.deal_ids == ("autumn/d1", "spring/d1")
    assert [results.bots[bot] for bot in results.bot[:3]] == ["c", "d", "a"]
    assert results.round_number.tolist() == [1, 0]


def test_results_as_of_a_round_are_those_until_its_end() -> None:
    results = simulate({"a": 0.0, "b": 0.0, "c": 0.0, "d": 0.0}, 100, np.random.default_rng(1))

    part = results.until(3)

    assert part.boards == 160
    assert len(part.deal_ids) == 40
    assert part.start[-1] == len(part.bot) == 640
