"""Totals, ends, play-offs and places: the rulebook's match against the naive one, on invented scores.

Real deals tie too seldom, so scores are drawn from a narrow range; small targets make matches short.
"""

from __future__ import annotations

from random import Random

import pytest

from referee.rules.ruleset import RuleSet
from referee.rules.scoring import MatchScore, rank_places
from tests.naive.match import NaiveMatch
from tests.oracle.rule_sets import PRESETS, RuleDict

MATCHES = 400
DEALS_MAX = 60


def invented_rules(tie_break: str, rng: Random) -> RuleDict:
    seats, removed = rng.choice([(3, ["2D"]), (4, []), (5, ["2C", "2D"]), (7, ["2D", "3D", "3C"])])
    return PRESETS["american"] | {
        "seats": seats,
        "removed": removed,
        "pass_cycle": [1, -1],
        "tie_break": tie_break,
        "target": rng.choice([1, 5, 10, 20]),
        "score_floor": rng.choice([None, 0, -3]),
        "max_deals": rng.choice([None, None, 1, 4, 9]),
    }


@pytest.mark.parametrize("tie_break", ["all_play_on", "tied_hand", "shared"])
def test_both_keep_a_match_alike(tie_break: str) -> None:
    rng = Random(f"match {tie_break}")
    playoffs = 0
    for n in range(MATCHES):
        rules = invented_rules(tie_break, rng)
        ours, theirs = MatchScore(RuleSet.from_dict(rules, name="invented")), NaiveMatch(rules)
        history: list[list[int]] = []
        while theirs.places is None and len(history) < DEALS_MAX:
            top = rng.choice([1, 2, 8])
            history.append([rng.randint(-1, top) for _ in range(rules["seats"])])
            ours.add(history[-1])
            theirs.add(history[-1])
            playoffs += bool(theirs.tied)
            where = f"match {n} of seed 'match {tie_break}', {rules}, scores {history}"
            assert list(ours.totals) == theirs.totals, where
            assert ours.is_over == (theirs.places is not None), where
            assert ours.in_playoff == bool(theirs.tied), where
        if theirs.places is not None:
            assert list(ours.places) == theirs.places, where

    assert (playoffs > MATCHES / 20) == (tie_break != "shared")


def test_places_are_shared_and_the_next_is_skipped() -> None:
    rng = Random("places")

    assert tuple(rank_places([20, 5, 5, 30])) == (3, 1, 1, 4)
    for _ in range(200):
        totals = [rng.randint(0, 4) for _ in range(rng.randint(3, 11))]
        assert list(rank_places(totals)) == [1 + sum(other < mine for other in totals) for mine in totals]
