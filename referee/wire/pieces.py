"""What a bot is owed, as bytes: pieces that are joined into messages.

A piece is a `RefereeMessage` with one turn or one notice. Messages set one behind the other are one message with
all their repeated fields, by the rules of Protocol Buffers: so a piece is written once, its size is known, and
nothing has to be built, measured and written again when several go out together.
"""

from __future__ import annotations

from collections.abc import Iterable

from hearts.v1 import referee_service_pb2, table_pb2
from referee.table import DealEnded
from referee.wire import codec

MESSAGE_BYTES_SPLIT = 32 * 1024

_last_deal: tuple[DealEnded | None, bytes] = (None, b"")


def turn_piece(turn: table_pb2.Turn) -> bytes:
    """Write a turn as a piece."""
    return referee_service_pb2.RefereeMessage(turns=[turn]).SerializeToString()


def notice_piece(notice: table_pb2.Notice) -> bytes:
    """Write a notice as a piece."""
    return referee_service_pb2.RefereeMessage(notices=[notice]).SerializeToString()


def deal_ended_piece(match_id: int, event: DealEnded) -> bytes:
    """Write the notice of a deal's end, once for all seats of the match."""
    global _last_deal  # noqa: PLW0603  # a cache of one
    if _last_deal[0] is not event:
        _last_deal = (event, notice_piece(codec.deal_ended(match_id, event)))
    return _last_deal[1]


def joined(pieces: Iterable[bytes]) -> list[bytes]:
    """Join pieces, in their order, into messages of at most `MESSAGE_BYTES_SPLIT` bytes, larger pieces apart."""
    messages: list[bytes] = []
    together: list[bytes] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > MESSAGE_BYTES_SPLIT and together:
            messages.append(b"".join(together))
            together = []
            size = len(piece)
        together.append(piece)
    if together:
        messages.append(b"".join(together))
    return messages
