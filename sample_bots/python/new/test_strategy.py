"""Tests of the strategy over a few positions: `python -m unittest`. They need no package beside Python itself."""

import json
import unittest
from pathlib import Path
from types import SimpleNamespace

import strategy

PASS, PLAY, MOON = 1, 2, 3  # TurnKind
POSITIONS = json.loads(Path(__file__).with_name("positions.json").read_text())["positions"]


def turn(situation):
    """The turn of a position. Fields are those of a Turn on the wire; cards are numbers (cards.py)."""
    return SimpleNamespace(**next(each["turn"] for each in POSITIONS if each["situation"] == situation))


class Legal(unittest.TestCase):
    def test_every_position_gets_a_legal_decision(self):
        for position in POSITIONS:
            asked = SimpleNamespace(**position["turn"])
            with self.subTest(position["situation"]):
                if asked.kind == PASS:
                    passed = list(strategy.choose_pass(asked))
                    self.assertEqual(len(passed), asked.pass_count)
                    self.assertEqual([card for card in passed if card not in asked.legal], [])
                    self.assertEqual(len(set(passed)), len(passed))
                elif asked.kind == PLAY:
                    self.assertIn(strategy.choose_card(asked), asked.legal)
                else:
                    self.assertIn(strategy.choose_moon(asked), (1, 2))

    def test_the_same_turn_gets_the_same_decision(self):
        asked = turn("lead with hearts broken")
        self.assertEqual(strategy.choose_card(asked), strategy.choose_card(asked))


class Play(unittest.TestCase):
    """What this strategy should do, as you want it: change these with strategy.py."""

    def test_the_queen_of_spades_goes_where_another_takes_her(self):
        asked = turn("discard with the queen of spades")
        self.assertEqual(strategy.choose_card(asked), 50)


if __name__ == "__main__":
    unittest.main()
