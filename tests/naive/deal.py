"""One deal by the page: lists and plain loops, written from docs/rules.md, sharing nothing with `referee`.

It is there to be obviously right, so that a difference to the fast rulebook means something. Rule numbers are those
of docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.naive.cards import QUEEN, RANK, Rules, deal_total_of, in_order, moon_set_of, values_of


class NaiveDeal:
    """A deal that is decided step by step; every decision answers the name of the breach, or None."""

    def __init__(
        self, rules: Rules, deal_number: int, hands: Sequence[Sequence[str]], widow: Sequence[str] = ()
    ) -> None:
        self.rules = rules
        self.seats = int(rules["seats"])
        self.dealer = (deal_number - 1) % self.seats  # R2.2
        cycle = rules["pass_cycle"]
        self.pass_offset = cycle[(deal_number - 1) % len(cycle)] if rules["pass_count"] > 0 else 0  # R3.1
        self.hands = [in_order(hand) for hand in hands]
        self.on_table = list(widow)  # what the next trick won carries with it: the widow, carried tricks
        self.values = values_of(rules)
        self.passes: dict[int, list[str]] = {}
        self.tricks: list[list[tuple[int, str]]] = []  # (seat, card) in the order played
        self.winners: list[int | None] = []
        self.taken: list[list[str]] = [[] for _ in range(self.seats)]
        self.broken = False
        self.moon_choice: str | None = None
        self.shooter: int | None = None
        self.scores: list[int] | None = None
        self.lowest_club: str | None = None
        self.phase = "pass"
        if self.pass_offset == 0:
            self.begin_play()

    # -- who is asked, and what it may do ------------------------------------------------------------------

    def seats_to_act(self) -> list[int]:
        """Name the seats that are asked now."""
        if self.phase == "pass":
            return [seat for seat in range(self.seats) if seat not in self.passes]
        if self.phase == "play":
            return [self.turn_seat]
        if self.phase == "moon" and self.shooter is not None:
            return [self.shooter]
        return []

    def legal(self, seat: int) -> list[str]:
        """List what the seat may play, each card once; in the pass its whole hand (R5.6)."""
        if self.phase == "pass":
            return list(self.hands[seat])
        return in_order(card for card, breach in self.verdicts(seat).items() if breach is None)

    def verdicts(self, seat: int) -> dict[str, str | None]:
        """Say of every card in the hand which breach it would be to play it, if any (R14.7 to R14.11)."""
        trick = self.tricks[-1]
        return self.follower_verdicts(seat, trick[0][1][1]) if trick else self.leader_verdicts(seat)

    def follower_verdicts(self, seat: int, led_suit: str) -> dict[str, str | None]:
        hand = self.hands[seat]
        same_suit = [card for card in hand if card[1] == led_suit]
        candidates = same_suit or hand  # R5.2
        allowed = candidates
        if len(self.tricks) == 1:
            unbarred = [card for card in candidates if not self.is_barred(card)]
            if unbarred:
                allowed = unbarred  # R6.2
            elif all(self.is_barred(card) for card in hand):
                allowed = self.first_trick_exception(candidates)  # R6.4
            # else R6.3: following suit comes before the bar
        verdicts: dict[str, str | None] = {}
        for card in hand:
            if card not in candidates:
                verdicts[card] = "MUST_FOLLOW_SUIT"
            elif card not in allowed:
                verdicts[card] = "NO_POINTS_ON_FIRST_TRICK"
            else:
                verdicts[card] = None
        return verdicts

    def first_trick_exception(self, candidates: list[str]) -> list[str]:
        queens = [card for card in candidates if card == QUEEN]
        hearts = [card for card in candidates if card[1] == "H"]
        if self.rules["first_trick_exception"] == "queen_forced" and queens:
            return queens
        if self.rules["first_trick_exception"] == "hearts_first" and hearts:
            return hearts
        return candidates

    def leader_verdicts(self, seat: int) -> dict[str, str | None]:
        hand, rules = self.hands[seat], self.rules
        if len(self.tricks) == 1 and self.lowest_club is not None:  # R8.1
            return {card: None if card == self.lowest_club else "MUST_LEAD_LOWEST_CLUB" for card in hand}
        verdicts: dict[str, str | None] = dict.fromkeys(hand)
        only_hearts = all(card[1] == "H" for card in hand)
        only_hearts_or_queen = all(card[1] == "H" or card == QUEEN for card in hand)
        may_lead_hearts = only_hearts
        if rules["lead_exception"] == "only_hearts_or_queen":
            may_lead_hearts = only_hearts_or_queen
        after_broken = rules["queen_lead"] == "after_broken"
        for card in hand:
            if self.broken:
                continue
            if after_broken and only_hearts_or_queen:
                continue  # R8.3, the exception
            if card[1] == "H" and rules["hearts_must_break"] and not may_lead_hearts:  # R8.2
                verdicts[card] = "HEARTS_NOT_BROKEN"
            if card == QUEEN and after_broken:  # R8.3
                verdicts[card] = "QUEEN_NOT_YET"
        if len(self.tricks) == 1:  # R8.4
            allowed = [card for card in hand if verdicts[card] is None]
            if any(not self.is_barred(card) for card in allowed):
                for card in hand:
                    if self.is_barred(card):
                        verdicts[card] = "NO_POINTS_ON_FIRST_TRICK"
        return verdicts

    def is_barred(self, card: str) -> bool:
        """Is the card barred on the first trick (R6.1)?"""
        if self.rules["first_trick"] == "free":
            return False
        if self.rules["first_trick"] == "queen_allowed" and card == QUEEN:
            return False
        return self.values[card] > 0

    # -- decisions -----------------------------------------------------------------------------------------

    def pass_cards(self, seat: int, cards: Sequence[str]) -> str | None:
        if self.phase != "pass":
            return "WRONG_KIND"
        if seat not in self.seats_to_act():
            return "NOT_YOUR_TURN"
        if len(cards) != self.rules["pass_count"]:
            return "PASS_WRONG_COUNT"
        hand = self.hands[seat]
        if any(cards.count(card) > 1 and cards.count(card) > hand.count(card) for card in cards):
            return "PASS_CARD_REPEATED"
        if any(card not in hand for card in cards):
            return "CARD_NOT_HELD"
        self.passes[seat] = list(cards)
        if len(self.passes) == self.seats:
            self.exchange()
        return None

    def exchange(self) -> None:
        """All hands change at once (R3.4)."""
        for seat, cards in self.passes.items():
            for card in cards:
                self.hands[seat].remove(card)
        for seat, cards in self.passes.items():
            receiver = (seat + self.pass_offset) % self.seats  # R3.2
            self.hands[receiver] = in_order(self.hands[receiver] + cards)
        self.begin_play()

    def begin_play(self) -> None:
        self.phase = "play"
        self.tricks.append([])
        self.turn_seat = (self.dealer + 1) % self.seats  # R4.2
        if self.rules["first_lead"] == "lowest_club":  # R4.1
            clubs = [card for hand in self.hands for card in hand if card[1] == "C"]
            self.lowest_club = min(clubs, key=RANK.__getitem__)
        while self.lowest_club is not None and self.lowest_club not in self.hands[self.turn_seat]:
            self.turn_seat = (self.turn_seat + 1) % self.seats

    def play(self, seat: int, card: str) -> str | None:
        if self.phase != "play":
            return "WRONG_KIND"
        if seat != self.turn_seat:
            return "NOT_YOUR_TURN"
        if card not in self.hands[seat]:
            return "CARD_NOT_HELD"
        breach = self.verdicts(seat)[card]
        if breach is not None:
            return breach
        self.hands[seat].remove(card)
        self.tricks[-1].append((seat, card))
        self.notice_breaking(card, self.tricks[-1][0][1][1])
        if len(self.tricks[-1]) < self.seats:
            self.turn_seat = (seat + 1) % self.seats  # R5.1
        else:
            self.finish_trick()
        return None

    def notice_breaking(self, card: str, led_suit: str) -> None:
        """R7.1, at once (R7.2)."""
        discarded = card[1] != led_suit
        if card[1] == "H" and (discarded or self.rules["hearts_broken_by"] == "any_heart_played"):
            self.broken = True
        if card == QUEEN and self.rules["queen_breaks"] == "played":
            self.broken = True
        if card == QUEEN and self.rules["queen_breaks"] == "discarded" and discarded:
            self.broken = True

    # -- tricks --------------------------------------------------------------------------------------------

    def finish_trick(self) -> None:
        trick = self.tricks[-1]
        leader = trick[0][0]
        is_last = not any(self.hands)
        winner = self.winner_of(trick)
        if winner is None and is_last:
            winner = self.taker_of_cancelled_last_trick(trick)  # R9.4
        self.winners.append(winner)
        self.on_table += [card for _, card in trick]
        if winner is not None:
            self.taken[winner] += self.on_table  # R2.4, R9.3
            self.on_table = []
        if is_last:
            self.finish_play()
        else:
            self.turn_seat = leader if winner is None else winner
            self.tricks.append([])

    def winner_of(self, trick: list[tuple[int, str]]) -> int | None:
        led_suit = trick[0][1][1]
        cards = [card for _, card in trick]
        best_seat, best_rank = None, 0
        for seat, card in trick:
            if card[1] != led_suit:
                continue
            if self.rules["cancellation"] and cards.count(card) == 2:
                continue  # R9.1
            if RANK[card] > best_rank:  # a twin that comes later does not win (R5.3)
                best_seat, best_rank = seat, RANK[card]
        return best_seat

    def taker_of_cancelled_last_trick(self, trick: list[tuple[int, str]]) -> int | None:
        leader, led_card = trick[0]
        match self.rules["last_trick_cancelled"]:
            case "leader":
                return leader
            case "second_of_highest":
                top = max((card for _, card in trick if card[1] == led_card[1]), key=RANK.__getitem__)
                return [seat for seat, card in trick if card == top][1]
            case "previous_winner":
                return next((seat for seat in reversed(self.winners) if seat is not None), leader)
            case _:
                return None

    # -- scoring -------------------------------------------------------------------------------------------

    def points(self) -> list[int]:
        """R10.3, of what has been taken so far."""
        return [sum(self.values[card] for card in cards) for cards in self.taken]

    def finish_play(self) -> None:
        wanted = moon_set_of(self.rules)
        if self.rules["moon"] != "none" and wanted:
            for seat, cards in enumerate(self.taken):
                if all(cards.count(card) == wanted.count(card) for card in wanted):
                    assert self.shooter is None, "two moons in one deal"
                    self.shooter = seat
        if self.shooter is None:
            self.finish(self.points())  # R11.5
        elif self.rules["moon"] == "choice":
            self.phase = "moon"
        else:
            self.score_moon(self.shooter, self.rules["moon"])

    def choose_moon(self, seat: int, choice: str) -> str | None:
        if self.phase != "moon" or self.shooter is None:
            return "WRONG_KIND"
        if seat != self.shooter:
            return "NOT_YOUR_TURN"
        if choice not in ("add", "subtract"):
            return "MOON_CHOICE_UNKNOWN"
        self.score_moon(self.shooter, choice)
        return None

    def score_moon(self, shooter: int, how: str) -> None:
        amount = self.rules["moon_points"]  # R11.2
        if amount == "deal_total":
            amount = deal_total_of(self.rules)
        scores = []
        for seat, cards in enumerate(self.taken):
            bonus = sum(min(self.values[card], 0) for card in cards)  # R11.4
            if how == "add":
                scores.append(bonus + (0 if seat == shooter else amount))
            else:
                scores.append(bonus - (amount if seat == shooter else 0))
        self.finish(scores)

    def revoke(self, seat: int) -> None:
        """R16.1."""
        self.shooter = None
        self.finish([deal_total_of(self.rules) if s == seat else 0 for s in range(self.seats)])

    def finish(self, scores: list[int]) -> None:
        self.scores = scores
        self.phase = "done"

    # -- the history, in the form of the wire --------------------------------------------------------------

    def played(self) -> list[str]:
        return [card for trick in self.tricks for _, card in trick]

    def leaders(self) -> list[int]:
        return [trick[0][0] for trick in self.tricks if trick]
