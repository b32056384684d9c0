"""A view never changes when only hidden cards change: under every preset, at any moment, to the byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

import pytest

from referee.records import TurnKind
from referee.rules.cards import Card, suit_of
from referee.rules.deal import Deal, Phase
from referee.rules.presets import PRESETS, preset
from referee.rules.ruleset import RuleSet
from referee.table import Ask
from referee.table.turns import Turn
from referee.wire import codec
from tests.oracle.drive import numbers, shuffled_hands
from tests.oracle.rule_sets import PRESETS as WRITTEN

DEALS = 8
MOMENTS = 5  # of each deal
KINDS = {Phase.PASS: TurnKind.PASS, Phase.PLAY: TurnKind.PLAY, Phase.MOON: TurnKind.MOON}


class History(NamedTuple):
    """A deal as far as it has come: the cards as dealt, then decisions as (seat, cards)."""

    number: int
    hands: list[list[Card]]
    widow: list[Card]
    decisions: list[tuple[int, tuple[Card, ...]]]

    def relabelled(self, name: Callable[[Card], Card]) -> History:
        """The same, with every card called by another name."""
        return History(
            self.number,
            [[name(card) for card in hand] for hand in self.hands],
            [name(card) for card in self.widow],
            [(seat, tuple(name(card) for card in cards)) for seat, cards in self.decisions],
        )


def replayed(rules: RuleSet, history: History) -> Deal | None:
    """The deal that the history leads to; None if the rules forbid it."""
    deal = Deal(rules, deal_number=history.number, hands=history.hands, widow=history.widow)
    for seat, cards in history.decisions:
        breach = deal.pass_cards(seat, cards) if deal.phase is Phase.PASS else deal.play(seat, cards[0])
        if breach is not None:
            return None
    return deal


def whole_deal(name: str, rng: Random) -> History:
    """A random deal with all its decisions but the choice of a moon."""
    hands, widow = shuffled_hands(WRITTEN[name], rng)
    history = History(rng.randint(1, 12), [numbers(hand) for hand in hands], numbers(widow), [])
    deal = replayed(preset(name), history)
    assert deal is not None
    while deal.phase in (Phase.PASS, Phase.PLAY):
        seat = rng.choice(deal.seats_to_act())
        count = deal.rules.pass_count if deal.phase is Phase.PASS else 1
        cards = tuple(rng.sample(deal.legal(seat), count))
        assert (deal.pass_cards(seat, cards) if deal.phase is Phase.PASS else deal.play(seat, cards[0])) is None
        history.decisions.append((seat, cards))
    return history


def hidden_from(deal: Deal, seat: int, widow: Sequence[Card]) -> list[Card]:
    """Cards of which the seat knows no copy: not its own at any time, and not played.

    The widow's stay what they are once it is taken: its points are among those of its taker, which everybody sees.
    """
    known = {*deal.hand(seat), *deal.passed[seat], *deal.received[seat], *deal.played}
    if any(winner is not None for winner in deal.winners):
        known |= set(widow)
    return sorted(set(deal.rules.pack) - known)


def other_names(hidden: Sequence[Card], rng: Random, *, within_suits: bool) -> Callable[[Card], Card]:
    """Shuffle the names of the hidden cards; all others keep theirs."""
    names = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    if within_suits:
        names = {}
        for suit in range(4):
            cards = [card for card in hidden if suit_of(card) == suit]
            names |= zip(cards, rng.sample(cards, len(cards)), strict=True)
    return lambda card: names.get(card, card)


def view(deal: Deal, seat: int) -> bytes:
    legal = [] if deal.phase is Phase.MOON else deal.legal(seat)
    ask = Ask(seat, KINDS[deal.phase], 1, 99, legal, deal, (0,) * deal.rules.seats)
    turn = Turn(ask, 7, deal.rules.name, deal.rules.target, 1000, 5000, 12, turn_id=3)
    return codec.turn_message(turn).SerializeToString(deterministic=True)


@pytest.mark.parametrize("name", PRESETS)
def test_a_view_does_not_change_when_only_hidden_cards_change(name: str) -> None:
    seed = f"views of {name}"
    rng = Random(seed)
    compared = 0
    for number in range(DEALS):
        whole = whole_deal(name, rng)
        for _ in range(MOMENTS):
            so_far = whole._replace(decisions=whole.decisions[: rng.randrange(len(whole.decisions))])
            deal = replayed(preset(name), so_far)
            assert deal is not None
            seat = rng.choice(deal.seats_to_act())
            hidden = hidden_from(deal, seat, so_far.widow)
            # Within suits everybody still follows suit; any exchange at all is fine where nobody has played.
            other = so_far.relabelled(other_names(hidden, rng, within_suits=bool(deal.played)))
            changed = replayed(preset(name), other)
            if changed is None or seat not in changed.seats_to_act() or other == so_far:
                continue  # with those cards it could not have come to this
            compared += 1
            assert view(changed, seat) == view(deal, seat), (
                f"{seed}, deal {number}: {so_far} and {other}, seat {seat}"
            )
    assert compared >= DEALS, f"{seed}: only {compared} moments were compared"


def test_a_view_changes_with_a_card_that_the_seat_knows() -> None:
    rng = Random("a view of one's own cards")
    whole = whole_deal("american", rng)
    before = whole._replace(decisions=[])
    deal = replayed(preset("american"), before)
    assert deal is not None
    seat = deal.seats_to_act()[0]
    own, foreign = deal.hand(seat)[0], deal.hand((seat + 1) % 4)[0]
    names = {own: foreign, foreign: own}
    changed = replayed(preset("american"), before.relabelled(lambda card: names.get(card, card)))

    assert changed is not None
    assert view(changed, seat) != view(deal, seat)
