"""Seeds and the deals they make: docs/dealing.md.

Everything here is a function of bytes, so that any language can check a deal after the tournament's seed has
been revealed. `proto/vectors/dealing.json` holds worked examples, the rejected bytes included.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from referee.rules.cards import Card, card_text

if TYPE_CHECKING:
    from referee.rules.ruleset import RuleSet

COMMIT_LABEL = b"hearts/v1/commit"
INTEGER_LABEL = b"hearts/v1/integer"
DEAL_LABEL = b"hearts/v1/deal"
TURN_LABEL = b"hearts/v1/turn"

_TURN = struct.Struct(">II")  # seat, index
_NUMBER = struct.Struct(">I")
_PLACE = struct.Struct(">QII")  # board set, attempt, deal number
# Bytes below it draw one of `size` cards evenly; where one card is left none is drawn.
_LIMITS = (0, 0, *(256 - 256 % size for size in range(2, 2 * 52 + 1)))


class Dealt(NamedTuple):
    """Cards as dealt: a sorted hand for each seat, and what was over."""

    hands: tuple[tuple[Card, ...], ...]
    widow: tuple[Card, ...]


def integer_seed(n: int) -> bytes:
    """Seed of a public whole number: SHA-256("hearts/v1/integer" ‖ u64be(n)).

    Anyone can guess it; it is for demonstrations and tests, never for a rated event.

    Raises:
        ValueError: the number does not fit 64 bits.
    """
    return hashlib.sha256(INTEGER_LABEL + _unsigned("seed", n, 8)).digest()


def commitment(tournament_seed: bytes) -> str:
    """What is published before the first deal: SHA-256("hearts/v1/commit" ‖ seed), in hexadecimal."""
    return hashlib.sha256(COMMIT_LABEL + tournament_seed).hexdigest()


def deal_seed(tournament_seed: bytes, salt: str, board_set: int, attempt: int, deal_number: int) -> bytes:
    """Seed of one deal: HMAC-SHA256 keyed by the tournament's seed.

    The message is "hearts/v1/deal" ‖ SHA-256(salt in UTF-8) ‖ u64be(board_set) ‖ u32be(attempt) ‖
    u32be(deal_number); attempts count from 0, deals from 1.

    Raises:
        ValueError: a number that does not fit its field.
    """
    fields = _fields(salt, board_set, attempt, deal_number)
    return hmac.digest(tournament_seed, DEAL_LABEL + fields, "sha256")


def turn_key(tournament_seed: bytes, salt: str, board_set: int, attempt: int, deal_number: int) -> bytes:
    """Key from which the seeds of a deal's turns follow: HMAC-SHA256 under "hearts/v1/turn".

    It tells nothing about the cards: the labels differ.

    Raises:
        ValueError: a number that does not fit its field.
    """
    fields = _fields(salt, board_set, attempt, deal_number)
    return hmac.digest(tournament_seed, TURN_LABEL + fields, "sha256")


def turn_seed(turn_key: bytes, seat: int, index: int) -> int:
    """Number a bot may draw its randomness from in one turn, 0 to 2³² - 1.

    The first four bytes, most significant first, of SHA-256(turn_key ‖ u32be(seat) ‖ u32be(index)). `index`
    counts the turns of that seat in that deal, from 0.
    """
    number: int
    (number,) = _NUMBER.unpack_from(hashlib.sha256(turn_key + _TURN.pack(seat, index)).digest())
    return number


def deal_cards(rules: RuleSet, deal_seed: bytes) -> Dealt:
    """Shuffle the pack by the seed's bytes and deal it, one card at a time from seat 0 on.

    The shuffle swaps each position from the last down with one that is drawn.
    """
    cards = list(rules.pack)
    size = len(cards)
    limits = _LIMITS
    block = 0
    while size > 1:
        for byte in hashlib.sha256(deal_seed + block.to_bytes(4, "big")).digest():
            if byte < limits[size]:  # taking the others would favour low positions
                j = byte % size
                size -= 1
                card = cards[j]
                cards[j] = cards[size]
                cards[size] = card
        block += 1
    seats, over = rules.seats, rules.hand_size * rules.seats
    hands = tuple([tuple(sorted(cards[seat:over:seats])) for seat in range(seats)])
    return Dealt(hands, tuple(sorted(cards[over:])))


def check_dealt(
    rules: RuleSet, deal_number: int, dealer: int, hands: Sequence[Sequence[Card]], widow: Sequence[Card]
) -> None:
    """Check that cards, wherever they come from, can be the start of a deal.

    Raises:
        ValueError: the cards are not those of the rule set, or not dealt evenly.
    """
    if deal_number < 1:
        raise ValueError(f"deal_number = {deal_number} is not allowed: deals are counted from 1")
    if not 0 <= dealer < rules.seats:
        raise ValueError(f"dealer = {dealer} is not allowed: give a seat from 0 to {rules.seats - 1}")
    if len(hands) != rules.seats:
        raise ValueError(f"{len(hands)} hands were given for {rules.seats} seats")
    for seat, hand in enumerate(hands):
        if len(hand) != rules.hand_size:
            raise ValueError(f"seat {seat} holds {len(hand)} cards, it is dealt {rules.hand_size}")
    cards = sorted(chain(*hands, widow))
    if cards == rules.sorted_pack:
        return
    given, pack = Counter(cards), Counter(rules.pack)
    if over := given - pack:
        raise ValueError(f"{_texts(over)} is dealt more often than the pack holds it")
    raise ValueError(f"{_texts(pack - given)} is missing from the hands and the widow")


def _fields(salt: str, board_set: int, attempt: int, deal_number: int) -> bytes:
    try:
        return _salt_hash(salt) + _PLACE.pack(board_set, attempt, deal_number)
    except struct.error:
        # Slower, but it names the field.
        _unsigned("board_set", board_set, 8)
        _unsigned("attempt", attempt, 4)
        _unsigned("deal_number", deal_number, 4)
        raise


@lru_cache(maxsize=16)
def _salt_hash(salt: str) -> bytes:
    return hashlib.sha256(salt.encode()).digest()


def _unsigned(name: str, number: int, width: int) -> bytes:
    try:
        return number.to_bytes(width, "big")
    except OverflowError:
        raise ValueError(f"{name} = {number} is not allowed: give 0 to {256**width - 1}") from None


def _texts(cards: Iterable[Card]) -> str:
    return ", ".join(card_text(card) for card in sorted(cards))
