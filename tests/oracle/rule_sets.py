"""The rule sets that the comparisons play: the presets, random ones, and a set that covers all pairs of values."""

from __future__ import annotations

import itertools
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.naive.cards import CARDS
from tests.naive.playable import is_playable

RuleDict = dict[str, Any]

PRESETS: dict[str, RuleDict] = {
    name: entry["rules"]
    for name, entry in json.loads(
        (Path(__file__).parents[2] / "referee" / "rules" / "presets.json").read_text()
    ).items()
}

STRUCTURE: dict[str, list[Any]] = {
    "seats": list(range(3, 12)),
    "packs": [1, 2],
    "removed": [
        [],
        ["2D"],
        ["2C"],
        ["2C", "2D"],
        ["2D", "3D", "3C"],
        ["2D", "3D", "3C", "4C"],
        ["2C", "2D", "2H", "2S"],
        ["2C", "2D", "QS"],
    ],
    "leftover": ["none", "widow"],
    "pass_count": [0, 1, 3, 7],
    "pass_cycle": [[1, -1, 2, 0], [1, -1], [0], [-1], [2, -2, 0]],
    "first_lead": ["lowest_club", "left_of_dealer"],
}
"""Parameters that can contradict each other (R17), with the values tried."""

FREE: dict[str, list[Any]] = {
    "first_trick": ["no_penalty", "queen_allowed", "free"],
    "first_trick_exception": ["all_penalty_any", "queen_forced", "hearts_first"],
    "hearts_must_break": [True, False],
    "hearts_broken_by": ["any_heart_played", "heart_discarded"],
    "queen_breaks": ["never", "discarded", "played"],
    "lead_exception": ["only_hearts", "only_hearts_or_queen"],
    "queen_lead": ["always", "after_broken"],
    "heart_values": ["unit", "rank"],
    "penalties": [{}, {"QS": 13}, {"QS": 13, "KS": 10, "AS": 7}, {"QS": 13, "KC": 4, "2C": 3, "9D": 2}],
    "bonuses": [{}, {"JD": -10}, {"JD": -10, "TC": -5}],
    "moon": ["add", "subtract", "choice", "none"],
    "moon_needs": ["all_penalty_cards", "hearts_and_queen", "all_penalty_and_bonus"],
    "moon_points": ["deal_total", 26, 150],
    "moon_choice_default": ["add", "subtract"],
    "target": [20, 100, 500],
    "score_floor": [None, 0, -40],
    "tie_break": ["all_play_on", "tied_hand", "shared"],
    "max_deals": [None, 1, 3],
    "cancellation": [True, False],
    "last_trick_cancelled": ["leader", "second_of_highest", "previous_winner", "void"],
}
"""Parameters that go with everything."""

Choice = tuple[str, int]
"""A parameter and the index of its value in the lists above."""

_SAFE_FREE: RuleDict = {name: values[0] for name, values in FREE.items()}


@cache
def playable_structures() -> list[tuple[int, ...]]:
    """List every combination of `STRUCTURE` that can be played, as indices."""
    combinations = itertools.product(*(range(len(values)) for values in STRUCTURE.values()))
    return [indices for indices in combinations if is_playable(_rules(indices) | _SAFE_FREE)]


def _rules(indices: tuple[int, ...]) -> RuleDict:
    return {name: STRUCTURE[name][i] for name, i in zip(STRUCTURE, indices, strict=True)}


def rules_of(row: dict[str, int]) -> RuleDict:
    """Turn indices into a rule set."""
    return {name: (STRUCTURE | FREE)[name][index] for name, index in row.items()}


def pairs_of(row: dict[str, int]) -> set[frozenset[Choice]]:
    """List the pairs of values that one rule set joins."""
    return {frozenset(pair) for pair in itertools.combinations(row.items(), 2)}


def playable_pairs(structures: list[tuple[int, ...]]) -> set[frozenset[Choice]]:
    """List every pair of values that some playable rule set joins."""
    pairs: set[frozenset[Choice]] = set()
    alive: set[Choice] = set()
    for indices in structures:
        choices = list(zip(STRUCTURE, indices, strict=True))
        alive.update(choices)
        pairs.update(map(frozenset, itertools.combinations(choices, 2)))
    free = [(name, index) for name, values in FREE.items() for index in range(len(values))]
    pairs.update(frozenset((a, b)) for a in alive for b in free)
    pairs.update(frozenset((a, b)) for a, b in itertools.combinations(free, 2) if a[0] != b[0])
    return pairs


def pairwise_rows(rng: Random) -> list[dict[str, int]]:
    """Find playable rule sets (as indices) that join every playable pair at least once.

    Greedy: take a pair that is still missing, a playable structure that has its part of it, and then value after
    value what brings most missing pairs. Thirty structures are looked at for each row; more saves few rows.
    """
    structures = playable_structures()
    missing = playable_pairs(structures)
    rows = []
    while missing:
        wanted = dict(min(missing, key=sorted))
        fitting = [
            row
            for row in (dict(zip(STRUCTURE, indices, strict=True)) for indices in structures)
            if all(row.get(name, index) == index for name, index in wanted.items())
        ]
        row = max(rng.sample(fitting, min(30, len(fitting))), key=lambda row: len(pairs_of(row | wanted) & missing))
        row = row | wanted
        for name in rng.sample(list(FREE), len(FREE)):
            if name not in row:
                row[name] = max(
                    range(len(FREE[name])),
                    key=lambda index, name=name, row=row: sum(  # type: ignore[misc]
                        frozenset((other, (name, index))) in missing for other in row.items()
                    ),
                )
        missing -= pairs_of(row)
        rows.append(row)
    return rows


def random_rules(rng: Random, structures: list[tuple[int, ...]]) -> RuleDict:
    """Draw a playable rule set; every parameter independently but for the structure."""
    return _rules(rng.choice(structures)) | {name: rng.choice(values) for name, values in FREE.items()}


def wild_rules(rng: Random) -> RuleDict:
    """Draw any rule set, playable or not: hardly any card left, whole hands passed, huge values."""
    plain = [card for card in CARDS if card[1] != "H"]
    seats, packs = rng.randint(3, 11), rng.choice([1, 2])
    share = rng.choice([0.0, 0.05, 0.3, 0.7, 0.9])
    suits = rng.choice(["", "", "", "C", "H", "S", "CD", "HS"])
    removed = [card for card in CARDS if rng.random() < share or card[1] in suits]
    size = (52 - len(removed)) * packs // seats
    priced = rng.sample(plain, rng.randrange(5))
    cut = rng.randrange(len(priced) + 1)
    return (
        PRESETS["american"]
        | {name: rng.choice(values) for name, values in FREE.items()}
        | {
            "seats": seats,
            "packs": packs,
            "removed": removed,
            "leftover": rng.choice(["none", "widow", "widow"]),
            "pass_count": rng.choice([0, size, max(size - 1, 0), min(3, size), size + 1]),
            "pass_cycle": [rng.randint(1 - seats, seats - 1) for _ in range(rng.randint(1, 4))],
            "first_lead": rng.choice(["lowest_club", "left_of_dealer"]),
            "penalties": {card: rng.choice([1, 13, 10_000]) for card in priced[:cut]},
            "bonuses": {card: -rng.choice([1, 10, 10_000]) for card in priced[cut:]},
            "target": rng.choice([1, 5, 50]),
            "max_deals": rng.choice([None, 1, 2]),
            "score_floor": rng.choice([None, 0, -1, -100]),
        }
    )
