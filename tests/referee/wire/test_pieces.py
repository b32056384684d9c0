"""Pieces that are joined are one message, and large messages are cut between pieces."""

from __future__ import annotations

from hearts.v1 import referee_service_pb2, table_pb2
from referee.wire.pieces import MESSAGE_BYTES_SPLIT, joined, notice_piece, turn_piece


def test_joined_pieces_are_one_message_with_all_of_them_in_order() -> None:
    notices = [table_pb2.Notice(match_id=number) for number in (1, 2)]
    turns = [table_pb2.Turn(turn_id=number) for number in (3, 4, 5)]
    (data,) = joined([*map(notice_piece, notices), *map(turn_piece, turns)])

    message = referee_service_pb2.RefereeMessage.FromString(data)

    assert (list(message.notices), list(message.turns)) == (notices, turns)


def test_what_is_too_much_for_one_message_goes_out_in_several() -> None:
    third = MESSAGE_BYTES_SPLIT // 3

    parts = joined([b"a" * third, b"b" * third, b"c" * third, b"d" * third, b"e"])

    assert [len(part) for part in parts] == [3 * third, third + 1]
    assert b"".join(parts).strip(b"abcde") == b""


def test_a_piece_that_is_too_large_goes_out_alone() -> None:
    large = b"b" * (MESSAGE_BYTES_SPLIT + 1)

    assert joined([b"a", large, b"c"]) == [b"a", large, b"c"]
    assert joined([]) == []
