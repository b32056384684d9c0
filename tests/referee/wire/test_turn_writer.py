"""Turns written by hand are the turns that Protocol Buffers writes."""

from __future__ import annotations

import random

import pytest

from hearts.v1 import referee_service_pb2, table_pb2
from referee.records import TurnKind
from referee.table import Ask
from referee.table.turns import Turn
from referee.wire import codec
from referee.wire.turn_writer import TurnWriter, varint
from tests.referee.table.tables import lowest_legal, table, to_first_play


def turn_of(ask: Ask, **values: int) -> Turn:
    given = {"turn_ms": 1000, "bank_ms": 5000, "charged_us": 12, "turn_id": 9} | values
    return Turn(ask, 7, "american", 100, **given)


def read(piece: bytes) -> table_pb2.Turn:
    (turn,) = referee_service_pb2.RefereeMessage.FromString(piece).turns
    return turn


def test_every_turn_of_a_match_is_the_turn_that_protocol_buffers_writes() -> None:
    kinds: set[TurnKind] = set()
    for rules_name in ("american", "omnibus-choice", "black-maria-3", "cancellation-9"):
        writer = TurnWriter()
        match = table(rules_name, deals=3)
        match.open()
        while asks := match.pending():
            for ask in asks:
                turn = turn_of(ask, charged_us=ask.turn_number % 3 * 70_000, turn_id=2**32 - ask.turn_number)
                assert read(writer.piece(turn)) == codec.turn_message(turn), f"{rules_name}, {turn}"
                kinds.add(ask.kind)
            match.answer(asks[0].seat, lowest_legal(asks[0]))

    assert kinds >= {TurnKind.PASS, TurnKind.PLAY}


@pytest.mark.parametrize("charged_us", [2**28, 2**32 - 1, 2**32, 7_200_000_000])
def test_a_charge_that_is_too_long_for_the_wire_is_told_as_the_longest(charged_us: int) -> None:
    turn = turn_of(to_first_play(table()), charged_us=charged_us)

    assert read(TurnWriter().piece(turn)) == codec.turn_message(turn)
    assert codec.turn_message(turn).charged_us == min(charged_us, 2**32 - 1)


def test_points_that_need_more_than_a_byte_are_written() -> None:
    ask = to_first_play(table())
    ask.deal.points[:] = [64, -65, 300, -(2**20)]

    assert list(read(TurnWriter().piece(turn_of(ask))).points) == [64, -65, 300, -(2**20)]


@pytest.mark.parametrize("changed", [{"bank_ms": 4000}, {"turn_ms": 300}])
def test_a_clock_that_has_changed_within_a_deal_is_written(changed: dict[str, int]) -> None:
    ask = to_first_play(table())
    writer = TurnWriter()
    writer.piece(turn_of(ask))
    turn = turn_of(ask, **changed)

    assert read(writer.piece(turn)) == codec.turn_message(turn)


def test_a_writer_forgets_a_match_that_has_ended() -> None:
    ask = to_first_play(table())
    writer = TurnWriter()
    writer.piece(turn_of(ask))
    ask.scores = (1, 2, 3, 4)  # nothing within a deal, so that only a writer that has forgotten sees it
    writer.forget(7)

    assert list(read(writer.piece(turn_of(ask))).scores) == [1, 2, 3, 4]


def test_whole_numbers_are_written_as_varints() -> None:
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    turn_id_tag = b"\x08"  # field 1, varint
    edges = [n for bits in range(7, 35, 7) for n in (2**bits - 1, 2**bits)]
    for number in (1, *edges, 2**32 - 1, *(1 + rng.getrandbits(rng.randint(1, 31)) for _ in range(1_000))):
        data = turn_id_tag + varint(number)
        assert data == table_pb2.Turn(turn_id=number).SerializeToString(), f"{number} (seed {seed})"
