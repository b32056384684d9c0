"""Tells deals as text that a person can follow and a test can replay, decision by decision.

A teller asks a source for the cards and the decisions: a `Recorder` makes them up, a `Script` reads them from a
text told before. Everything else in the text (legal sets, winners, points, scores, places) is what the rulebook
says today.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Protocol

from referee.rules.cards import Card, card_text, cards_text, parse_cards
from referee.rules.deal import Deal, Phase
from referee.rules.dealing import deal_cards, deal_seed, integer_seed
from referee.rules.presets import preset
from referee.rules.ruleset import Moon, RuleSet
from referee.rules.scoring import MatchScore

Cards = list[list[Card]]
Decision = tuple[int, str, str]
"""Seat, verb (`passes`, `plays`, `tries`, `chooses`) and the words that follow."""

DEALS = 2
DEALS_OF = {"american": 4, "five-wide": 5}  # these show a whole pass cycle
TRY_SHARE = 0.06


class Source(Protocol):
    """Where the cards and the decisions come from."""

    def dealt(self, rules: RuleSet, deal_number: int) -> tuple[Cards, list[Card]]:
        """Hands and widow of a deal."""
        ...

    def decision(self, deal: Deal) -> Decision:
        """What is decided next."""
        ...


class Recorder:
    """Makes up a playthrough: public dealing, random play, and a moon in the last deal where there are moons."""

    def __init__(self, name: str, attempt: int) -> None:
        self.rng = Random(f"playthrough {name} {attempt}")
        self.deals = DEALS_OF.get(name, DEALS)
        self.hunter: int | None = None
        self.just_tried = False

    def dealt(self, rules: RuleSet, deal_number: int) -> tuple[Cards, list[Card]]:
        """Deal; in the last deal the hunter gets the highest cards."""
        dealt = deal_cards(rules, deal_seed(integer_seed(7), "", 0, 0, deal_number))
        hands, widow = [list(hand) for hand in dealt.hands], list(dealt.widow)
        if deal_number == self.deals and rules.moon is not Moon.NONE:
            self.hunter = (deal_number + 1) % rules.seats
            pack = sorted(rules.pack, key=lambda card: ((card - 1) % 13, card), reverse=True)
            size = rules.hand_size
            rest = pack[size : size * rules.seats]
            widow = sorted(pack[size * rules.seats :])
            self.rng.shuffle(rest)
            others = iter(range(rules.seats - 1))
            hands = [
                sorted(pack[:size] if seat == self.hunter else rest[(n := next(others)) * size : (n + 1) * size])
                for seat in range(rules.seats)
            ]
        return hands, widow

    def decision(self, deal: Deal) -> Decision:
        """Decide at random, now and then after trying something that is not legal."""
        seat = deal.seats_to_act()[0]
        match deal.phase:
            case Phase.PASS:
                if seat == self.hunter:  # keeps its high cards
                    cards = sorted(deal.hands[seat], key=lambda card: (card - 1) % 13)[: deal.rules.pass_count]
                else:
                    cards = self.rng.sample(deal.hands[seat], deal.rules.pass_count)
                return seat, "passes", " ".join(cards_text(cards))
            case Phase.MOON:
                return seat, "chooses", self.rng.choice(["add", "subtract"])
            case _:
                return self.card(deal, seat)

    def card(self, deal: Deal, seat: int) -> Decision:
        """Choose a card to play, or to try."""
        legal = deal.legal(seat)
        illegal = [card for card in deal.hands[seat] if card not in legal]
        if illegal and not self.just_tried and self.rng.random() < TRY_SHARE:
            self.just_tried = True
            return seat, "tries", card_text(self.rng.choice(illegal))
        self.just_tried = False
        ranked = sorted(legal, key=lambda card: (card - 1) % 13)
        card = self.rng.choice(legal)
        if self.hunter is not None:
            card = ranked[-1 if seat == self.hunter else 0]
        return seat, "plays", card_text(card)


class Script:
    """Reads the cards and decisions of a text told before."""

    def __init__(self, told: str) -> None:
        lines = [line.split() for line in told.splitlines()]
        self.deals = sum(words[:1] == ["deal"] for words in lines)
        self.hands = iter([words[4:] for words in lines if words[2:4] == ["is", "dealt"]])
        self.widows = iter([words[2:] for words in lines if words[:2] == ["widow", "of"]])
        verbs = ("passes", "plays", "tries", "chooses")
        self.decisions = iter(
            [
                (int(words[1]), words[2], self.object_of(words))
                for words in lines
                if words[2:3] and words[2] in verbs
            ]
        )

    @staticmethod
    def object_of(words: list[str]) -> str:
        """The words between the verb and what the rulebook added."""
        rest = words[3:]
        end = next((n for n, word in enumerate(rest) if word in ("of", "but")), len(rest))
        return " ".join(rest[:end])

    def dealt(self, rules: RuleSet, deal_number: int) -> tuple[Cards, list[Card]]:
        """Read the next deal's cards."""
        hands = [list(parse_cards(next(self.hands))) for _ in range(rules.seats)]
        return hands, list(parse_cards(next(self.widows))) if rules.widow_size else []

    def decision(self, deal: Deal) -> Decision:
        """Read the next decision."""
        return next(self.decisions)


