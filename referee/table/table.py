"""A match at one table. Pure: no clock, no I/O; deals and turn seeds are handed in as functions."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import assert_never

from referee.records import (
    Blame,
    DealRecord,
    DecidedBy,
    DecisionRecord,
    Fault,
    FaultKind,
    MatchSpec,
    Ruling,
    TurnKind,
)
from referee.rules.breach import Breach, explain
from referee.rules.cards import highest, lowest
from referee.rules.deal import Deal, Phase
from referee.rules.dealing import Dealt
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import MatchScore
from referee.table.asks import Answer, Ask, Failure, Timing
from referee.table.events import DealEnded, MatchEnded, SeatFaulted, Step
from referee.table.places import places_with_autopilot

# Looking a member up in its enumeration takes longer than most that is done for a decision (Python 3.11).
_PASS, _PLAY, _MOON = TurnKind
_DONE, _BY_BOT = Phase.DONE, DecidedBy.BOT
KIND_OF_PHASE = {Phase.PASS: TurnKind.PASS, Phase.PLAY: TurnKind.PLAY, Phase.MOON: TurnKind.MOON}
NO_TIMING = Timing()


class TableError(RuntimeError):
    """The table was misused by its owner: an answer for a seat that was not asked. Never a bot's fault."""


class Table:
    """One match: `open()` gives the first step, then each `answer` or `fail` gives the next.

    Args:
        spec: the match to play; `spec.deals` deals, or to the target where that is 0.
        rules: the rule set.
        deal_cards: gives the cards of a deal number (from 1).
        turn_seeds: gives, for a deal number, the seeds of its turns by seat and how many turns that seat had.
        ruling: what to do about a fault.
        faults_max: faults of a seat in this match after which the table plays for it.
    """

    def __init__(
        self,
        spec: MatchSpec,
        rules: RuleSet,
        *,
        deal_cards: Callable[[int], Dealt],
        turn_seeds: Callable[[int], Callable[[int, int], int]],
        ruling: Ruling = Ruling.SUBSTITUTE,
        faults_max: int = 3,
    ) -> None:
        self.spec = spec
        self.rules = rules
        self.ruling = ruling
        self.faults_max = faults_max
        self.autopilot = [False] * rules.seats
        self.fault_counts = [0] * rules.seats
        self.faults: list[Fault] = []
        self.deals: list[DealRecord] = []
        self.totals: tuple[int, ...] = (0,) * rules.seats
        self._deal_cards = deal_cards
        self._turn_seeds = turn_seeds
        self._score = MatchScore(rules, deals=spec.deals)
        self._turn_number = 0
        self._open: dict[int, Ask] = {}
        self._revoked_seat: int | None = None

    def open(self) -> Step:
        """Deal the first deal and ask the first turns."""
        step = Step([], [], [])
        self._deal_next()
        self._advance(step)
        return step

    def pending(self) -> list[Ask]:
        """Give the turns that are open, by seat."""
        return [self._open[seat] for seat in sorted(self._open)]

    def answer(self, seat: int, answer: Answer, timing: Timing = NO_TIMING) -> Step:
        """Apply a seat's decision, or rule on the breach in it.

        Raises:
            TableError: the seat has no open turn.
        """
        ask = self._ask_of(seat)
        breach = self._apply(ask, answer)
        step = Step([], [], [])
        if breach is None:
            del self._open[seat]
            self._note(ask, answer, _BY_BOT, timing.elapsed_us)
        else:
            message = explain(breach, ask.legal, answer.cards)
            failure = Failure(FaultKind.BREACH, message, answer=answer.cards)
            self._rule(step, ask, failure, timing, breach)
        self._advance(step)
        return step

    def fail(self, seat: int, failure: Failure, timing: Timing = NO_TIMING) -> Step:
        """Rule on a seat that did not answer its open turn, or not with a decision.

        Raises:
            TableError: the seat has no open turn.
        """
        ask = self._ask_of(seat)
        step = Step([], [], [])
        self._rule(step, ask, failure, timing, None)
        self._advance(step)
        return step

    def expel(self, seat: int, failure: Failure, timing: Timing = NO_TIMING) -> Step:
        """Take a seat out of the match for good, whether it is asked or not: the referee plays on for it.

        For what no single turn is to blame for, such as a flood of messages. A seat that is on autopilot already
        is left alone.
        """
        step = Step([], [], [])
        if not self.autopilot[seat]:
            ask = self._open.get(seat)
            self._record_fault(step, seat, ask, failure, timing, Ruling.FORFEIT)
            if ask is not None:
                self._overrule(step, ask, Ruling.FORFEIT)
            self._advance(step)
        return step

    def _ask_of(self, seat: int) -> Ask:
        ask = self._open.get(seat)
        if ask is None:
            raise TableError(f"match {self.spec.key!r}: seat {seat} has no open turn")
        return ask

    def _apply(self, ask: Ask, answer: Answer) -> Breach | None:
        if ask.kind is _PLAY:
            if len(answer.cards) != 1 or answer.moon_choice is not None:
                return Breach.WRONG_KIND
            return ask.deal.play(ask.seat, answer.cards[0])
        if ask.kind is _PASS:
            if answer.moon_choice is not None:
                return Breach.WRONG_KIND
            return ask.deal.pass_cards(ask.seat, answer.cards)
        if answer.cards:
            return Breach.WRONG_KIND
        return ask.deal.choose_moon(ask.seat, answer.moon_choice or "")

    def _rule(self, step: Step, ask: Ask, failure: Failure, timing: Timing, breach: Breach | None) -> None:
        ruling = self.ruling
        is_last = self.fault_counts[ask.seat] + 1 >= self.faults_max
        if ruling is Ruling.RETRY and (is_last or failure.kind not in (FaultKind.BREACH, FaultKind.MALFORMED)):
            ruling = Ruling.SUBSTITUTE  # there is no clock left to ask again within
        self._record_fault(step, ask.seat, ask, failure, timing, ruling, breach)
        self._overrule(step, ask, ruling)

    def _record_fault(
        self,
        step: Step,
        seat: int,
        ask: Ask | None,
        failure: Failure,
        timing: Timing,
        ruling: Ruling,
        breach: Breach | None = None,
    ) -> None:
        """Count a fault of a seat, and put the seat on autopilot where it is the last one or a forfeit."""
        self.fault_counts[seat] += 1
        fault = Fault(
            kind=failure.kind,
            blame=Blame.BOT,
            seat=seat,
            deal_number=self._deal.deal_number,
            turn_number=ask.turn_number if ask else 0,
            turn_kind=ask.kind if ask else None,
            breach=breach.value if breach else None,
            message=failure.message,
            ruling=ruling,
            legal=tuple(ask.legal) if ask else (),
            answer=failure.answer,
            elapsed_us=timing.elapsed_us,
            allowed_us=timing.allowed_us,
            lag_us=timing.lag_us,
            exit_code=failure.exit_code,
            stderr_window=failure.stderr_window,
        )
        self.faults.append(fault)
        step.events.append(SeatFaulted(fault, self.fault_counts[seat]))
        if self.fault_counts[seat] >= self.faults_max or ruling is Ruling.FORFEIT:
            self.autopilot[seat] = True
            self._deal_autopilot[seat] = True

    def _overrule(self, step: Step, ask: Ask, ruling: Ruling) -> None:
        """Do to an open turn what the ruling says."""
        seat = ask.seat
        match ruling:
            case Ruling.RETRY:
                step.asks.append(ask)
            case Ruling.REVOKE:
                step.withdrawn += [other for other in self._open if other != seat]
                self._open.clear()
                self._revoked_seat = seat
                self._deal.revoke(seat)
            case Ruling.SUBSTITUTE | Ruling.FORFEIT:
                del self._open[seat]
                decided_by = DecidedBy.AUTOPILOT if self.autopilot[seat] else DecidedBy.SUBSTITUTE
                self._decide(ask, decided_by)
            case _:
                assert_never(ruling)

    def _decide(self, ask: Ask, decided_by: DecidedBy) -> None:
        """Decide in a seat's place: the lowest legal card, the highest to pass, the rule set's moon choice."""
        match ask.kind:
            case TurnKind.PLAY:
                answer = Answer((lowest(ask.legal),))
            case TurnKind.PASS:
                answer = Answer(tuple(sorted(highest(ask.legal, self.rules.pass_count))))
            case TurnKind.MOON:
                answer = Answer((), self.rules.moon_choice_default)
            case _:
                assert_never(ask.kind)
        breach = self._apply(ask, answer)
        if breach is not None:
            raise TableError(f"match {self.spec.key!r}: the referee's own decision {answer!r} is a {breach.value}")
        self._note(ask, answer, decided_by, 0)

    def _note(self, ask: Ask, answer: Answer, decided_by: DecidedBy, elapsed_us: int) -> None:
        # By position, in the order of the fields: naming them takes as long again.
        self._decisions.append(
            DecisionRecord(
                ask.turn_number,
                ask.seat,
                ask.kind,
                answer.cards,
                answer.moon_choice,
                decided_by,
                elapsed_us,
                answer.note,
            )
        )

    def _deal_next(self) -> None:
        number = len(self.deals) + 1
        dealt = self._deal_cards(number)
        self._dealt = dealt
        self._deal = Deal(self.rules, deal_number=number, hands=dealt.hands, widow=dealt.widow)
        self._turn_seed = self._turn_seeds(number)
        self._deal_autopilot = list(self.autopilot)
        self._revoked_seat = None
        self._turns_of_seat = [0] * self.rules.seats
        self._decisions: list[DecisionRecord] = []

    def _advance(self, step: Step) -> None:
        """Ask whoever is to act, playing for seats on autopilot, until a bot is asked or the match is over."""
        while True:
            deal = self._deal
            if deal.phase is _DONE:
                if self._finish_deal(step):
                    return
                continue
            kind = KIND_OF_PHASE[deal.phase]
            acted = False
            for seat in (deal.turn_seat,) if kind is _PLAY else deal.seats_to_act():
                if seat in self._open:
                    continue
                ask = self._new_ask(seat, kind)
                if self.autopilot[seat]:
                    self._decide(ask, DecidedBy.AUTOPILOT)
                    acted = True
                else:
                    self._open[seat] = ask
                    step.asks.append(ask)
            if not acted:
                return

    def _new_ask(self, seat: int, kind: TurnKind) -> Ask:
        self._turn_number += 1
        index = self._turns_of_seat[seat]
        self._turns_of_seat[seat] = index + 1
        deal = self._deal
        seed = self._turn_seed(seat, index)
        legal = [] if kind is _MOON else deal.legal(seat)
        return Ask(seat, kind, self._turn_number, seed, legal, deal, self.totals)

    def _finish_deal(self, step: Step) -> bool:
        """Record the deal; return whether the match is over."""
        deal = self._deal
        self._score.add(deal.scores)
        self.totals = tuple(self._score.totals)
        record = DealRecord(
            deal_number=deal.deal_number,
            dealer=deal.dealer,
            pass_offset=deal.pass_offset,
            hands=self._dealt.hands,
            widow=self._dealt.widow,
            decisions=self._decision_records(),
            winners=tuple(deal.winners),
            points=tuple(deal.points),
            moon_seat=deal.moon_seat,
            scores=tuple(deal.scores),
            totals=self.totals,
            autopilot=tuple(self._deal_autopilot),
            revoked_seat=self._revoked_seat,
        )
        self.deals.append(record)
        step.events.append(DealEnded(record))
        if not self._score.is_over:
            self._deal_next()
            return False
        places = places_with_autopilot(self._score.places, self.autopilot)
        step.events.append(MatchEnded(tuple(self.deals), places, self.totals, tuple(self.faults)))
        return True

    def _decision_records(self) -> tuple[DecisionRecord, ...]:
        passes = sorted((d for d in self._decisions if d.kind is _PASS), key=attrgetter("seat"))
        return (*passes, *(d for d in self._decisions if d.kind is not _PASS))
