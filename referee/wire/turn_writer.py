"""Writes turns as bytes: most of what the referee says, and most of what saying costs.

What all plays of a seat in one deal have in common is written by Protocol Buffers, once, and kept. The other fields
are set before it by hand: lists of cards and seats are one byte an element, whole numbers are varints. (Measured at
1,024 tables: 3 us a turn instead of 8 us by message objects.)
"""

from __future__ import annotations

from hearts.v1 import referee_service_pb2, table_pb2
from referee.records import TurnKind
from referee.rules.deal import Deal
from referee.table.turns import Turn
from referee.wire import codec

# Looking a member up in its enumeration takes longer than most that is done here (Python 3.11).
_PLAY = TurnKind.PLAY
_SEATS = 16  # more than any rule set has
_VARINT, _BYTES = 0, 2  # wire types of Protocol Buffers
_SMALL = tuple(bytes((n,)) for n in range(128))
# Points by their zigzag number, as `sint32` has them: those that take one byte.
_ZIGZAG = {number: number << 1 ^ number >> 31 for number in range(-64, 64)}.__getitem__


def varint(number: int) -> bytes:
    """Write a whole number of at most 32 bits: seven bits a byte, the lowest first, all but the last marked.

    A greater one is written as the greatest.
    """
    if number < 0x80:
        return _SMALL[number]
    if number < 0x4000:
        return bytes((number & 0x7F | 0x80, number >> 7))
    if number < 0x20_0000:
        return bytes((number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, number >> 14))
    number = min(number, codec.UINT32_MAX)
    high = number >> 28
    low = (number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, number >> 14 & 0x7F | 0x80)
    if high:
        return bytes((*low, number >> 21 & 0x7F | 0x80, high))
    return bytes((*low, number >> 21))


def _tag(message: type[table_pb2.Turn | referee_service_pb2.RefereeMessage], name: str, wire_type: int) -> bytes:
    return varint(message.DESCRIPTOR.fields_by_name[name].number << 3 | wire_type)


_TURN = _tag(referee_service_pb2.RefereeMessage, "turns", _BYTES)
_CHANGING = b"".join(
    _tag(table_pb2.Turn, name, wire_type) + form
    for name, wire_type, form in (
        ("turn_id", _VARINT, b"%b"),
        ("hand", _BYTES, b"%c%b"),
        ("legal", _BYTES, b"%c%b"),
        ("played", _BYTES, b"%c%b"),
        ("leaders", _BYTES, b"%c%b"),
        ("points", _BYTES, b"%c%b"),
        ("hearts_broken", _VARINT, b"%c"),
        ("charged_us", _VARINT, b"%b"),
        ("turn_seed", _VARINT, b"%b"),
    )
)


class TurnWriter:
    """Writes the turns of one bot. Its owner lets it forget a match that has ended."""

    def __init__(self) -> None:
        # By match and seat in one number: at a thousand tables each object more is one more to fetch from memory.
        self._kept: dict[int, tuple[Deal, int, int, bytes]] = {}

    def piece(self, turn: Turn) -> bytes:
        """Write a turn, the very turn that `codec.turn_message` makes."""
        ask = turn.ask
        deal = ask.deal
        hand, legal, played, leaders = deal.hand(ask.seat), ask.legal, deal.played, deal.leaders
        points = _points(deal.points)
        changing = _CHANGING % (
            varint(turn.turn_id),
            len(hand),
            bytes(hand),
            len(legal),
            bytes(legal),
            len(played),  # of two packs 104, so that this, too, is one byte
            bytes(played),
            len(leaders),
            bytes(leaders),
            len(points),
            points,
            deal.hearts_broken,
            varint(turn.charged_us),
            varint(ask.turn_seed),
        )
        common = self._common(turn) if ask.kind is _PLAY else codec.common(turn).SerializeToString()
        return b"".join((_TURN, varint(len(changing) + len(common)), changing, common))

    def forget(self, match_id: int) -> None:
        """Let go of what is kept of a match."""
        for seat in range(_SEATS):
            self._kept.pop(match_id * _SEATS + seat, None)

    def _common(self, turn: Turn) -> bytes:
        """Give what stays the same once a seat has passed and received, until its bank or its time changes."""
        ask = turn.ask
        place = turn.match_id * _SEATS + ask.seat
        kept = self._kept.get(place)
        if kept is not None:
            deal, bank_ms, turn_ms, data = kept
            if deal is ask.deal and bank_ms == turn.bank_ms and turn_ms == turn.turn_ms:
                return data
        data = codec.common(turn).SerializeToString()
        self._kept[place] = (ask.deal, turn.bank_ms, turn.turn_ms, data)
        return data


def _points(points: list[int]) -> bytes:
    """Write points as packed `sint32`."""
    try:
        return bytes(map(_ZIGZAG, points))
    except KeyError:
        return b"".join([varint(number << 1 ^ number >> 31) for number in points])