def record(name: str) -> str:
    """Record a playthrough: the first attempt that shows a moon and a carried trick, where the preset has them."""
    wanted = ["shot the moon"] if preset(name).moon is not Moon.NONE else []
    wanted += ["nobody wins"] if preset(name).cancellation else []
    for attempt in range(1000):
        recorder = Recorder(name, attempt)
        told = "\n".join(tell(name, recorder, recorder.deals)) + "\n"
        if all(sight in told for sight in wanted):
            return told
    raise AssertionError(f"no attempt under {name} shows {wanted}")


def tell(name: str, source: Source, deals: int) -> Iterator[str]:
    """Tell a match of so many deals under a preset."""
    rules = preset(name)
    match = MatchScore(rules, deals=deals)
    yield f"rules {name}: {rules.seats} seats, {rules.deal_total} points a deal"
    for deal_number in range(1, deals + 1):
        hands, widow = source.dealt(rules, deal_number)
        deal = Deal(rules, deal_number=deal_number, hands=hands, widow=widow)
        yield ""
        yield f"deal {deal_number}, seat {deal.dealer} deals, pass offset {deal.pass_offset}"
        for seat, hand in enumerate(hands):
            yield f"  seat {seat} is dealt {' '.join(cards_text(hand))}"
        if widow:
            yield f"widow of {' '.join(cards_text(widow))}"
        yield from tell_deal(deal, source)
        match.add(deal.scores)
        yield f"scores {numbers(deal.scores)}, totals {numbers(match.totals)}"
    yield ""
    yield f"places {numbers(match.places)}"


def tell_deal(deal: Deal, source: Source) -> Iterator[str]:
    """Tell one deal from the pass to the scores."""
    announced = 0
    while deal.phase is not Phase.DONE:
        before = deal.phase
        if before is Phase.PLAY and len(deal.leaders) > announced:
            announced = len(deal.leaders)
            yield f"trick {announced}"
        seat, verb, words = source.decision(deal)
        tricks = len(deal.winners)
        yield "  " + tell_decision(deal, seat, verb, words)
        if before is Phase.PASS and deal.phase is Phase.PLAY:
            for receiver, cards in enumerate(deal.received):
                yield f"  seat {receiver} receives {' '.join(cards_text(cards))}"
        if len(deal.winners) > tricks:
            yield "  " + tell_trick(deal)
    if deal.moon_seat is not None:
        yield f"seat {deal.moon_seat} shot the moon"


def tell_decision(deal: Deal, seat: int, verb: str, words: str) -> str:
    """Apply a decision and say what came of it, and what was legal."""
    legal = " ".join(cards_text(deal.legal(seat))) if deal.phase is not Phase.MOON else "add subtract"
    match verb:
        case "passes":
            breach, legal = deal.pass_cards(seat, list(parse_cards(words.split()))), "its hand"
        case "chooses":
            breach = deal.choose_moon(seat, words)
        case _:
            breach = deal.play(seat, parse_cards([words])[0])
    line = f"seat {seat} {verb} {words}"
    return f"{line} of {legal}" if breach is None else f"{line} but {breach.value}"


def tell_trick(deal: Deal) -> str:
    """Say who won the trick just finished."""
    winner = deal.winners[-1]
    who = "nobody wins" if winner is None else f"seat {winner} wins"
    return f"{who}, points {numbers(deal.points)}, hearts {'broken' if deal.hearts_broken else 'unbroken'}"


def numbers(values: list[int] | tuple[int, ...]) -> str:
    """Write numbers with spaces between."""
    return " ".join(map(str, values))
