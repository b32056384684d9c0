"""The rulebook against OpenSpiel's Hearts, a referee of other people: 20,000 deals over what it can express.

OpenSpiel plays four seats and one pack. Two of its ways are traps, shown at the end: by default the queen of spades
breaks hearts, and `apply_action` takes a card that is not legal without a word, so every action is looked up in
`legal_actions` before it is applied.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from random import Random
from typing import Any

import pyspiel
import pytest

from referee.rules.breach import Breach
from referee.rules.cards import Card
from referee.rules.deal import Deal, Phase
from referee.rules.presets import preset
from referee.rules.ruleset import Moon
from tests.naive.cards import ORDER
from tests.oracle.drive import numbers, shuffled_hands
from tests.oracle.rule_sets import PRESETS

SCALE = int(os.environ.get("HEARTS_ORACLE_SCALE", "1"))
DEALS = 20_000 * SCALE
SUITS = 4
SEATS = 4
MOON = 26


@dataclass(frozen=True)
class Expressed:
    """How OpenSpiel is told to play a preset, and what of it can be compared."""

    parameters: str = "qs_breaks_hearts=False"
    scores: bool = True
    first_trick: bool = True


EXPRESSED = {
    "american": Expressed(),
    "spruce": Expressed(""),
    "american-new-moon": Expressed(),
    "subtract-moon": Expressed(),
    "omnibus": Expressed("qs_breaks_hearts=False,jd_bonus=True"),
    "omnibus-choice": Expressed("qs_breaks_hearts=False,jd_bonus=True"),
    "omnibus-strict-moon": Expressed("qs_breaks_hearts=False,jd_bonus=True"),
    "spot": Expressed(scores=False),
    "spot-25": Expressed(scores=False),
    "black-maria": Expressed(scores=False, first_trick=False),
    "cutthroat": Expressed("qs_breaks_hearts=False,pass_cards=False"),
    "free-lead": Expressed("qs_breaks_hearts=False,must_break_hearts=False"),
    "free-first-trick": Expressed("qs_breaks_hearts=False,no_pts_on_first_trick=False"),
    "short": Expressed(),
    "long": Expressed(),
}
DEALS_OF_A_PRESET = -(-DEALS // len(EXPRESSED))


def action_of(card: Card) -> int:
    """OpenSpiel numbers cards by rank first, the suits in our order."""
    suit, rank = divmod(card - 1, 13)
    return rank * SUITS + suit


def card_of(action: int) -> Card:
    rank, suit = divmod(action, SUITS)
    return 13 * suit + rank + 1


class Table:
    """One deal on both referees."""

    def __init__(self, name: str, expressed: Expressed, deal_number: int, rng: Random) -> None:
        self.name, self.expressed, self.rng = name, expressed, rng
        hands, _ = shuffled_hands(PRESETS[name], rng)
        self.hands = [numbers(hand) for hand in hands]
        self.ours = Deal(preset(name), deal_number=deal_number, hands=self.hands)
        self.theirs = pyspiel.load_game(f"hearts({expressed.parameters})").new_initial_state()
        self.apply(self.ours.pass_offset % SEATS)
        for position in range(52):
            self.apply(action_of(self.hands[position % SEATS][position // SEATS]))

    def apply(self, action: int) -> None:
        """Apply an action; OpenSpiel would take an illegal one without a word."""
        assert action in self.theirs.legal_actions(), f"{action} is not legal for OpenSpiel"
        self.theirs.apply_action(action)

    def run(self) -> None:
        """Play to the end; any difference fails with the deal."""
        self.pass_cards()
        while self.ours.phase is Phase.PLAY:
            self.play()
        self.end()

    def pass_cards(self) -> None:
        passes: dict[int, list[Card]] = {}
        while self.ours.phase is Phase.PASS and len(passes) < SEATS:
            seat = self.theirs.current_player()
            passes[seat] = self.rng.sample(self.hands[seat], 3)
            for card in passes[seat]:
                assert self.theirs.current_player() == seat
                self.apply(action_of(card))
        for seat in self.rng.sample(list(passes), len(passes)):
            assert self.ours.pass_cards(seat, passes[seat]) is None

    def play(self) -> None:
        seat = self.ours.turn_seat
        assert self.theirs.current_player() == seat, self.where()
        ours = self.ours.legal(seat)
        theirs = sorted(map(card_of, self.theirs.legal_actions()))
        if self.expressed.first_trick or self.ours.winners:
            assert ours == theirs, self.where()
        both = [card for card in ours if card in theirs]
        card = max(both) if self.rng.random() < 0.2 else self.rng.choice(both)
        assert self.ours.play(seat, card) is None
        self.apply(action_of(card))

    def end(self) -> None:
        assert self.theirs.is_terminal(), self.where()
        if self.ours.phase is Phase.MOON:
            shooter = self.ours.moon_seat
            assert shooter is not None
            assert self.ours.choose_moon(shooter, self.rng.choice(["add", "subtract"])) is None
        if self.expressed.scores:
            assert sorted(self.ours.scores) == sorted(self.expected_scores()), self.where()
            assert list(self.ours.scores) == self.expected_scores(), self.where()

    def expected_scores(self) -> list[int]:
        """OpenSpiel's points, with a moon scored as the preset has it; OpenSpiel always adds to the others."""
        points = [MOON - int(value) for value in self.theirs.returns()]
        shot = sum(points) > MOON
        shooter = min(range(SEATS), key=points.__getitem__)
        if shot and self.ours.moon_seat is None:
            assert self.ours.rules.moon_needs == "all_penalty_and_bonus"  # and the jack went elsewhere
            return [value + MOON if seat == shooter else value - MOON for seat, value in enumerate(points)]
        assert self.ours.moon_seat == (shooter if shot else None)
        subtracts = self.ours.rules.moon is not Moon.ADD and self.ours.scores[shooter] <= -MOON
        return [value - MOON for value in points] if shot and subtracts else points

    def where(self) -> str:
        return f"{self.name}\nours {self.ours.played} of {self.hands}\n{self.theirs}"


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPRESSED)
def test_legal_sets_turns_and_scores_equal_those_of_openspiel(name: str) -> None:
    rng = Random(f"openspiel {name}")
    shots = 0
    for number in range(1, DEALS_OF_A_PRESET + 1):
        table = Table(name, EXPRESSED[name], number, rng)
        table.run()
        shots += table.ours.moon_seat is not None

    assert shots, "no moon was shot, so no moon was compared"


