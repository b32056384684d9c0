"""A bot that reads `legal` and nothing else, as a stream of the test's own event loop."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import grpc

from hearts.v1 import referee_service_pb2 as service
from hearts.v1 import rules_pb2, table_pb2
from hearts.v1.referee_service_pb2_grpc import RefereeServiceStub

DECISIONS_MAX = 128  # of one message
OPTIONS = [("grpc.default_authority", "localhost")]


class LegalBot:
    """Decides at random, by `turn_seed`; chooses the same of every moon.

    Attributes:
        asked: how many turns of each kind came.
        notices: everything the referee told.
    """

    def __init__(self, address: str, token: str, *, moon_choice: rules_pb2.MoonChoice.ValueType) -> None:
        self.asked: Counter[table_pb2.TurnKind.ValueType] = Counter()
        self.notices: list[table_pb2.Notice] = []
        self._address = address
        self._token = token
        self._moon_choice = moon_choice

    async def play(self) -> None:
        """Answer every turn until the referee says farewell."""
        async with grpc.aio.insecure_channel(self._address, options=OPTIONS) as channel:
            stub: Any = RefereeServiceStub(channel)
            stream = stub.Play(metadata=[("authorization", f"Bearer {self._token}")])
            hello = service.Hello(protocol_min=1, protocol_max=1, bot_name="legal", tables_max=64)
            await stream.write(service.BotMessage(hello=hello))
            while (message := await stream.read()) is not grpc.aio.EOF:
                self.notices.extend(message.notices)
                decisions = [self.decide(turn) for turn in message.turns]
                for start in range(0, len(decisions), DECISIONS_MAX):
                    await stream.write(service.BotMessage(decisions=decisions[start : start + DECISIONS_MAX]))

    def decide(self, turn: table_pb2.Turn) -> table_pb2.Decision:
        """Answer one turn."""
        self.asked[turn.kind] += 1
        if turn.kind == table_pb2.TURN_KIND_MOON:
            return table_pb2.Decision(turn_id=turn.turn_id, moon_choice=self._moon_choice)
        count = turn.pass_count if turn.kind == table_pb2.TURN_KIND_PASS else 1
        return table_pb2.Decision(
            turn_id=turn.turn_id, cards=Random(turn.turn_seed).sample(list(turn.legal), count)
        )
