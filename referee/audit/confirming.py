"""The quick way through a match in which nobody failed: confirmed, or left to be judged in full.

A match without a fault needs no table: no clock, no ruling, no open turns, only the rulebook's deal and score. Most
matches are of this kind. What is not confirmed here is not wrong yet: `referee.audit.judging` says what it is.
"""

from __future__ import annotations

from referee.records import DealRecord, DecidedBy, DecisionRecord, MatchRecord, TurnKind
from referee.rules.deal import Deal, Phase
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import MatchScore

# Looking a member up in its enumeration takes longer than comparing with it.
_PASS, _PLAY, _BOT = TurnKind.PASS, TurnKind.PLAY, DecidedBy.BOT


def is_confirmed(record: MatchRecord, rules: RuleSet) -> bool:
    """Whether the table would have come to this very record, from its cards and decisions.

    False says only that it takes more to know: a fault in it, or anything that does not fit.
    """
    if record.faults:
        return False
    score = MatchScore(rules, deals=record.spec.deals)
    turn_number = 0
    for number, told in enumerate(record.deals, 1):
        if score.is_over or told.deal_number != number:
            return False
        try:
            deal = Deal(rules, deal_number=number, hands=told.hands, widow=told.widow)
        except ValueError:
            return False
        for decision in told.decisions:
            turn_number += 1
            if decision.turn_number != turn_number or not _is_decided(deal, decision):
                return False
        if deal.phase is not Phase.DONE:
            return False
        score.add(deal.scores)
        if not _is_recorded(told, deal, tuple(score.totals)):
            return False
    return score.is_over and record.places == score.places and record.totals == tuple(score.totals)


def _is_decided(deal: Deal, decision: DecisionRecord) -> bool:
    """Apply a decision; whether the bot whose turn it was decided so, and might."""
    seat, cards = decision.seat, decision.cards
    if decision.decided_by is not _BOT:
        return False
    if decision.kind is _PLAY:
        return len(cards) == 1 and decision.moon_choice is None and deal.play(seat, cards[0]) is None
    if decision.kind is _PASS:
        # All seats are asked at once, and their turns are counted by seat.
        is_next = seat in deal.seats_to_act()[:1]
        return is_next and decision.moon_choice is None and deal.pass_cards(seat, cards) is None
    return not cards and deal.choose_moon(seat, decision.moon_choice or "") is None


def _is_recorded(told: DealRecord, deal: Deal, totals: tuple[int, ...]) -> bool:
    """Whether all that follows from the decisions of a deal stands in its record."""
    return (
        told.dealer == deal.dealer
        and told.pass_offset == deal.pass_offset
        and told.winners == tuple(deal.winners)
        and told.points == tuple(deal.points)
        and told.moon_seat == deal.moon_seat
        and told.scores == tuple(deal.scores)
        and told.totals == totals
        and not any(told.autopilot)
        and told.revoked_seat is None
    )
