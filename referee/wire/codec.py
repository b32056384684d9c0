"""Between the table's words and the wire's: turns, notices and decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hearts.v1 import card_pb2, referee_service_pb2, rules_pb2, table_pb2
from referee.records import Fault, TurnKind
from referee.table import Answer, DealEnded, MatchEnded, SeatFaulted
from referee.table.turns import MatchStart, Turn
from referee.wire.rules_codec import rules_message

NOTE_BYTES_MAX = 200
CARDS_MAX = 34  # of one decision: the most that a rule set has passed
UINT32_MAX = 0xFFFFFFFF  # in microseconds 71 minutes; a longer time is told as this
TURN_KINDS: Mapping[TurnKind, table_pb2.TurnKind.ValueType] = {
    TurnKind.PASS: table_pb2.TURN_KIND_PASS,
    TurnKind.PLAY: table_pb2.TURN_KIND_PLAY,
    TurnKind.MOON: table_pb2.TURN_KIND_MOON,
}
MOON_CHOICES = {table_pb2.Decision().moon_choice: None, 1: "add", 2: "subtract"}
CARDS = frozenset(card_pb2.Card.values()) - {card_pb2.CARD_UNSPECIFIED}


def turn_message(turn: Turn) -> table_pb2.Turn:
    """Write a turn. Only what the seat may know is read: two deals that differ in hidden cards give equal bytes."""
    ask = turn.ask
    deal = ask.deal
    message = table_pb2.Turn(
        turn_id=turn.turn_id,
        hand=deal.hand(ask.seat),  # type: ignore[arg-type]  # cards are plain integers, enum values in the stubs
        legal=ask.legal,  # type: ignore[arg-type]
        played=deal.played,  # type: ignore[arg-type]
        leaders=deal.leaders,
        points=deal.points,
        hearts_broken=deal.hearts_broken,
        charged_us=min(turn.charged_us, UINT32_MAX),
        turn_seed=ask.turn_seed,
    )
    message.MergeFrom(common(turn))
    return message


def common(turn: Turn) -> table_pb2.Turn:
    """Write of a turn what stays the same for its seat from play to play: see `referee.wire.turn_writer`."""
    ask: Any = turn.ask  # cards are plain integers here and enum values in the stubs
    deal = ask.deal
    seat = ask.seat
    return table_pb2.Turn(
        match_id=turn.match_id,
        kind=TURN_KINDS[ask.kind],
        rules_name=turn.rules_name,
        target=turn.target,
        seat=seat,
        seats=deal.rules.seats,
        deal_number=deal.deal_number,
        pass_offset=deal.pass_offset,
        pass_count=deal.rules.pass_count,
        passed_cards=deal.passed[seat],
        received_cards=deal.received[seat],
        scores=ask.scores,
        turn_ms=turn.turn_ms,
        bank_ms=turn.bank_ms,
    )


def turn_message_again(turn: Turn, now_ns: int, stalled_ns: int) -> table_pb2.Turn:
    """Write a turn for a bot that has come back: with the time that is left, since the clock has run on.

    Args:
        turn: what is pending.
        now_ns: the time.
        stalled_ns: what the lag meter says now.
    """
    message = turn_message(turn)
    elapsed_ms = max(0, now_ns - turn.handed_ns - (stalled_ns - turn.stalled_ns)) // 1_000_000
    message.turn_ms = max(0, turn.turn_ms - elapsed_ms)
    message.bank_ms = max(0, turn.bank_ms - max(0, elapsed_ms - turn.turn_ms))
    return message


def answer_of(decision: table_pb2.Decision) -> Answer | str:
    """Read a decision, or say in a sentence why it is none."""
    # A slice takes a third of the time of going through a message's list.
    cards = tuple(decision.cards[: CARDS_MAX + 1])
    if len(cards) > CARDS_MAX:
        return f"{len(decision.cards)} cards in one decision: a play has one, and no pass more than {CARDS_MAX}"
    for card in cards:
        if card not in CARDS:
            return f"card number {card} is not a card: cards are 1 (2C) to 52 (AS)"
    choice = decision.moon_choice
    if choice not in MOON_CHOICES:
        return f"moon choice {choice} is unknown: 1 is add, 2 is subtract"
    note = decision.note
    if len(note) * 4 > NOTE_BYTES_MAX:
        note = note.encode()[:NOTE_BYTES_MAX].decode(errors="ignore")
    return Answer(cards, MOON_CHOICES[choice], note)


_last_rules: tuple[object, rules_pb2.RuleSet] = (None, rules_pb2.RuleSet())


def _rules_of(rules: Mapping[str, object]) -> rules_pb2.RuleSet:
    """Write a rule set, once for all seats of a match."""
    global _last_rules  # noqa: PLW0603  # a cache of one
    if _last_rules[0] is not rules:
        _last_rules = (rules, rules_message(rules))
    return _last_rules[1]


def match_started(start: MatchStart) -> table_pb2.Notice:
    """Write the notice of a match's start."""
    return table_pb2.Notice(
        match_id=start.match_id,
        match_started=table_pb2.MatchStarted(
            rules=_rules_of(start.rules),
            seat=start.seat,
            bot_names=start.bot_names,
            deals=start.deals,
            turn_ms=start.turn_ms,
            bank_ms=start.bank_ms,
            faults_max=start.faults_max,
            ruling=table_pb2.Ruling.Value(f"RULING_{start.ruling.upper()}"),
            deal_commitment=start.commitment,
        ),
    )


