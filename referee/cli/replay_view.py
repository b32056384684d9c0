"""Parts of a match record: one deal, what one seat knew, and the state at one fault. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.record_json import RecordError
from referee.records import DealRecord, DecisionRecord, Fault, MatchRecord, TurnKind


def check_seats(record: MatchRecord) -> None:
    """Refuse a record that names a seat which its table does not have.

    Raises:
        RecordError: it does.
    """
    seats = len(record.spec.bots)
    named = {fault.seat for fault in record.faults} | {stray.seat for stray in record.strays}
    for deal in record.deals:
        named |= {deal.dealer} | {decision.seat for decision in deal.decisions}
        named |= {winner for winner in deal.winners if winner is not None}
        if any(len(play.cards) != 1 for play in plays_of(deal)):
            raise RecordError("plays a number of cards other than one", f"deal {deal.deal_number}")
    for seat in sorted(named):
        if not 0 <= seat < seats:
            raise RecordError(f"names the seat {seat} at a table of {seats}")


def only_deal(record: MatchRecord, deal_number: int) -> MatchRecord:
    """The record with one deal of it; the faults are all kept, since they are known by their number."""
    return replace(record, deals=tuple(deal for deal in record.deals if deal.deal_number == deal_number))


def seen_by(record: MatchRecord, seat: int) -> MatchRecord:
    """What a seat knew of the match when it was over.

    Left out are the other hands and the widow, the passes that did not come to the seat, and the times, notes,
    faults and strays of others. An empty hand stands for a hidden one.
    """
    seats = len(record.spec.bots)

    def knew(deal: DealRecord, decision: DecisionRecord) -> bool:
        if decision.kind is not TurnKind.PASS or decision.seat == seat:
            return True
        return (decision.seat + deal.pass_offset) % seats == seat

    def hidden(decision: DecisionRecord) -> DecisionRecord:
        return decision if decision.seat == seat else decision._replace(elapsed_us=0, note="")

    deals = tuple(
        replace(
            deal,
            hands=tuple(hand if holder == seat else () for holder, hand in enumerate(deal.hands)),
            widow=(),
            decisions=tuple(hidden(decision) for decision in deal.decisions if knew(deal, decision)),
        )
        for deal in record.deals
    )
    faults = tuple(fault for fault in record.faults if fault.seat == seat)
    strays = tuple(stray for stray in record.strays if stray.seat == seat)
    return replace(record, deals=deals, faults=faults, strays=strays)


def passed_by(deal: DealRecord) -> dict[int, DecisionRecord]:
    """The passes of a deal by seat; empty on a hold."""
    return {decision.seat: decision for decision in deal.decisions if decision.kind is TurnKind.PASS}


def plays_of(deal: DealRecord) -> list[DecisionRecord]:
    """The cards of a deal in the order in which they were played."""
    return [decision for decision in deal.decisions if decision.kind is TurnKind.PLAY]


def tricks_of(deal: DealRecord) -> list[list[DecisionRecord]]:
    """The plays of a deal trick by trick; the last one is short where a ruling ended the deal."""
    seats = len(deal.hands)
    plays = plays_of(deal)
    return [plays[start : start + seats] for start in range(0, len(plays), seats)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a seat knew at a turn."""

    hand: tuple[int, ...]  # held then
    passed: tuple[int, ...]
    received: tuple[int, ...]
    tricks: list[list[DecisionRecord]]  # so far; the last one is the running one where it is short
    scores: tuple[int, ...]  # running totals before the deal


def scene_of(record: MatchRecord, fault: Fault) -> Scene | None:
    """Rebuild what the seat knew at the turn of a fault; None where there was no turn or the deal is not there."""
    seats = len(record.spec.bots)
    before = (0,) * seats
    for deal in record.deals:
        if deal.deal_number == fault.deal_number:
            break
        before = deal.totals
    else:
        return None
    if fault.turn_kind is None:
        return None
    passes = passed_by(deal)
    has_passed = fault.turn_kind is not TurnKind.PASS and bool(passes)
    own = passes.get(fault.seat)
    giver = passes.get((fault.seat - deal.pass_offset) % seats)
    passed = own.cards if has_passed and own else ()
    received = giver.cards if has_passed and giver else ()
    earlier = [play for play in plays_of(deal) if play.turn_number < fault.turn_number]
    hand = [*deal.hands[fault.seat], *received]
    for card in (*passed, *(play.cards[0] for play in earlier if play.seat == fault.seat)):
        if card in hand:  # a card of a second pack or of the widow may be missing here
            hand.remove(card)
    return Scene(
        hand=tuple(sorted(hand)),
        passed=passed,
        received=received,
        tricks=[earlier[start : start + seats] for start in range(0, len(earlier), seats)],
        scores=before,
    )
