"""How fast the rulebook is beside OpenSpiel, both driven from Python in the same run.

Both play whole `american` deals at random, dealing, pass, play and score, by their public interface, with the same
way of picking one of a list:

- The rulebook derives the deal's seed by HMAC, shuffles and deals by SHA-256, checks the cards, makes a `Deal`, and
  is asked `legal` and told `pass_cards` (three cards at once) or `play`.
- OpenSpiel is driven as its documentation shows: `new_initial_state`, then `chance_outcomes` for each card dealt,
  `legal_actions` and `apply_action` for each card passed (one by one: it has no other way) and played, `returns`.

They take turns in short batches, CPU time is taken and the fastest of each counts, so that other work on the
machine does not decide. Run as a script, or call `measure`.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable

import pyspiel

from referee.rules.deal import NO_SEAT, Deal
from referee.rules.dealing import deal_cards, deal_seed, integer_seed
from referee.rules.presets import preset

BATCH = 40  # deals


def measure(batches: int = 100, seed: int = 7) -> dict[str, float]:
    """Microseconds of one deal and one decision by each, and how many times faster the rulebook is."""
    ours, theirs = [], []
    for batch in range(batches):
        ours.append(_timed(_rulebook, seed + batch))
        theirs.append(_timed(_open_spiel, seed + batch))
    ours_us, theirs_us = min(ours), min(theirs)
    return {
        "rulebook_deal_us": ours_us,
        "open_spiel_deal_us": theirs_us,
        "rulebook_deals_s": 1e6 / ours_us,
        "ratio": theirs_us / ours_us,
    }


def _timed(play: Callable[[random.Random], None], seed: int) -> float:
    rng = random.Random(seed)
    began = time.process_time()
    play(rng)
    return (time.process_time() - began) / BATCH * 1e6


def _rulebook(rng: random.Random) -> None:
    rules, seed, uniform = preset("american"), integer_seed(rng.getrandbits(32)), rng.random
    for number in range(BATCH):
        dealt = deal_cards(rules, deal_seed(seed, "", number, 0, 1))
        deal = Deal(rules, deal_number=number % 4 + 1, hands=dealt.hands)
        for seat in deal.seats_to_act() if deal.pass_offset else ():
            hand = deal.legal(seat)
            deal.pass_cards(seat, [hand.pop(int(uniform() * len(hand))) for _ in range(3)])
        while (seat := deal.turn_seat) != NO_SEAT:
            cards = deal.legal(seat)
            deal.play(seat, cards[int(uniform() * len(cards))])
        assert len(deal.scores) == 4


def _open_spiel(rng: random.Random) -> None:
    game, uniform = pyspiel.load_game("hearts(qs_breaks_hearts=False)"), rng.random
    for _ in range(BATCH):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(uniform() * len(outcomes))][0])
            else:
                actions = state.legal_actions(state.current_player())
                state.apply_action(actions[int(uniform() * len(actions))])
        assert len(state.returns()) == 4


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
    sys.stdout.write("\n")
