"""A rule set: every parameter of the game, checked when it is made."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Literal

from referee.rules import parameters as p
from referee.rules.cards import CARDS, Card, cards_text, is_heart, rank_of
from referee.rules.legality import Tables, tables_of
from referee.rules.parameters import (
    FirstLead,
    FirstTrick,
    FirstTrickException,
    HeartsBrokenBy,
    HeartValues,
    LastTrickCancelled,
    LeadException,
    Leftover,
    Moon,
    MoonChoice,
    MoonNeeds,
    QueenBreaks,
    QueenLead,
    RulesError,
    TieBreak,
)
from referee.rules.playable import check_playable

__all__ = [
    "FirstLead",
    "FirstTrick",
    "FirstTrickException",
    "HeartValues",
    "HeartsBrokenBy",
    "LastTrickCancelled",
    "LeadException",
    "Leftover",
    "Moon",
    "MoonChoice",
    "MoonNeeds",
    "QueenBreaks",
    "QueenLead",
    "RuleSet",
    "RulesError",
    "TieBreak",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The exact rules of a match. The defaults are the base game, the preset `american`.

    Making one that cannot be played, or with a value of the wrong type, raises RulesError. Enumerated
    parameters may be given by their text. The fields after `last_trick_cancelled` follow from the others.
    """

    name: str
    seats: int = 4
    packs: int = 1
    removed: tuple[Card, ...] = ()  # taken out of each pack
    leftover: Leftover = Leftover.NONE
    pass_count: int = 3  # cards each seat passes; with 0 every deal is a hold
    pass_cycle: tuple[int, ...] = (1, -1, 2, 0)  # deal k passes by entry (k - 1) mod length; 0 is a hold
    first_lead: FirstLead = FirstLead.LOWEST_CLUB
    first_trick: FirstTrick = FirstTrick.NO_PENALTY
    first_trick_exception: FirstTrickException = FirstTrickException.ALL_PENALTY_ANY
    hearts_must_break: bool = True
    hearts_broken_by: HeartsBrokenBy = HeartsBrokenBy.ANY_HEART_PLAYED
    queen_breaks: QueenBreaks = QueenBreaks.NEVER
    lead_exception: LeadException = LeadException.ONLY_HEARTS
    queen_lead: QueenLead = QueenLead.ALWAYS
    heart_values: HeartValues = HeartValues.UNIT
    penalties: tuple[tuple[Card, int], ...] = ((50, 13),)  # points > 0 beside the hearts; 50 is QS
    bonuses: tuple[tuple[Card, int], ...] = ()  # points < 0
    moon: Moon = Moon.ADD
    moon_needs: MoonNeeds = MoonNeeds.ALL_PENALTY_CARDS
    moon_points: int | Literal["deal_total"] = "deal_total"
    moon_choice_default: MoonChoice = MoonChoice.ADD
    target: int = 100  # a total of this or more ends the match
    score_floor: int | None = None  # no total falls below it
    tie_break: TieBreak = TieBreak.ALL_PLAY_ON
    max_deals: int | None = None
    cancellation: bool = False
    last_trick_cancelled: LastTrickCancelled = LastTrickCancelled.LEADER

    # In canonical order, one pack after the other; and in ascending order, to compare cards with.
    pack: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    sorted_pack: list[Card] = field(init=False, repr=False, compare=False)
    values: tuple[int, ...] = field(init=False, repr=False, compare=False)  # points by card, 0 where not in play
    hand_size: int = field(init=False, repr=False, compare=False)
    widow_size: int = field(init=False, repr=False, compare=False)
    deal_total: int = field(init=False, repr=False, compare=False)  # sum of the positive values in play
    tables: Tables = field(init=False, repr=False, compare=False)  # for whoever asks what is legal

    def __post_init__(self) -> None:
        _check_types(self)
        one = tuple(card for card in CARDS if card not in self.removed)
        pack = one * self.packs
        values = _values(self, one)
        derived = {
            "pack": pack,
            "sorted_pack": sorted(pack),
            "values": values,
            "hand_size": len(pack) // self.seats,
            "widow_size": len(pack) % self.seats,
            "deal_total": self.packs * sum(value for value in values if value > 0),
        }
        for key, value in derived.items():
            object.__setattr__(self, key, value)
        object.__setattr__(self, "tables", tables_of(self))
        check_playable(self)

    @property
    def cycle_length(self) -> int:
        """Deals of a match that is one whole pass cycle."""
        return len(self.pass_cycle)

    @property
    def moon_amount(self) -> int:
        """Points that shooting the moon is worth."""
        return self.deal_total if self.moon_points == "deal_total" else self.moon_points

    def to_dict(self) -> dict[str, object]:
        """All parameters and the name as JSON has them; `from_dict` reads it back."""
        return {"name": self.name} | {key: _plain(key, getattr(self, key)) for key in PARAMETERS}

    @classmethod
    def from_dict(
        cls, mapping: Mapping[str, object], *, name: str | None = None, base: RuleSet | None = None
    ) -> RuleSet:
        """Rule set of parameters as JSON or TOML has them.

        Args:
            mapping: parameters by name, and optionally the name of the rule set.
            name: takes precedence over the mapping's and the base's.
            base: gives the parameters that are missing; the base game where there is none.

        Raises:
            RulesError: an unknown parameter, a wrong value, or a combination that cannot be played.
        """
        given = dict(mapping)
        for key in given:
            if key != "name" and key not in PARAMETERS:
                raise RulesError(
                    str(key), given[key], f"there is no such parameter{suggestion(str(key), PARAMETERS)}"
                )
        own_name = given.pop("name", base.name if base else "custom")
        start = {key: getattr(base, key) for key in PARAMETERS} if base else {}
        read = {key: _read(key, value) for key, value in given.items()}
        return cls(name=name if name is not None else own_name, **(start | read))  # type: ignore[arg-type]

    def digest(self) -> str:
        """SHA-256 of the canonical JSON of what is played, in hexadecimal; the name does not count."""
        parameters = self.to_dict()
        del parameters["name"]
        parameters["removed"] = cards_text(sorted(self.removed))
        text = json.dumps(parameters, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


PARAMETERS = tuple(f.name for f in fields(RuleSet) if f.init and f.name != "name")

CHOICES: dict[str, type[StrEnum]] = {  # parameters that take one of some words
    "leftover": Leftover,
    "first_lead": FirstLead,
    "first_trick": FirstTrick,
    "first_trick_exception": FirstTrickException,
    "hearts_broken_by": HeartsBrokenBy,
    "queen_breaks": QueenBreaks,
    "lead_exception": LeadException,
    "queen_lead": QueenLead,
    "heart_values": HeartValues,
    "moon": Moon,
    "moon_needs": MoonNeeds,
    "moon_choice_default": MoonChoice,
    "tie_break": TieBreak,
    "last_trick_cancelled": LastTrickCancelled,
}


def suggestion(word: str, known: tuple[str, ...]) -> str:
    """The end of a sentence about an unknown word: the nearest known one, or where to look."""
    near = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"


def _check_types(rules: RuleSet) -> None:
    if not isinstance(rules.name, str) or not 0 < len(rules.name) <= p.NAME_MAX or not rules.name.isprintable():
        raise RulesError("name", rules.name, f"give a text of 1 to {p.NAME_MAX} printable characters")
    for key, kind in CHOICES.items():
        object.__setattr__(rules, key, p.choice(key, kind, getattr(rules, key)))
    for key in ("hearts_must_break", "cancellation"):
        p.flag(key, getattr(rules, key))
    p.whole("packs", rules.packs, 1, 2)
    if rules.packs == 1:
        p.whole("seats", rules.seats, 3, 7)
    else:
        p.whole("seats", rules.seats, 6, 11)
    p.whole("pass_count", rules.pass_count, 0, 34)
    p.whole("target", rules.target, 1, p.TOTAL_MAX)
    if rules.score_floor is not None:
        p.whole("score_floor", rules.score_floor, -p.TOTAL_MAX, 0)
    if rules.max_deals is not None:
        p.whole("max_deals", rules.max_deals, 1, p.TOTAL_MAX)
    p.moon_points("moon_points", rules.moon_points)
    for key in ("removed", "pass_cycle", "penalties", "bonuses"):
        if not isinstance(getattr(rules, key), tuple):
            raise RulesError(key, getattr(rules, key), "give a tuple; RuleSet.from_dict reads lists and tables")
    for card in rules.removed:
        p.card("removed", card)
    for offset in rules.pass_cycle:
        p.whole("pass_cycle", offset, 1 - rules.seats, rules.seats - 1)
    for key, low, high in (("penalties", 1, p.VALUE_MAX), ("bonuses", -p.VALUE_MAX, -1)):
        for card, points in getattr(rules, key):
            p.whole(f"{key}.{cards_text([p.card(key, card)])[0]}", points, low, high)


def _values(rules: RuleSet, in_play: tuple[Card, ...]) -> tuple[int, ...]:
    """Points of every card (R10.1, R10.2)."""
    values = [0] * 53
    for card in in_play:
        if is_heart(card):
            values[card] = 1 if rules.heart_values is HeartValues.UNIT else rank_of(card)
    for card, points in rules.penalties + rules.bonuses:
        values[card] = points if card in in_play else 0
    return tuple(values)


def _plain(key: str, value: object) -> object:
    if isinstance(value, StrEnum):
        return value.value
    if key in {"penalties", "bonuses"}:
        return p.card_table(value)  # type: ignore[arg-type]
    if key == "removed":
        return cards_text(value)  # type: ignore[arg-type]
    return list(value) if isinstance(value, tuple) else value


def _read(key: str, value: object) -> object:
    if key in {"penalties", "bonuses"}:
        return p.card_values(key, value)
    if key == "removed":
        return tuple(p.named_card(key, item) for item in p.listed(key, value))
    if key in {"score_floor", "max_deals"} and value == "none":
        return None  # TOML has no null
    if key == "pass_cycle":
        return tuple(p.listed(key, value))
    return value