def deal_ended(match_id: int, event: DealEnded) -> table_pb2.Notice:
    """Write the notice of a deal's end."""
    record: Any = event.record
    plays = [d for d in record.decisions if d.kind is TurnKind.PLAY]
    seats = len(record.scores)
    return table_pb2.Notice(
        match_id=match_id,
        deal_ended=table_pb2.DealEnded(
            deal_number=record.deal_number,
            points=record.points,
            scores=record.scores,
            totals=record.totals,
            moon_seat=record.moon_seat,
            played=[d.cards[0] for d in plays],
            leaders=[d.seat for d in plays[::seats]],
        ),
    )


def match_ended(match_id: int, event: MatchEnded | None, fault_counts: tuple[int, ...]) -> table_pb2.Notice:
    """Write the notice of a match's end; None: it is void."""
    body = table_pb2.MatchEnded(voided=True)
    if event is not None:
        body = table_pb2.MatchEnded(places=event.places, totals=event.totals, fault_counts=fault_counts)
    return table_pb2.Notice(match_id=match_id, match_ended=body)


def fault_told(match_id: int, event: SeatFaulted) -> table_pb2.Notice:
    """Write the notice of a fault to the bot that committed it."""
    body = fault_message(event.fault)
    body.fault_count = event.fault_count
    return table_pb2.Notice(match_id=match_id, fault=body)


def fault_message(fault: Fault) -> table_pb2.Fault:
    """Write a fault."""
    legal: Any = fault.legal
    return table_pb2.Fault(
        kind=table_pb2.FaultKind.Value(f"FAULT_KIND_{fault.kind.name}"),
        breach=table_pb2.Breach.Value(f"BREACH_{fault.breach.upper()}" if fault.breach else "BREACH_UNSPECIFIED"),
        message=fault.message,
        turn_kind=TURN_KINDS[fault.turn_kind] if fault.turn_kind else table_pb2.TURN_KIND_UNSPECIFIED,
        legal=legal,
        answer=[card & UINT32_MAX for card in fault.answer],
        ruling=table_pb2.Ruling.Value(f"RULING_{fault.ruling.name}" if fault.ruling else "RULING_UNSPECIFIED"),
        elapsed_us=min(fault.elapsed_us, UINT32_MAX),
        allowed_us=min(fault.allowed_us, UINT32_MAX),
        blame=table_pb2.Blame.Value(f"BLAME_{fault.blame.name}"),
        seat=fault.seat,
        deal_number=fault.deal_number,
    )


def farewell(reason: str, message: str) -> referee_service_pb2.RefereeMessage:
    """Write the last message of a stream. `reason` is a name of `FarewellReason` without its prefix."""
    value = referee_service_pb2.FarewellReason.Value(f"FAREWELL_REASON_{reason}")
    return referee_service_pb2.RefereeMessage(farewell=referee_service_pb2.Farewell(reason=value, message=message))
