"""Which cards may be played, by bit masks of faces.

The masks follow from the rule set alone and are made once for it. A hand is a mask too, so that a question
takes a few integer operations; how many copies of a face a hand holds never matters here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from referee.rules.breach import Breach
from referee.rules.cards import HEARTS_MASK, QUEEN_MASK, QUEEN_OF_SPADES, SPADES_MASK, SUIT_MASKS, Card, mask_of
from referee.rules.playable import moon_mask
from referee.rules.ruleset import (
    FirstTrick,
    FirstTrickException,
    HeartsBrokenBy,
    LeadException,
    QueenBreaks,
    QueenLead,
    RuleSet,
)


@dataclass(frozen=True, slots=True)
class Masks:
    """What a rule set says, as masks of faces."""

    barred: int  # from the first trick
    first_choice: int  # of a follower that holds barred cards only; 0 where any will do
    breaking: tuple[int, int, int, int]  # faces that break hearts, by the suit led
    scoring: int  # faces with points of either sign
    bonus: int  # faces with points below 0
    moon: int  # faces a shooter needs


@lru_cache(maxsize=256)
def masks_of(rules: RuleSet) -> Masks:
    """Masks of a rule set."""
    penalty = mask_of(card for card, value in enumerate(rules.values) if value > 0)
    bonus = mask_of(card for card, value in enumerate(rules.values) if value < 0)
    barred = {
        FirstTrick.NO_PENALTY: penalty,
        FirstTrick.QUEEN_ALLOWED: penalty & ~QUEEN_MASK,
        FirstTrick.FREE: 0,
    }[rules.first_trick]
    first_choice = {
        FirstTrickException.ALL_PENALTY_ANY: 0,
        FirstTrickException.QUEEN_FORCED: QUEEN_MASK,
        FirstTrickException.HEARTS_FIRST: HEARTS_MASK,
    }[rules.first_trick_exception]
    clubs, diamonds, hearts, spades = (_breaking(rules, led) for led in SUIT_MASKS)
    return Masks(barred, first_choice, (clubs, diamonds, hearts, spades), penalty | bonus, bonus, moon_mask(rules))


def _breaking(rules: RuleSet, led: int) -> int:
    """Faces that break hearts in a trick led in this suit."""
    breaking = 0
    if rules.hearts_broken_by is HeartsBrokenBy.ANY_HEART_PLAYED or led != HEARTS_MASK:
        breaking |= HEARTS_MASK
    if rules.queen_breaks is QueenBreaks.PLAYED:
        breaking |= QUEEN_MASK
    if rules.queen_breaks is QueenBreaks.DISCARDED and led != SPADES_MASK:
        breaking |= QUEEN_MASK
    return breaking


def may_lead(rules: RuleSet, hand: int, broken: bool) -> int:
    """Faces a leader may lead, the first trick's own rules apart."""
    if broken:
        return hand
    plain = hand & ~HEARTS_MASK & ~QUEEN_MASK
    if rules.queen_lead is QueenLead.AFTER_BROKEN:
        if not plain:
            return hand  # nothing but hearts and the queen: any card
        return plain if rules.hearts_must_break else hand & ~QUEEN_MASK
    if not rules.hearts_must_break:
        return hand
    if not plain and rules.lead_exception is LeadException.ONLY_HEARTS_OR_QUEEN:
        return hand
    return hand & ~HEARTS_MASK or hand


def may_lead_first(rules: RuleSet, masks: Masks, hand: int) -> int:
    """Faces a leader may lead to the first trick where no card is prescribed.

    The bar on penalty cards holds for the leader too; it is lifted where it would leave nothing.
    """
    free = may_lead(rules, hand, False)
    return free & ~masks.barred or free


def may_follow_first(masks: Masks, hand: int, led: int) -> int:
    """Faces a follower may play to the first trick.

    Following suit comes first, then the bar. The exception speaks only where every card held is barred; where
    just those of the led suit are, any of them will do.
    """
    free = hand & led or hand
    if allowed := free & ~masks.barred:
        return allowed
    if hand & ~masks.barred:
        return free
    return free & masks.first_choice or free


def why_not_follow(hand: int, led: int, card: Card) -> Breach:
    """The rule that a follower's held card, which is not legal, breaks."""
    leaves_suit = hand & led and not led >> card & 1
    return Breach.MUST_FOLLOW_SUIT if leaves_suit else Breach.NO_POINTS_ON_FIRST_TRICK


def why_not_lead(rules: RuleSet, hand: int, broken: bool, card: Card) -> Breach:
    """The rule that a leader's held card, which is not legal, breaks."""
    assert not may_lead(rules, hand, broken) >> card & 1
    return Breach.QUEEN_NOT_YET if card == QUEEN_OF_SPADES else Breach.HEARTS_NOT_BROKEN


def why_not_lead_first(rules: RuleSet, masks: Masks, hand: int, card: Card) -> Breach:
    """The same on the first trick: the bar speaks before R8.2 and R8.3, unless it is lifted."""
    is_lifted = not may_lead(rules, hand, False) & ~masks.barred
    if masks.barred >> card & 1 and not is_lifted:
        return Breach.NO_POINTS_ON_FIRST_TRICK
    return why_not_lead(rules, hand, False, card)
