"""The bare wire: a peer that does what a referee must do on the wire and nothing else.

It builds each turn with one constructor call from the same flat lists, parses each decision, and keeps a given
number of turns open a bot, in messages of a given size. No rules, no tables, no clocks: what is left is gRPC,
protobuf and the bots. At one table the one open turn goes from bot to bot, as it does in a deal: to wake another
process each time costs more than to ask the same one again.
"""

from typing import Any

import grpc

from hearts.v1 import referee_service_pb2 as service
from hearts.v1.table_pb2 import TURN_KIND_PLAY, Turn

HAND: Any = [3, 7, 14, 19, 22, 27, 31, 38, 44]
LEGAL: Any = [14, 19, 22]
PLAYED: Any = [1, 5, 9, 12, 15, 16, 20, 25, 40, 41, 45, 50, 23, 24]
LEADERS = [2, 1, 3, 0]
PASSED: Any = [50, 51, 52]


def build_turn(turn_id: int) -> Turn:
    return Turn(
        turn_id=turn_id, match_id=1, kind=TURN_KIND_PLAY, rules_name="american", target=100,
        seat=1, seats=4, deal_number=1,
        hand=HAND, legal=LEGAL, played=PLAYED, leaders=LEADERS, pass_offset=1, pass_count=3,
        passed_cards=PASSED, received_cards=PASSED, scores=[0, 13, 5, 8], points=[0, 0, 4, 1],
        hearts_broken=True, turn_ms=1000, bank_ms=5000, charged_us=200, turn_seed=123456789,
    )  # fmt: skip


class BareWire:
    def __init__(self, turns_open: int, batch: int, *, bots: int, goes_round: bool) -> None:
        self.turns_open, self.batch, self.bots, self.goes_round = turns_open, batch, bots, goes_round
        self.streams: list[grpc.aio.ServicerContext[Any, Any]] = []
        self.decisions, self.is_over, self._id = 0, False, 0

    def _turns(self, count: int) -> service.RefereeMessage:
        self._id += count
        return service.RefereeMessage(turns=[build_turn(self._id + i) for i in range(count)])

    async def play(self, _: object, context: "grpc.aio.ServicerContext[Any, Any]") -> None:
        await context.read()
        await context.write(service.RefereeMessage(welcome=service.Welcome(protocol=1)))
        seat = len(self.streams)
        self.streams.append(context)
        if not self.goes_round:
            for start in range(0, self.turns_open, self.batch):
                await context.write(self._turns(min(self.batch, self.turns_open - start)))
        elif len(self.streams) == self.bots:
            await context.write(self._turns(1))
        while not self.is_over:
            message = await context.read()
            cards = [tuple(decision.cards) for decision in message.decisions]
            self.decisions += len(cards)
            asked = self.streams[(seat + 1) % self.bots] if self.goes_round else context
            await asked.write(self._turns(len(cards)))
        await context.write(service.RefereeMessage(farewell=service.Farewell(reason=service.FAREWELL_REASON_DONE)))

    async def serve(self, address: str) -> grpc.aio.Server:
        server = grpc.aio.server()
        handler = grpc.stream_stream_rpc_method_handler(
            self.play, service.BotMessage.FromString, service.RefereeMessage.SerializeToString
        )
        name = "hearts.v1.RefereeService"
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, {"Play": handler}),))
        server.add_insecure_port(address)
        await server.start()
        return server
