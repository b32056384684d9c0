"""One deal as a state machine: the pass, the tricks, the moon, the scores."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, assert_never

from referee.rules import legality
from referee.rules.breach import Breach
from referee.rules.cards import CLUBS_MASK, SUIT_MASKS, Card, cards_of, mask_of
from referee.rules.dealing import check_dealt
from referee.rules.parameters import FirstLead, LastTrickCancelled, Moon, MoonChoice
from referee.rules.scoring import moon_scores

if TYPE_CHECKING:
    from referee.rules.ruleset import RuleSet

NO_SEAT = -1

# Faces of masks within one suit, listed once for all deals: at most 4 * 8191 entries.
_listed: dict[int, list[Card]] = {}


class Phase(StrEnum):
    """What a deal waits for."""

    PASS = "pass"
    PLAY = "play"
    MOON = "moon"  # the shooter chooses how its moon is scored
    DONE = "done"


class Deal:
    """One deal. Every decision returns None, or the Breach it would be, and then has changed nothing.

    Attributes:
        rules: the rule set.
        deal_number: from 1.
        dealer: seat that dealt.
        pass_offset: seats clockwise from giver to taker; 0 is a hold.
        phase: what is waited for.
        hands: cards held now, sorted, per seat.
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
        self.hands = [sorted(hand) for hand in hands]
        check_dealt(rules, deal_number, self.dealer, self.hands, widow)
        self.pass_offset = rules.pass_cycle[(deal_number - 1) % len(rules.pass_cycle)] if rules.pass_count else 0
        self.passed: list[tuple[Card, ...]] = [()] * seats
        self.received: list[tuple[Card, ...]] = [()] * seats
        self.played: list[Card] = []
        self.leaders: list[int] = []
        self.winners: list[int | None] = []
        self.hearts_broken = False
        self.points = [0] * seats
        self.moon_seat: int | None = None
        self.scores: list[int] = []
        self.turn_seat = NO_SEAT
        self.phase = Phase.PASS
        self._seats = seats
        self._masks = legality.masks_of(rules)
        self._cards_left = rules.hand_size * seats
        self._taken_masks = [0] * seats
        self._bonus = [0] * seats  # points below 0 taken, kept apart from the moon
        self._pot_mask = mask_of(widow)  # lies on the table for the next trick that is won
        self._pot_points = sum(rules.values[card] for card in widow)
        self._pot_bonus = sum(min(rules.values[card], 0) for card in widow)
        self._trick_mask = self._twin_mask = self._trick_size = 0
        self._led = self._breaking = self._legal = 0
        self._hand_masks: list[int] = []
        if self.pass_offset == 0:
            self._start_play()

    def seats_to_act(self) -> tuple[int, ...]:
        """Seats whose decision is waited for."""
        if self.phase is Phase.PASS:
            return tuple(seat for seat in range(self._seats) if not self.passed[seat])
        return () if self.turn_seat == NO_SEAT else (self.turn_seat,)

    def legal(self, seat: int) -> list[Card]:
        """Cards that the seat may name, ascending; empty where it has nothing to decide.

        While passing that is its hand, a card held twice listed twice; in play each face is listed once.
        """
        if seat != self.turn_seat:
            return self.hands[seat].copy() if self.phase is Phase.PASS and not self.passed[seat] else []
        legal = self._legal
        cards = _listed.get(legal)
        if cards is None:
            cards = cards_of(legal)
            if any(legal & suit == legal for suit in SUIT_MASKS):
                _listed[legal] = cards
        return cards.copy()

    def pass_cards(self, seat: int, cards: Sequence[Card]) -> Breach | None:
        """Give the seat's cards away; the last to pass starts the play."""
        if self.phase is not Phase.PASS:
            return Breach.WRONG_KIND
        if not 0 <= seat < self._seats or self.passed[seat]:
            return Breach.NOT_YOUR_TURN
        if len(cards) != self.rules.pass_count:
            return Breach.PASS_WRONG_COUNT
        hand = self.hands[seat]
        if any(cards.count(card) > max(hand.count(card), 1) for card in cards):
            return Breach.PASS_CARD_REPEATED
        if any(card not in hand for card in cards):
            return Breach.CARD_NOT_HELD
        self.passed[seat] = tuple(cards)
        if all(self.passed):
            self._exchange()
            self._start_play()
        return None

    def play(self, seat: int, card: Card) -> Breach | None:
        """Play a card to the trick; the last card of the deal ends it, or asks the shooter of a moon."""
        if card < 0 or seat != self.turn_seat or not self._legal >> card & 1:
            return self._why_not(seat, card)
        bit = 1 << card
        hand = self.hands[seat]
        hand.remove(card)
        if card not in hand:
            self._hand_masks[seat] ^= bit
        self.played.append(card)
        if not self._led:
            suit = (card - 1) // 13
            self._led = SUIT_MASKS[suit]
            self._breaking = self._masks.breaking[suit]
        if bit & self._breaking:
            self.hearts_broken = True
        if bit & self._trick_mask:
            self._twin_mask |= bit
        self._trick_mask |= bit
        self._trick_size += 1
        if self._trick_size == self._seats:
            self._end_trick()
            return None
        seat += 1
        if seat == self._seats:
            seat = 0
        self.turn_seat = seat
        held = self._hand_masks[seat]
        if self.winners:
            self._legal = held & self._led or held
        else:
            self._legal = legality.may_follow_first(self._masks, held, self._led)
        return None

    def choose_moon(self, seat: int, choice: str) -> Breach | None:
        """Score the moon as its shooter chooses: `add` or `subtract`."""
        if self.phase is not Phase.MOON:
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
        """End the deal with all its points to the offender: the ruling `revoke`.

        Raises:
            ValueError: the deal is over.
        """
        if self.phase is Phase.DONE:
            raise ValueError(f"deal {self.deal_number} is over: nobody can revoke")
        scores = [0] * self._seats
        scores[seat] = self.rules.deal_total
        self.moon_seat = None
        self._finish(scores)

    def _exchange(self) -> None:
        for giver, cards in enumerate(self.passed):
            taker = (giver + self.pass_offset) % self._seats
            self.received[taker] = cards
            for card in cards:
                self.hands[giver].remove(card)
        for hand, cards in zip(self.hands, self.received, strict=True):
            hand.extend(cards)
            hand.sort()

    def _start_play(self) -> None:
        self.phase = Phase.PLAY
        self._hand_masks = [mask_of(hand) for hand in self.hands]
        leader = (self.dealer + 1) % self._seats
        prescribed = self._lowest_club()
        if prescribed:
            clockwise = [(leader + i) % self._seats for i in range(self._seats)]
            leader = next(seat for seat in clockwise if self._hand_masks[seat] & prescribed)
        self._lead(leader)
        self._legal = prescribed or legality.may_lead_first(self.rules, self._masks, self._hand_masks[leader])

    def _lowest_club(self) -> int:
        """Face that must be led first, 0 where none is prescribed or all clubs lie in the widow."""
        if self.rules.first_lead is not FirstLead.LOWEST_CLUB or self.played:
            return 0
        clubs = 0
        for mask in self._hand_masks:
            clubs |= mask & CLUBS_MASK
        return clubs & -clubs

    def _lead(self, seat: int) -> None:
        self.turn_seat = seat
        self.leaders.append(seat)
        self._led = self._trick_mask = self._twin_mask = self._trick_size = 0
        self._legal = legality.may_lead(self.rules, self._hand_masks[seat], self.hearts_broken)

    def _end_trick(self) -> None:
        seats, leader = self._seats, self.leaders[-1]
        self._cards_left -= seats
        uncancelled = self._trick_mask & self._led
        if self.rules.cancellation:
            uncancelled &= ~self._twin_mask
        winner: int | None = None
        if uncancelled:
            # Without cancellation the first played of two identical cards is the higher.
            winner = (leader + self.played[-seats:].index(uncancelled.bit_length() - 1)) % seats
        elif not self._cards_left:
            winner = self._taker_of_last()
        self._pot_mask |= self._trick_mask
        if self._trick_mask & self._masks.scoring:
            values = self.rules.values
            self._pot_points += sum([values[card] for card in self.played[-seats:]])
            if self._trick_mask & self._masks.bonus:
                self._pot_bonus += sum(min(values[card], 0) for card in self.played[-seats:])
        if winner is not None:
            self._take(winner)
        self.winners.append(winner)
        if self._cards_left:
            self._lead(leader if winner is None else winner)
        else:
            self._score()

    def _taker_of_last(self) -> int | None:
        """Who takes a last trick in which the whole led suit cancelled."""
        leader = self.leaders[-1]
        match self.rules.last_trick_cancelled:
            case LastTrickCancelled.LEADER:
                return leader
            case LastTrickCancelled.SECOND_OF_HIGHEST:
                trick = self.played[-self._seats :]
                highest = (self._trick_mask & self._led).bit_length() - 1
                return (leader + trick.index(highest, trick.index(highest) + 1)) % self._seats
            case LastTrickCancelled.PREVIOUS_WINNER:
                return next((seat for seat in reversed(self.winners) if seat is not None), leader)
            case LastTrickCancelled.VOID:
                return None
            case unknown:
                assert_never(unknown)

    def _take(self, seat: int) -> None:
        """Give a seat the trick and all that lies on the table."""
        self._taken_masks[seat] |= self._pot_mask
        self.points[seat] += self._pot_points
        self._bonus[seat] += self._pot_bonus
        self._pot_mask = self._pot_points = self._pot_bonus = 0

    def _score(self) -> None:
        rules = self.rules
        shooter = self._shooter() if rules.moon is not Moon.NONE else None
        if shooter is None:
            self._finish(self.points.copy())
            return
        self.moon_seat = shooter
        match rules.moon:
            case Moon.ADD:
                self._score_moon(shooter, adds=True)
            case Moon.SUBTRACT:
                self._score_moon(shooter, adds=False)
            case Moon.CHOICE:
                self.phase = Phase.MOON
                self.turn_seat = shooter

    def _shooter(self) -> int | None:
        """Seat that took every copy of every card a moon needs: by cards, never by points."""
        needed = self._masks.moon
        takers = [seat for seat, mask in enumerate(self._taken_masks) if mask & needed]
        return takers[0] if len(takers) == 1 and not self._pot_mask & needed else None

    def _score_moon(self, shooter: int, *, adds: bool) -> None:
        self._finish(moon_scores(self.rules, shooter, self._bonus, adds=adds))

    def _finish(self, scores: list[int]) -> None:
        self.scores = scores
        self.phase = Phase.DONE
        self.turn_seat = NO_SEAT

    def _why_not(self, seat: int, card: Card) -> Breach:
        if self.phase is not Phase.PLAY:
            return Breach.WRONG_KIND
        if seat != self.turn_seat:
            return Breach.NOT_YOUR_TURN
        if card not in self.hands[seat]:
            return Breach.CARD_NOT_HELD
        held = self._hand_masks[seat]
        if self._led:
            return legality.why_not_follow(held, self._led, card)
        if self.played:
            return legality.why_not_lead(self.rules, held, self.hearts_broken, card)
        if self._lowest_club():
            return Breach.MUST_LEAD_LOWEST_CLUB
        return legality.why_not_lead_first(self.rules, self._masks, held, card)
