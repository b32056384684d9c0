"""The offline player hands bots what they would work out themselves, and its bank of boards is what it says."""

import random
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.truth.offline_play import Bot, Turn, play_deal, strategy
from tests.truth.play_bank import POOL, play_chunk

SEED = 5


def remembered(memory: Any) -> dict[str, Any]:
    """Everything that a strategy can ask of a memory."""
    return {
        **{
            name: getattr(memory, name)
            for name in ("seat", "seats", "values", "others", "shooter", "threat", "taker")
        },
        "unseen": [list(cards) for cards in memory.unseen],
        "given": [list(cards) for cards in memory.given],
        "voids": [set(suits) for suits in memory.voids],
        "holders": [list(memory.holders(suit)) for suit in range(4)],
        "queen": [memory.queen_chance(seat) for seat in memory.others],
    }


def test_the_memory_kept_card_by_card_is_the_one_a_bot_works_out_at_its_turn() -> None:
    moon, compared = strategy("moon"), []
    worked_out = sys.modules["memory"].Memory

    def choose_card(turn: Turn) -> int:
        assert remembered(turn.memory) == remembered(worked_out(turn))
        compared.append(turn.memory.threat)
        return moon.choose_card(turn)  # type: ignore[no-any-return]

    spy = SimpleNamespace(choose_pass=moon.choose_pass, choose_card=choose_card)
    bots = [Bot(spy, 0.1, has_memory=True)] * 4
    for number in range(1, 41):
        play_deal(number, bots, random.Random(f"{SEED}/{number}"))

    assert len(compared) > 1000
    assert max(compared) > 0.5, "nobody came near a moon, so threats were not compared"


def test_a_chunk_of_the_bank_seats_four_bots_by_chance_and_plays_in_the_way_it_says() -> None:
    rotated, repeated, once = (play_chunk(way, 0, deals=25) for way in ("rotated", "repeated", "once"))

    assert (len(rotated.deal), len(repeated.deal), len(once.deal)) == (100, 100, 25)
    for deal in range(25):
        turned, same = rotated.bot[4 * deal : 4 * deal + 4], repeated.bot[4 * deal : 4 * deal + 4]
        assert {tuple(np.roll(turned[0], turn)) for turn in range(4)} == set(map(tuple, turned.tolist()))
        assert len(set(map(tuple, same.tolist()))) == 1
        assert len(set(turned[0].tolist())) == 4
    assert set(rotated.bot.ravel().tolist()) == set(range(len(POOL)))
    assert set(rotated.points.sum(axis=1).tolist()) <= {26, 78}
    assert not set(rotated.deal.tolist()) & {*repeated.deal.tolist(), *once.deal.tolist()}


def test_a_bank_reads_as_the_results_of_one_tournament() -> None:
    boards = play_chunk("rotated", 0, deals=10)

    results = boards.observations()

    assert results.boards == 40
    assert len(results.deal_ids) == 10
    assert results.points.sum() == boards.points.sum()
    assert set(results.place.tolist()) <= {1, 2, 3, 4}
