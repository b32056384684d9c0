"""Plays one deal on both referees at once, with legal and illegal decisions, and stops at the first difference."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from referee.rules.deal import Deal, Phase
from referee.rules.ruleset import RuleSet
from tests.naive.cards import CARDS, ORDER, QUEEN, RANK, Rules, pack_of
from tests.naive.deal import NaiveDeal

NOT_CARDS = (0, -1, 53, 105)
ILLEGAL_SHARE = 0.15
"""Share of the turns at which an illegal decision is tried first."""

Hands = tuple[list[list[str]], list[str]]
"""Hands by seat, and the widow."""


def weight_of(card: str, shape: str) -> float:
    """Where a card tends to lie in a lopsided pack: by suit, by rank, or with the penalty cards together."""
    match shape:
        case "suits":
            return 4.0 * "CDHS".index(card[1])
        case "ranks":
            return 0.5 * RANK[card]
        case "penalties":
            return 4.0 * (card[1] == "H" or card in ("QS", "KS", "AS"))
        case _:
            return 0.0


def shuffled_hands(rules: Rules, rng: Random, shape: str | None = None) -> Hands:
    """Deal the pack: half the time at random, else lopsided, so that voids, long suits and moons are common."""
    shape = shape or rng.choice(["random", "random", "random", "suits", "ranks", "penalties"])
    spread = rng.choice([0.5, 2.0, 5.0])
    pack = pack_of(rules)
    pack.sort(key=lambda card: weight_of(card, shape) + spread * rng.random(), reverse=rng.random() < 0.5)
    seats, size, first = rules["seats"], len(pack) // rules["seats"], rng.randrange(rules["seats"])
    hands: list[list[str]] = [[] for _ in range(seats)]
    for n in range(seats):
        hands[(first + n) % seats] = pack[n * size : (n + 1) * size]
    return hands, pack[seats * size :]


class DisagreementError(AssertionError):
    """The referees disagree; the message says where and how to see it again."""


class Comparison:
    """One deal under way on both referees."""

    def __init__(
        self,
        fast_rules: RuleSet,
        rules: Rules,
        deal_number: int,
        rng: Random,
        where: str = "",
        *,
        shape: str | None = None,
    ) -> None:
        self.rules, self.rng, self.where = rules, rng, where
        self.hands, self.widow = shuffled_hands(rules, rng, shape)
        self.naive = NaiveDeal(rules, deal_number, self.hands, self.widow)
        self.fast = Deal(
            fast_rules,
            deal_number=deal_number,
            hands=[numbers(hand) for hand in self.hands],
            widow=tuple(numbers(self.widow)),
        )
        self.hunter = rng.randrange(rules["seats"]) if rng.random() < 0.3 else None
        self.seen: Counter[str] = Counter()
        """What happened, for the tests that ask whether everything was met."""

    def run(self) -> list[int]:
        """Play the deal to its end; answer its scores.

        Raises:
            DisagreementError: the two referees disagree.
        """
        while self.naive.phase != "done":
            self.step()
        self.compare_end()
        assert self.naive.scores is not None
        return self.naive.scores

    def step(self) -> None:
        """One decision: perhaps an illegal one before it, then a legal one."""
        seats = self.naive.seats_to_act()
        self.same("phase", self.fast.phase.name.lower(), self.naive.phase)
        self.same("seats to act", list(self.fast.seats_to_act()), seats)
        seat = self.rng.choice(seats)
        legal = self.naive.legal(seat) if self.naive.phase != "moon" else []
        self.same(f"legal set of seat {seat}", list(self.fast.legal(seat)), numbers(legal))
        if self.rng.random() < ILLEGAL_SHARE or self.naive.phase == "moon":
            self.try_breach(seat)
        match self.naive.phase:
            case "pass":
                cards = self.rng.sample(self.naive.hands[seat], self.rules["pass_count"])
                self.decide("pass", seat, cards)
            case "moon":
                self.seen["moon choice"] += 1
                self.decide("moon", seat, [self.rng.choice(["add", "subtract"])])
            case _:
                self.decide("play", seat, [self.pick(seat, legal)])
                if self.naive.phase != "play" or not self.naive.tricks[-1]:
                    self.compare_trick()

    def pick(self, seat: int, legal: list[str]) -> str:
        """With a hunter it plays high and the others low, which makes moons; else anything."""
        if self.hunter is None:
            return self.rng.choice(legal)
        return max(legal, key=RANK.__getitem__) if seat == self.hunter else min(legal, key=RANK.__getitem__)

    # -- decisions on both ---------------------------------------------------------------------------------

    def decide(self, kind: str, seat: int, answer: list[Any]) -> str | None:
        """Give both the same decision and compare what they say."""
        if kind == "pass":
            theirs = self.naive.pass_cards(seat, answer)
            ours = self.fast.pass_cards(seat, numbers(answer))
        elif kind == "play":
            theirs = self.naive.play(seat, answer[0])
            ours = self.fast.play(seat, numbers(answer)[0])
        else:
            theirs = self.naive.choose_moon(seat, answer[0])
            ours = self.fast.choose_moon(seat, answer[0])
        self.same(f"breach of {kind} {answer} by seat {seat}", None if ours is None else ours.value, theirs)
        return theirs

    def try_breach(self, seat: int) -> None:
        """Try a decision that is most likely against the rules, and see that nothing changes if it is."""
        kind, offender, answer = self.strange_decision(seat)
        if self.is_legal(kind, offender, answer):
            return
        before = state_of(self.fast)
        breach = self.decide(kind, offender, answer)
        self.same(f"a breach of {kind} {answer} by seat {offender}", breach is not None, True)
        self.same(f"state after {breach}", state_of(self.fast), before)
        self.seen[str(breach)] += 1

    def strange_decision(self, seat: int) -> tuple[str, int, list[Any]]:
        """Make up a decision with something wrong, most often only a little."""
        phase, rng = self.naive.phase, self.rng
        hand = self.naive.hands[seat]
        others = [other for other in range(self.rules["seats"]) if other not in self.naive.seats_to_act()]
        if rng.random() < 0.1:
            kind = rng.choice([kind for kind in ("pass", "play", "moon") if kind != phase])
            return (
                kind,
                seat,
                {"pass": hand[: self.rules["pass_count"]], "play": hand[:1] or ["2C"]}.get(kind, ["add"]),
            )
        if others and rng.random() < 0.15:
            other = rng.choice(others)
            cards = self.naive.hands[other] or ["2C"]
            return phase, other, {"pass": cards[: self.rules["pass_count"]], "play": cards[:1]}.get(phase, ["add"])
        if phase == "moon":
            return "moon", seat, [rng.choice(["", "ADD", "none", "both"])]
        if phase == "play":
            illegal = [card for card in hand if card not in self.naive.legal(seat)]
            if QUEEN in illegal and rng.random() < 0.5:
                return "play", seat, [QUEEN]
            return "play", seat, [rng.choice([*illegal, rng.choice(CARDS), rng.choice(NOT_CARDS)])]
        count = self.rules["pass_count"]
        size = rng.choice([count, count, count, count - 1, count + 1])
        cards = [rng.choice([*hand, rng.choice(CARDS)]) for _ in range(size)]
        return "pass", seat, cards

    def is_legal(self, kind: str, seat: int, answer: list[Any]) -> bool:
        """Would the naive referee take it?"""
        if kind != self.naive.phase or seat not in self.naive.seats_to_act():
            return False
        if kind == "play":
            return answer[0] in self.naive.legal(seat)
        if kind == "moon":
            return answer[0] in ("add", "subtract")
        hand = self.naive.hands[seat]
        right_count = len(answer) == self.rules["pass_count"]
        return right_count and all(answer.count(card) <= hand.count(card) for card in answer)

    # -- what must agree -----------------------------------------------------------------------------------

    def compare_trick(self) -> None:
        """After a whole trick."""
        naive, fast = self.naive, self.fast
        self.same("winners", list(fast.winners), naive.winners)
        self.same("hearts broken", fast.hearts_broken, naive.broken)
        self.same("points", list(fast.points), naive.points())
        if naive.winners[-1] is None:
            self.seen["no winner"] += 1

    def compare_end(self) -> None:
        """After the deal."""
        naive, fast = self.naive, self.fast
        self.same("phase", fast.phase, Phase.DONE)
        self.same("seats to act", list(fast.seats_to_act()), [])
        self.same("legal sets", [fast.legal(seat) for seat in range(naive.seats)], [[]] * naive.seats)
        self.same("pass offset", fast.pass_offset, naive.pass_offset)
        self.same("played", list(fast.played), numbers(naive.played()))
        self.same("leaders", list(fast.leaders), naive.leaders())
        self.same("passed", [sorted(cards) for cards in fast.passed], naive_passed(naive))
        self.same("received", [sorted(cards) for cards in fast.received], naive_received(naive))
        self.same("points", list(fast.points), naive.points())
        self.same("moon seat", fast.moon_seat, naive.shooter)
        self.same("scores", list(fast.scores), naive.scores)
        if naive.shooter is not None:
            self.seen["moon"] += 1

    def same(self, what: str, ours: object, theirs: object) -> None:
        """Compare one thing.

        Raises:
            DisagreementError: it is not the same.
        """
        if ours != theirs:
            raise DisagreementError(
                f"{what}: referee.rules says {ours}, docs/rules.md says {theirs}\n{self.where}\n"
                f"rules {dict(self.rules)}\nhands {self.hands} widow {self.widow}\n"
                f"passes {self.naive.passes}\ntricks {self.naive.tricks}\nhands now {self.naive.hands}"
            )


def numbers(cards: list[Any]) -> list[int]:
    """Turn card texts into the numbers of the wire; what is no text stays."""
    return [ORDER.get(card, card) for card in cards]


def naive_passed(naive: NaiveDeal) -> list[list[int]]:
    """What each seat gave away."""
    return [sorted(numbers(naive.passes.get(seat, []))) for seat in range(naive.seats)]


def naive_received(naive: NaiveDeal) -> list[list[int]]:
    """What each seat was given."""
    given = naive_passed(naive)
    return [given[(seat - naive.pass_offset) % naive.seats] for seat in range(naive.seats)]


def state_of(deal: Deal) -> tuple[object, ...]:
    """Everything public about a deal, as it is now."""
    return (
        deal.phase,
        deal.seats_to_act(),
        tuple(map(tuple, deal.hands)),
        tuple(map(tuple, deal.passed)),
        tuple(map(tuple, deal.received)),
        tuple(deal.played),
        tuple(deal.leaders),
        tuple(deal.winners),
        deal.hearts_broken,
        tuple(deal.points),
        deal.moon_seat,
        tuple(map(tuple, map(deal.legal, deal.seats_to_act() if deal.phase is not Phase.MOON else ()))),
    )
