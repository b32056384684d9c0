"""The turns of a recorded match, one seat's, as they were asked then: to be asked again of any bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.record_codec import RecordError
from referee.records import DealRecord, DecisionRecord, MatchRecord, TurnKind
from referee.rules.breach import Breach
from referee.rules.deal import Deal
from referee.rules.ruleset import RuleSet
from referee.table import Ask
from referee.table.turns import Turn
from referee.wire.scripted import Question

TurnSeeds = Callable[[int, int, int], int]
"""Gives a turn's seed for deal number, seat, and how many turns that seat had in the deal. Records keep none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTurn:
    """One turn of a seat: what it knew, as a question and in plain values, and what was decided then."""

    question: Question
    deal_number: int
    hand: tuple[int, ...]
    legal: tuple[int, ...]
    trick: tuple[int, ...]
    decision: DecisionRecord

    def is_same(self, cards: tuple[int, ...], moon_choice: str | None) -> bool:
        """Whether a decision is the recorded one; the order of passed cards does not matter."""
        return sorted(cards) == sorted(self.decision.cards) and moon_choice == self.decision.moon_choice


def recorded_turns(record: MatchRecord, seat: int, turn_seeds: TurnSeeds) -> Iterator[RecordedTurn]:
    """Play the record again and yield the turns of one seat, whoever decided them, in the order of their asking.

    Raises:
        RecordError: the record's decisions break its own rules.
        RulesError: its rules cannot be played.
    """
    rules = RuleSet.from_dict(record.rules)
    scores = (0,) * rules.seats
    for deal in record.deals:
        yield from _of_deal(record, rules, deal, seat, scores, turn_seeds)
        scores = deal.totals


def _of_deal(
    record: MatchRecord,
    rules: RuleSet,
    recorded: DealRecord,
    seat: int,
    scores: tuple[int, ...],
    turn_seeds: TurnSeeds,
) -> Iterator[RecordedTurn]:
    number = recorded.deal_number
    try:
        deal = Deal(rules, deal_number=number, hands=recorded.hands, widow=recorded.widow, dealer=recorded.dealer)
    except ValueError as error:
        raise RecordError(f"cannot be dealt: {error}", f"deal {number}") from error
    index = 0
    for decision in recorded.decisions:
        if decision.seat == seat:
            legal = [] if decision.kind is TurnKind.MOON else deal.legal(seat)
            seed = turn_seeds(number, seat, index)
            index += 1
            ask = Ask(seat, decision.kind, decision.turn_number, seed, legal, deal, scores)
            clock = record.clock
            turn = Turn(ask, record.spec.number + 1, rules.name, rules.target, clock.turn_ms, clock.bank_ms, 0)
            begin = len(deal.played) - len(deal.played) % rules.seats
            yield RecordedTurn(
                question=Question.of(turn),
                deal_number=number,
                hand=tuple(deal.hand(seat)),
                legal=tuple(legal),
                trick=tuple(deal.played[begin:]),
                decision=decision,
            )
        breach = _apply(deal, decision)
        if breach is not None:
            raise RecordError(f"turn {decision.turn_number} is a {breach.value}", f"deal {number}")


def _apply(deal: Deal, decision: DecisionRecord) -> Breach | None:
    match decision.kind:
        case TurnKind.PASS:
            return deal.pass_cards(decision.seat, decision.cards)
        case TurnKind.PLAY:
            return deal.play(decision.seat, decision.cards[0])
        case TurnKind.MOON:
            return deal.choose_moon(decision.seat, decision.moon_choice or "")