def test_the_numbers_of_cards_are_translated_right() -> None:
    state = pyspiel.load_game("hearts").new_initial_state()
    state.apply_action(0)

    for text, number in ORDER.items():
        assert state.action_to_string(action_of(number)) == text
        assert card_of(action_of(number)) == number


def test_openspiels_default_breaks_hearts_with_the_queen_and_is_told_from_american() -> None:
    rng = Random("trap")

    def differs(number: int) -> bool:
        try:
            Table("american", Expressed(""), number, rng).run()
        except AssertionError:
            return True
        return False

    assert any(differs(number) for number in range(1, 500))


def test_openspiel_takes_a_revoke_silently_and_we_do_not() -> None:
    rng = Random("revoke")
    table = Table("american", Expressed(), 4, rng)
    while True:
        seat = table.ours.turn_seat
        illegal = [card for card in table.ours.hands[seat] if card not in table.ours.legal(seat)]
        if table.ours.winners and len(table.ours.played) % SEATS and illegal:
            break
        table.play()
    theirs: Any = table.theirs
    before = len(theirs.history())

    assert table.ours.play(seat, illegal[0]) is Breach.MUST_FOLLOW_SUIT
    theirs.apply_action(action_of(illegal[0]))
    assert len(theirs.history()) == before + 1
