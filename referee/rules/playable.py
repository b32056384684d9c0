"""Combinations of parameters that cannot be played, refused when a rule set is made.

Each check names the parameter to change. Types and plain bounds have been checked before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.rules.cards import card_text, is_heart, suit_of
from referee.rules.parameters import FirstLead, Leftover, Moon, RulesError

if TYPE_CHECKING:
    from referee.rules.ruleset import RuleSet


def check_playable(rules: RuleSet) -> None:
    """Check the combination of parameters (R17).

    Raises:
        RulesError: it cannot be played.
    """
    _check_pack(rules)
    _check_pass(rules)
    _check_values(rules)
    _check_end(rules)


def _check_pack(rules: RuleSet) -> None:
    removed = rules.removed
    if len(set(removed)) < len(removed):
        twice = next(card for card in removed if removed.count(card) > 1)
        raise RulesError("removed", card_text(twice), "name each card once; it is taken out of each pack")
    if rules.hand_size == 0:
        raise RulesError("removed", len(removed), f"leave at least one card for each of the {rules.seats} seats")
    if rules.leftover is Leftover.NONE and rules.widow_size:
        raise RulesError(
            "leftover",
            "none",
            f"{len(rules.pack)} cards do not divide among {rules.seats} seats; remove others, or give widow",
        )
    clubs = sum(suit_of(card) == 0 for card in rules.pack)
    if rules.first_lead is FirstLead.LOWEST_CLUB and clubs <= rules.widow_size:  # R17.5
        raise RulesError("first_lead", "lowest_club", "it may be that no club is dealt; give left_of_dealer")


def _check_pass(rules: RuleSet) -> None:
    if not rules.pass_cycle:
        raise RulesError("pass_cycle", [], "give at least one offset; [0] is a match without passing")
    if rules.pass_count > rules.hand_size:
        raise RulesError("pass_count", rules.pass_count, f"give 0 to {rules.hand_size}, the size of a hand")


def _check_values(rules: RuleSet) -> None:
    seen: set[int] = set()
    for key, pairs in (("penalties", rules.penalties), ("bonuses", rules.bonuses)):
        for card, points in pairs:
            named = f"{key}.{card_text(card)}"
            if is_heart(card):
                raise RulesError(named, points, "hearts take their points from heart_values")
            if card in seen:
                raise RulesError(
                    named, points, "the card has points already; give it either a penalty or a bonus, once"
                )
            seen.add(card)


def _check_end(rules: RuleSet) -> None:
    if not rules.deal_total:
        raise RulesError("target", rules.target, "no score can reach it: no card in play has points above 0")
    if rules.moon is Moon.SUBTRACT and rules.tables.needed_total == 1:
        raise RulesError(
            "target",
            rules.target,
            "no score can reach it: one card makes the moon, so every deal is one; give another moon",
        )
