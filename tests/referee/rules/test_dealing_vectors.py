from __future__ import annotations

import json
from typing import Any

import pytest

from referee.rules.cards import parse_cards
from referee.rules.dealing import commitment, deal_cards, deal_seed, integer_seed, turn_key, turn_seed
from referee.rules.presets import preset
from tests.referee.rules import dealing_vectors

DEALS: list[dict[str, Any]] = json.loads(dealing_vectors.FILE.read_text(encoding="utf-8"))["deals"]


def test_the_vectors_are_fresh() -> None:
    assert dealing_vectors.FILE.read_text(encoding="utf-8") == dealing_vectors.text(), (
        "run: python tests/referee/rules/dealing_vectors.py"
    )


def test_the_vectors_show_rejected_bytes_and_a_widow() -> None:
    assert all(deal["rejected"] for deal in DEALS)
    assert any(deal["widow"] for deal in DEALS)
    assert {deal["preset"] for deal in DEALS} >= {"american", "three", "cancellation-11"}


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: f"{deal['preset']}-{deal['deal_seed'][:8]}")
def test_the_referee_deals_as_the_vectors_say(deal: dict[str, Any]) -> None:
    seed = bytes.fromhex(deal["tournament_seed"])
    where = (deal["salt"], deal["board_set"], deal["attempt"], deal["deal_number"])
    if deal["integer_seed"] is not None:
        assert integer_seed(deal["integer_seed"]) == seed
    assert commitment(seed) == deal["commitment"]
    assert deal_seed(seed, *where).hex() == deal["deal_seed"]
    dealt = deal_cards(preset(deal["preset"]), bytes.fromhex(deal["deal_seed"]))
    assert dealt.hands == tuple(tuple(sorted(parse_cards(hand))) for hand in deal["hands"])
    assert dealt.widow == tuple(sorted(parse_cards(deal["widow"])))
    assert turn_key(seed, *where).hex() == deal["turn_key"]
    for turn in deal["turn_seeds"]:
        assert turn_seed(turn_key(seed, *where), turn["seat"], turn["index"]) == turn["turn_seed"]


def test_the_integer_seed_and_the_commitment_are_what_the_design_says() -> None:
    # SHA-256 of the label and eight bytes, worked out with coreutils:
    #   printf 'hearts/v1/integer\0\0\0\0\0\0\0\7' | sha256sum
    assert integer_seed(7).hex() == "4ddfd6d9b434eaecb723e9d7eec6cf1fb17979bfc0b84323089c8f3a8c065913"
