"""One deal as a state machine: the pass, the tricks, the moon, the scores."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias, assert_never

from referee.rules import legality
from referee.rules.breach import Breach
from referee.rules.cards import CARDS, Card, suit_of
from referee.rules.dealing import check_dealt
from referee.rules.legality import BREAKS, NO_SEAT
from referee.rules.parameters import LastTrickCancelled, Moon, MoonChoice
from referee.rules.scoring import moon_scores
from referee.rules.taking import Takings

if TYPE_CHECKING:
    from referee.rules.ruleset import RuleSet

__all__ = ["NO_SEAT", "Deal", "Phase"]

_SUIT_OF = (0, *(suit_of(card) for card in CARDS))
_NOTHING_LED = -1
_Suits: TypeAlias = tuple[list[Card], list[Card], list[Card], list[Card]]


class Phase(StrEnum):
    """What a deal waits for."""

    PASS = "pass"
    PLAY = "play"
    MOON = "moon"  # the shooter chooses how its moon is scored
    DONE = "done"


# Looking a member up in its enumeration takes longer than anything else in a decision (Python 3.11).
_PASS, _PLAY, _MOON, _DONE = Phase


class Deal:
    """One deal. Every decision returns None, or the Breach it would be, and then has changed nothing.

    Attributes:
        rules: the rule set.
        deal_number: from 1.
        dealer: seat that dealt.
        pass_offset: seats clockwise from giver to taker; 0 is a hold.
        phase: what is waited for.
        passed: cards given, per seat; empty until that seat has passed.
        received: cards got, per seat; empty until all have passed.
        turn_seat: who is to play, or the shooter who is to choose; NO_SEAT in the other phases.
        played: all cards of the deal, in order.
        leaders: seat that led, per trick.
        winners: seat that won, per finished trick; None where nobody did.
        hearts_broken: whether hearts are broken.
        points: points of the cards taken so far, per seat.
        moon_seat: who shot the moon, once all tricks are played.
        scores: change of the totals, per seat, once the deal is done.
    """

    __slots__ = (
        "_before", "_best", "_best_seat", "_cancels", "_cards_total", "_counting", "_hands", "_has_twins", "_led",
        "_legal", "_marks", "_next_seat", "_seats", "_tables", "_takings", "deal_number", "dealer",
        "hearts_broken", "leaders", "moon_seat", "pass_offset", "passed", "phase", "played", "points", "received",
        "rules", "scores", "turn_seat", "winners",
    )  # fmt: skip

    def __init__(
        self,
        rules: RuleSet,
        *,
        deal_number: int,
        hands: Sequence[Sequence[Card]],
        widow: Sequence[Card] = (),
        dealer: int | None = None,
    ) -> None:
        """Start a deal from the cards as dealt.

        Args:
            rules: the rule set.
            deal_number: from 1; decides the pass, and the dealer where none is given.
            hands: cards of each seat before the pass.
            widow: cards left over.
            dealer: seat that dealt; seat 0 deals first and the deal moves clockwise.

        Raises:
            ValueError: the cards are not those of the rule set, or not dealt evenly.
        """
        seats = rules.seats
        self.rules = rules
        self.deal_number = deal_number
        self.dealer = (deal_number - 1) % seats if dealer is None else dealer
        check_dealt(rules, deal_number, self.dealer, hands, widow)
        self._before = [sorted(hand) for hand in hands]  # hands until the play begins, without what was passed
        self._hands: list[_Suits] = []  # from then on
        self.pass_offset = rules.pass_cycle[(deal_number - 1) % len(rules.pass_cycle)] if rules.pass_count else 0
        self.passed: list[tuple[Card, ...]] = [()] * seats
        self.received: list[tuple[Card, ...]] = [()] * seats
        self.played: list[Card] = []
        self.leaders: list[int] = []
        self.winners: list[int | None] = []
        self.hearts_broken = False
        self.moon_seat: int | None = None
        self.scores: list[int] = []
        self.turn_seat = NO_SEAT
        self.phase = _PASS
        self._seats = seats
        self._tables = rules.tables
        self._has_twins = rules.packs > 1
        self._cancels = rules.cancellation and self._has_twins
        self._cards_total = rules.hand_size * seats
        self._takings = Takings(rules, widow)
        self.points = self._takings.points
        # Of the trick on the table:
        self._led = _NOTHING_LED  # suit
        self._marks: tuple[int, ...] = ()  # what each card does in a trick led in that suit
        self._best = 0  # highest card of that suit so far, of twins the one played first (R5.3)
        self._best_seat = NO_SEAT  # who played it
        self._counting: list[Card] = []  # its cards with points, and those that a moon needs
        self._next_seat: tuple[int, ...] = ()  # who plays after each seat
        self._legal: list[Card] = []  # what `turn_seat` may play; may be the very list of its suit
        if self.pass_offset == 0:
            self._start_play()

    @property
    def hands(self) -> list[list[Card]]:
        """Cards held now, sorted, per seat."""
        return [self.hand(seat) for seat in range(self._seats)]

    def hand(self, seat: int) -> list[Card]:
        """Cards that one seat holds now, sorted; while passing, what it was dealt."""
        if self.phase is _PASS:
            return sorted([*self._before[seat], *self.passed[seat]])
        clubs, diamonds, hearts, spades = self._hands[seat]
        return [*clubs, *diamonds, *hearts, *spades]

    def seats_to_act(self) -> tuple[int, ...]:
        """Seats whose decision is waited for."""
        if self.phase is _PASS:
            return tuple(seat for seat in range(self._seats) if not self.passed[seat])
        return () if self.turn_seat == NO_SEAT else (self.turn_seat,)

    def legal(self, seat: int) -> list[Card]:
        """Cards that the seat may name, ascending; empty where it has nothing to decide.

        While passing that is its hand, a card held twice listed twice; in play each face is listed once.
        """
        if seat == self.turn_seat:
            return list(dict.fromkeys(self._legal)) if self._has_twins else self._legal.copy()
        return self._before[seat].copy() if self.phase is _PASS and not self.passed[seat] else []

    def pass_cards(self, seat: int, cards: Sequence[Card]) -> Breach | None:
        """Give the seat's cards away (R3); the last to pass starts the play."""
        if self.phase is not _PASS:
            return Breach.WRONG_KIND
        if not 0 <= seat < self._seats or self.passed[seat]:
            return Breach.NOT_YOUR_TURN
        if len(cards) != self.rules.pass_count:
            return Breach.PASS_WRONG_COUNT
        kept = self._before[seat].copy()
        try:
            for card in cards:
                kept.remove(card)
        except ValueError:
            return _why_not_passed(self._before[seat], cards)
        self._before[seat] = kept
        self.passed[seat] = tuple(cards)
        if all(self.passed):
            self._exchange()
            self._start_play()
        return None

    def play(self, seat: int, card: Card) -> Breach | None:
        """Play a card to the trick; the last card of the deal ends it, or asks the shooter of a moon."""
        if seat != self.turn_seat or card not in self._legal:
            return self._why_not(seat, card)
        suit = _SUIT_OF[card]
        hands = self._hands
        hands[seat][suit].remove(card)
        self.played.append(card)
        led = self._led
        if led == suit:
            if card > self._best:
                self._best = card
                self._best_seat = seat
        elif led == _NOTHING_LED:
            led = self._led = suit
            self._best = card
            self._best_seat = seat
            self._marks = self._tables.marks[suit]
        mark = self._marks[card]
        if mark:
            self._counting.append(card)
            if mark == BREAKS:
                self.hearts_broken = True  # R7.2: at once
        seat = self._next_seat[seat]
        if seat == NO_SEAT:
            self._end_trick()
            return None
        self.turn_seat = seat
        if self.winners:
            suits = hands[seat]
            self._legal = suits[led] or [*suits[0], *suits[1], *suits[2], *suits[3]]  # R5.2
        else:
            self._legal = legality.may_follow_first(self._tables, hands[seat], led)
        return None

    def choose_moon(self, seat: int, choice: str) -> Breach | None:
        """Score the moon as its shooter chooses: `add` or `subtract`."""
        if self.phase is not _MOON:
            return Breach.WRONG_KIND
        if seat != self.turn_seat:
            return Breach.NOT_YOUR_TURN
        if choice == MoonChoice.ADD:
            self._score_moon(seat, adds=True)
        elif choice == MoonChoice.SUBTRACT:
            self._score_moon(seat, adds=False)
        else:
            return Breach.MOON_CHOICE_UNKNOWN
        return None

    def revoke(self, seat: int) -> None:
        """End the deal with all its points to the offender: the ruling `revoke` (R16.1).

        Raises:
            ValueError: the deal is over.
        """
        if self.phase is _DONE:
            raise ValueError(f"deal {self.deal_number} is over: nobody can revoke")
        scores = [0] * self._seats
        scores[seat] = self.rules.deal_total
        self.moon_seat = None
        self._finish(scores)

    def _hand(self, seat: int) -> list[Card]:
        clubs, diamonds, hearts, spades = self._hands[seat]
        return [*clubs, *diamonds, *hearts, *spades]

    def _exchange(self) -> None:
        for giver, cards in enumerate(self.passed):
            taker = (giver + self.pass_offset) % self._seats
            self.received[taker] = cards
            self._before[taker] += cards
        for hand in self._before:
            hand.sort()

    def _start_play(self) -> None:
        self.phase = _PLAY
        self._hands = [_by_suit(hand) for hand in self._before]
        seat = (self.dealer + 1) % self._seats
        lowest_club = self._lowest_club()
        if lowest_club:
            while lowest_club not in self._hands[seat][0]:
                seat = (seat + 1) % self._seats
        self._lead(seat, [lowest_club] if lowest_club else legality.may_lead_first(self._tables, self._hands[seat]))

    def _lowest_club(self) -> Card:
        """Card that must be led to the first trick (R4.1), 0 where the rules prescribe none."""
        if not self._tables.lowest_club_leads:
            return 0
        return min([clubs[0] for clubs, _, _, _ in self._hands if clubs])

    def _lead(self, seat: int, legal: list[Card]) -> None:
        self.turn_seat = seat
        self.leaders.append(seat)
        self._next_seat = self._tables.next_seat[seat]
        self._led = _NOTHING_LED
        self._counting = []
        self._legal = legal

    def _end_trick(self) -> None:
        is_last = len(self.played) == self._cards_total
        winner = self._best_uncancelled(self.leaders[-1]) if self._cancels else self._best_seat
        if winner is None and is_last:
            winner = self._taker_of_last()
        self.winners.append(winner)
        if winner is None:
            self._takings.pot += self._counting
        elif self._counting or self._takings.pot:
            self._takings.take(winner, self._counting)
        if is_last:
            self._score()
            return
        seat = self.leaders[-1] if winner is None else winner
        suits = self._hands[seat]
        if self.hearts_broken:
            self._lead(seat, [*suits[0], *suits[1], *suits[2], *suits[3]])
        else:
            self._lead(seat, legality.may_lead(self._tables, suits))

    def _best_uncancelled(self, leader: int) -> int | None:
        """Seat of the highest card of the suit led that has no twin in the trick (R9.2), None if there is none."""
        trick = self.played[-self._seats :]
        best = max((card for card in trick if _SUIT_OF[card] == self._led and trick.count(card) == 1), default=0)
        return (leader + trick.index(best)) % self._seats if best else None

    def _taker_of_last(self) -> int | None:
        """Who takes a last trick in which the whole led suit cancelled."""
        leader = self.leaders[-1]
        match self.rules.last_trick_cancelled:
            case LastTrickCancelled.LEADER:
                return leader
            case LastTrickCancelled.SECOND_OF_HIGHEST:
                trick = self.played[-self._seats :]
                return (leader + trick.index(self._best, trick.index(self._best) + 1)) % self._seats
            case LastTrickCancelled.PREVIOUS_WINNER:
                return next((seat for seat in reversed(self.winners) if seat is not None), leader)
            case LastTrickCancelled.VOID:
                return None
            case unknown:
                assert_never(unknown)

    def _score(self) -> None:
        shooter = self._takings.shooter(self._tables.needed_total)
        if shooter is None:
            self._finish(self.points.copy())
            return
        self.moon_seat = shooter
        if self.rules.moon is Moon.CHOICE:
            self.phase = _MOON
            self._legal = []  # the shooter is asked for a choice, not for a card
            self.turn_seat = shooter
        else:
            self._score_moon(shooter, adds=self.rules.moon is Moon.ADD)

    def _score_moon(self, shooter: int, *, adds: bool) -> None:
        self._finish(moon_scores(self.rules, shooter, self._takings.bonus_points, adds=adds))

    def _finish(self, scores: list[int]) -> None:
        self.scores = scores
        self.phase = _DONE
        self.turn_seat = NO_SEAT

    def _why_not(self, seat: int, card: Card) -> Breach:
        if self.phase is not _PLAY:
            return Breach.WRONG_KIND
        if seat != self.turn_seat:
            return Breach.NOT_YOUR_TURN
        suits = self._hands[seat]
        if card not in self._hand(seat):
            return Breach.CARD_NOT_HELD
        if self._led != _NOTHING_LED:
            return legality.why_not_follow(suits, self._led, card)
        if self.played:
            return legality.why_not_lead(card)
        if self._tables.lowest_club_leads:
            return Breach.MUST_LEAD_LOWEST_CLUB
        return legality.why_not_lead_first(self._tables, suits, card)


def _by_suit(hand: list[Card]) -> _Suits:
    diamonds = bisect_left(hand, 14)
    hearts = bisect_left(hand, 27, diamonds)
    spades = bisect_left(hand, 40, hearts)
    return hand[:diamonds], hand[diamonds:hearts], hand[hearts:spades], hand[spades:]


def _why_not_passed(hand: list[Card], cards: Sequence[Card]) -> Breach:
    is_repeated = any(cards.count(card) > max(hand.count(card), 1) for card in cards)
    return Breach.PASS_CARD_REPEATED if is_repeated else Breach.CARD_NOT_HELD
