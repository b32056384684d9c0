"""The kinds of values a rule set's parameters take, and the one error for a value that is not allowed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from referee.rules.cards import Card, card_text, parse_card
from referee.rules.shown import shortened, shown

VALUE_MAX: Final = 10_000  # points of one card, or of a moon
TOTAL_MAX: Final = 1_000_000  # target, floor and number of deals
NAME_MAX: Final = 64  # characters of a rule set's name


class RulesError(ValueError):
    """A rule set that cannot be played, or is not one.

    Attributes:
        key: the parameter at fault, empty where the whole is.
        value: what it was given.
    """

    def __init__(self, key: str, value: object, allowed: str) -> None:
        self.key = key
        self.value = value
        super().__init__(f"{_shown_key(key)} = {shown(value)} is not allowed: {allowed}" if key else allowed)


class Leftover(StrEnum):
    """What becomes of cards that cannot be dealt evenly."""

    NONE = "none"  # there may be none
    WIDOW = "widow"  # face down, to the winner of the first trick that is won


class FirstLead(StrEnum):
    """Who leads to the first trick, and what."""

    LOWEST_CLUB = "lowest_club"  # its holder leads it
    LEFT_OF_DEALER = "left_of_dealer"  # any card that seat may lead


class FirstTrick(StrEnum):
    """Which cards are barred from the first trick."""

    NO_PENALTY = "no_penalty"  # every card with a positive value
    QUEEN_ALLOWED = "queen_allowed"  # the same, the queen of spades excepted
    FREE = "free"  # none


class FirstTrickException(StrEnum):
    """What a follower may play to the first trick when every card it holds is barred."""

    ALL_PENALTY_ANY = "all_penalty_any"  # any card
    QUEEN_FORCED = "queen_forced"  # the queen of spades if held, else any
    HEARTS_FIRST = "hearts_first"  # a heart if held, else any


class HeartsBrokenBy(StrEnum):
    """Which heart breaks hearts."""

    ANY_HEART_PLAYED = "any_heart_played"
    HEART_DISCARDED = "heart_discarded"  # one played to a trick led in another suit


class QueenBreaks(StrEnum):
    """When the queen of spades breaks hearts too."""

    NEVER = "never"
    DISCARDED = "discarded"  # played to a trick led in another suit
    PLAYED = "played"


class LeadException(StrEnum):
    """When a leader may lead a heart although hearts are not broken."""

    ONLY_HEARTS = "only_hearts"  # it holds nothing else
    ONLY_HEARTS_OR_QUEEN = "only_hearts_or_queen"  # it holds nothing but hearts and the queen of spades


class QueenLead(StrEnum):
    """When the queen of spades may be led."""

    ALWAYS = "always"
    AFTER_BROKEN = "after_broken"


class HeartValues(StrEnum):
    """Points of a heart."""

    UNIT = "unit"  # 1 each
    RANK = "rank"  # 2..10, jack 11, queen 12, king 13, ace 14


class Moon(StrEnum):
    """What shooting the moon is worth."""

    ADD = "add"  # the others take the moon's points
    SUBTRACT = "subtract"  # the shooter takes them off
    CHOICE = "choice"  # the shooter chooses between the two
    NONE = "none"  # nothing: points count as taken


class MoonNeeds(StrEnum):
    """Which cards a seat must take, every copy in play, to shoot the moon."""

    ALL_PENALTY_CARDS = "all_penalty_cards"  # those with a positive value
    HEARTS_AND_QUEEN = "hearts_and_queen"
    ALL_PENALTY_AND_BONUS = "all_penalty_and_bonus"


class MoonChoice(StrEnum):
    """How a shooter may have its moon scored."""

    ADD = "add"
    SUBTRACT = "subtract"


class TieBreak(StrEnum):
    """What happens when seats tie for the lowest total at the end."""

    ALL_PLAY_ON = "all_play_on"  # deals for all until one total is lowest
    TIED_HAND = "tied_hand"  # deals for all in which only the tied seats' scores of that deal count
    SHARED = "shared"  # they share the place


class LastTrickCancelled(StrEnum):
    """Who takes what is left when all cards of the led suit cancel in the last trick."""

    LEADER = "leader"
    SECOND_OF_HIGHEST = "second_of_highest"  # who played the second of the highest pair
    PREVIOUS_WINNER = "previous_winner"  # who won the last trick that was won; the leader if none was
    VOID = "void"  # nobody


Choice = TypeVar("Choice", bound=StrEnum)


def _shown_key(key: str) -> str:
    """How a parameter's name appears; what comes from a file need not be a name at all."""
    return shortened(key) if key.isprintable() else shown(key)


def choice(key: str, kind: type[Choice], value: object) -> Choice:
    """Member of an enumeration by its text.

    Raises:
        RulesError: not one of its values.
    """
    if isinstance(value, str):
        for member in kind:
            if member.value == value:
                return member
    raise RulesError(key, value, f"choose one of {', '.join(member.value for member in kind)}")


def whole(key: str, value: object, low: int, high: int) -> int:
    """A whole number within bounds; true and false are not numbers.

    Raises:
        RulesError: not a number, or out of bounds.
    """
    if type(value) is not int or not low <= value <= high:
        raise RulesError(key, value, f"give a whole number from {low} to {high}")
    return value


def moon_points(key: str, value: object) -> None:
    """The worth of a moon: the deal's total, or a number of its own.

    Raises:
        RulesError: neither.
    """
    if value != "deal_total" and (type(value) is not int or not 1 <= value <= VALUE_MAX):
        raise RulesError(key, value, f"give deal_total or a whole number from 1 to {VALUE_MAX}")


def flag(key: str, value: object) -> bool:
    """True or false, and nothing that merely counts as such.

    Raises:
        RulesError: anything else.
    """
    if not isinstance(value, bool):
        raise RulesError(key, value, "give true or false")
    return value


def card(key: str, value: object) -> Card:
    """A card by its number.

    Raises:
        RulesError: not a card.
    """
    if type(value) is not int or not 1 <= value <= 52:
        raise RulesError(key, value, "give cards, such as QS or TD")
    return value


def listed(key: str, value: object) -> list[object]:
    """A list as read from JSON or TOML.

    Raises:
        RulesError: not a list.
    """
    if not isinstance(value, list | tuple):
        raise RulesError(key, value, "give a list")
    return list(value)


def named_card(key: str, value: object) -> Card:
    """A card by its text form.

    Raises:
        RulesError: not a card.
    """
    try:
        return parse_card(value)  # type: ignore[arg-type]  # it refuses what is no text
    except ValueError:
        raise RulesError(key, value, "give cards as a rank and a suit in capitals, such as QS or TD") from None


def card_values(key: str, value: object) -> tuple[tuple[Card, int], ...]:
    """Points by card as read from JSON or TOML; the numbers are checked by the rule set.

    Raises:
        RulesError: not a table of cards.
    """
    if not isinstance(value, Mapping):
        raise RulesError(key, value, "give a table from card to points, such as QS = 13")
    pairs = ((named_card(f"{key}.{name}", name), points) for name, points in value.items())
    return tuple(sorted(pairs, key=lambda pair: pair[0]))


def card_table(values: tuple[tuple[Card, int], ...]) -> dict[str, int]:
    """Points by the text form of the card, as written to JSON."""
    return {card_text(card): points for card, points in values}
