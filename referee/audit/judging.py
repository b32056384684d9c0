"""One match judged again: the cards dealt anew from the seed, every decision put to the rulebook, the scores made.

The judge is the table that plays matches: it is given what the bots answered and the faults that the clock found,
and must come to the same deals, scores, places and faults. What it cannot know is what only the clock and the
operating system saw (times, exit codes, notes): those are held by the record's digest alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import lru_cache

from referee.audit.confirming import is_confirmed
from referee.audit.report import Difference
from referee.record_codec import shown
from referee.records import (
    DealRecord,
    DecidedBy,
    DecisionRecord,
    Fault,
    FaultKind,
    MatchRecord,
    Ruling,
    TurnKind,
)
from referee.rules.breach import Breach
from referee.rules.cards import card_text
from referee.rules.dealing import Dealt, deal_cards, deal_seed
from referee.rules.parameters import RulesError
from referee.rules.ruleset import RuleSet
from referee.table import Answer, Ask, Failure, MatchEnded, Step, Table, Timing
from referee.table.table import TableError


def judge(record: MatchRecord, seed: bytes | None, salt: str, where: str = "") -> Iterator[Difference]:
    """Judge a match again and give what differs, the first cause first.

    Args:
        record: of the match.
        seed: the tournament's; None where it is not revealed yet: then the cards are only checked to be a pack.
        salt: of the tournament.
        where: what messages call the match.
    """
    try:
        rules = _rules(record.rules)
    except RulesError as error:
        yield Difference(where, "rules", str(error))
        return
    if (seats := len(record.spec.bots)) != rules.seats:
        yield Difference(where, "spec.bots", f"{seats} bots are recorded, the rules are for {rules.seats} seats")
        return
    if seed is not None:
        try:
            yield from _dealt_otherwise(record, rules, seed, salt, where)
        except ValueError as error:
            yield Difference(where, "spec", str(error))
            return
    longest_us = (record.clock.turn_ms + record.clock.bank_ms) * 1000
    if not is_confirmed(record, rules):
        try:
            yield from _Replay(record, rules, where).differences()
        except (ValueError, TableError, _Stuck) as error:
            yield Difference(where, "decisions", str(error))
            return
    for deal in record.deals:
        for index, decision in enumerate(deal.decisions):
            if decision.decided_by is DecidedBy.BOT and not 0 <= decision.elapsed_us <= longest_us:
                name = f"deals[{deal.deal_number}].decisions[{index}].elapsed_us"
                yield Difference(where, name, f"{decision.elapsed_us} is more than turn and bank allow, unfaulted")


def _rules(mapping: dict[str, object]) -> RuleSet:
    return _rules_of(json.dumps(mapping, sort_keys=True))


@lru_cache(maxsize=8)
def _rules_of(text: str) -> RuleSet:
    """The matches of a tournament share one rule set, and reading it takes as long as judging a deal."""
    return RuleSet.from_dict(json.loads(text))


def _dealt_otherwise(
    record: MatchRecord, rules: RuleSet, seed: bytes, salt: str, where: str
) -> Iterator[Difference]:
    spec = record.spec
    for number, deal in enumerate(record.deals, 1):
        dealt = deal_cards(rules, deal_seed(seed, salt, spec.board_set, spec.attempt, number))
        for seat, (hand, expected) in enumerate(zip(deal.hands, dealt.hands, strict=True)):
            if hand != expected:
                message = f"{_cards(hand)} is recorded, the seed deals {_cards(expected)}"
                yield Difference(where, f"deals[{number}].hands[{seat}]", message)
        if deal.widow != dealt.widow:
            message = f"{_cards(deal.widow)} is recorded, the seed leaves {_cards(dealt.widow)}"
            yield Difference(where, f"deals[{number}].widow", message)


class _Stuck(Exception):  # noqa: N818  it is the record that is wrong, and the message says where
    """The record does not say what the table has to know next."""


class _Replay:
    """A table fed from a record."""

    def __init__(self, record: MatchRecord, rules: RuleSet, where: str) -> None:
        self._record = record
        self._where = where
        self._decisions: dict[int, DecisionRecord] = {
            decision.turn_number: decision
            for deal in record.deals
            for decision in deal.decisions
            if decision.decided_by is DecidedBy.BOT
        }
        self._faults = record.faults
        self._faults_left = Counter(fault.turn_number for fault in record.faults)
        self._next_fault = 0
        self._ended: MatchEnded | None = None
        self._table = Table(
            record.spec,
            rules,
            deal_cards=self._deal,
            turn_seeds=lambda _: lambda _seat, _index: 0,  # bots draw from them; nothing in a record follows
            ruling=record.ruling,
            faults_max=record.faults_max,
        )

    def differences(self) -> Iterator[Difference]:
        """Play the record through and give what came out otherwise."""
        self._see(self._table.open())
        while self._ended is None:
            self._see(self._step(self._table.pending()))
        ended, record = self._ended, self._record
        for number, (told, made) in enumerate(zip(record.deals, ended.deals, strict=False), 1):
            yield from self._deal_differences(number, told, made)
        if len(record.deals) != len(ended.deals):
            message = f"{len(record.deals)} are recorded, the match was over after {len(ended.deals)}"
            yield Difference(self._where, "deals", message)
        for name, made_value in (("places", ended.places), ("totals", ended.totals)):
            told_value = getattr(record, name)
            if told_value != made_value:
                message = f"{shown(told_value)} is recorded, the rules give {shown(made_value)}"
                yield Difference(self._where, name, message)
        if len(record.faults) != len(ended.faults):
            message = f"{len(record.faults)} are recorded, the rules give {len(ended.faults)}"
            yield Difference(self._where, "faults", message)
        for index, (told_fault, made_fault) in enumerate(zip(record.faults, ended.faults, strict=False)):
            for each in fields(Fault):
                told_part, made_part = getattr(told_fault, each.name), getattr(made_fault, each.name)
                if told_part != made_part:
                    message = f"{shown(told_part)} is recorded, the rules give {shown(made_part)}"
                    yield Difference(self._where, f"faults[{index}].{each.name}", message)

    def _deal_differences(self, number: int, told: DealRecord, made: DealRecord) -> Iterator[Difference]:
        for each in fields(DealRecord):
            told_value, made_value = getattr(told, each.name), getattr(made, each.name)
            if told_value == made_value:
                continue
            name = f"deals[{number}].{each.name}"
            if each.name == "decisions" and len(told_value) == len(made_value):
                index = next(i for i, one in enumerate(told_value) if one != made_value[i])
                name, told_value, made_value = f"{name}[{index}]", told_value[index], made_value[index]
            message = f"{shown(told_value)} is recorded, the rules give {shown(made_value)}"
            yield Difference(self._where, name, message)

    def _deal(self, number: int) -> Dealt:
        if number > len(self._record.deals):
            raise _Stuck(f"the match is not over after {len(self._record.deals)} deals")
        deal = self._record.deals[number - 1]
        return Dealt(deal.hands, deal.widow)

    def _step(self, pending: Sequence[Ask]) -> Step:
        """Give the table the next thing that happened: a fault at an open turn, or a decision."""
        if not self._faults and pending[0].turn_number in self._decisions:
            return self._answer(pending[0])
        fault = self._faults[self._next_fault] if self._next_fault < len(self._faults) else None
        open_turns = {ask.turn_number: ask for ask in pending}
        decided = [turn for turn in open_turns if turn in self._decisions and not self._faults_left.get(turn)]
        # A revoke ends the deal, so those who had passed before it come first.
        is_revoked = fault is not None and fault.ruling is Ruling.REVOKE
        if fault is not None and fault.turn_number in open_turns and not (is_revoked and decided):
            self._next_fault += 1
            self._faults_left[fault.turn_number] -= 1
            return self._fail(open_turns[fault.turn_number], fault)
        if fault is not None and fault.turn_number == 0 and self._is_due(fault, pending):
            self._next_fault += 1
            return self._table.expel(fault.seat, _failure(fault), _timing(fault))
        if not decided:
            ask = pending[0]
            raise _Stuck(
                f"deal {ask.deal.deal_number}: nothing is recorded for turn {ask.turn_number} of seat {ask.seat}"
            )
        return self._answer(open_turns[decided[0]])

    def _is_due(self, fault: Fault, pending: Sequence[Ask]) -> bool:
        """Whether a seat that was not asked is to be expelled now: once it has decided all it did in that deal.

        It may have been later, but nothing that the seat was not asked in between could tell.
        """
        deal = pending[0].deal.deal_number
        if fault.deal_number != deal or fault.seat in [ask.seat for ask in pending]:
            return False
        decided = self._record.deals[deal - 1].decisions
        return not any(one.seat == fault.seat and one.turn_number in self._decisions for one in decided)

    def _answer(self, ask: Ask) -> Step:
        decision = self._decisions.pop(ask.turn_number)
        known = len(self._table.faults)
        answer = Answer(decision.cards, decision.moon_choice, decision.note)
        step = self._table.answer(ask.seat, answer, Timing(elapsed_us=decision.elapsed_us))
        if len(self._table.faults) > known:
            breach = self._table.faults[-1].breach
            raise _Stuck(
                f"deal {ask.deal.deal_number}, turn {ask.turn_number}: seat {ask.seat} is recorded to have decided "
                f"{_cards(decision.cards) or decision.moon_choice}, which breaks {breach}"
            )
        return step

    def _fail(self, ask: Ask, fault: Fault) -> Step:
        timing = _timing(fault)
        if fault.kind is FaultKind.BREACH:
            is_of_wrong_kind = fault.breach == Breach.WRONG_KIND and ask.kind is not TurnKind.MOON
            answer = Answer(fault.answer, "none" if is_of_wrong_kind else None)
            known = len(self._table.faults)
            step = self._table.answer(ask.seat, answer, timing)
            if len(self._table.faults) == known:
                raise _Stuck(
                    f"deal {ask.deal.deal_number}, turn {ask.turn_number}: seat {ask.seat} is charged with "
                    f"{fault.breach}, but {_cards(fault.answer)} was legal"
                )
            return step
        if fault.ruling is Ruling.FORFEIT:  # whatever the tournament's own ruling is, an expulsion is a forfeit
            return self._table.expel(ask.seat, _failure(fault), timing)
        return self._table.fail(ask.seat, _failure(fault), timing)

    def _see(self, step: Step) -> None:
        for event in step.events:
            if isinstance(event, MatchEnded):
                self._ended = event


def _timing(fault: Fault) -> Timing:
    return Timing(fault.elapsed_us, fault.allowed_us, fault.lag_us)


def _failure(fault: Fault) -> Failure:
    return Failure(
        fault.kind,
        fault.message,
        answer=fault.answer,
        exit_code=fault.exit_code,
        stderr_window=fault.stderr_window,
    )


def _cards(cards: Sequence[int]) -> str:
    return " ".join(card_text(card) if 1 <= card <= 52 else str(card) for card in cards)
