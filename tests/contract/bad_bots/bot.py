"""What the bad bots share: a stream that lets them do anything, and the decisions the referee would make itself."""

import collections
import os
import queue
import time

import grpc

from hearts.v1 import referee_service_pb2 as service
from hearts.v1.table_pb2 import TURN_KIND_PASS, TURN_KIND_PLAY, Decision

TOKEN = os.environ.get("HEARTS_TOKEN", "")
HELLO = service.Hello(protocol_min=1, protocol_max=1, bot_name="bad", bot_version="1", tables_max=256)


def height(card):
    return (card - 1) % 13, card


def honest(turn):
    """Decide as the referee does for a seat that does not: nothing tells the two apart but the record."""
    if turn.kind == TURN_KIND_PASS:
        return Decision(turn_id=turn.turn_id, cards=sorted(sorted(turn.legal, key=height)[-turn.pass_count :]))
    if turn.kind == TURN_KIND_PLAY:
        return Decision(turn_id=turn.turn_id, cards=[min(turn.legal, key=height)])
    return Decision(turn_id=turn.turn_id, moon_choice=1)


class Stream:
    """One call of Play on a connection of its own. Messages may be bytes that are none."""

    def __init__(self, token=TOKEN, hello=HELLO):
        self.to_send = queue.SimpleQueue()
        self.kept = collections.deque()
        options = [("grpc.default_authority", "localhost"), ("grpc.use_local_subchannel_pool", 1)]
        self.channel = grpc.insecure_channel(os.environ["HEARTS_REFEREE"], options)
        method = self.channel.stream_stream(
            "/hearts.v1.RefereeService/Play",
            request_serializer=lambda m: m if isinstance(m, bytes) else m.SerializeToString(),
            response_deserializer=service.RefereeMessage.FromString,
        )
        metadata = [("authorization", f"Bearer {token}"), ("hearts-instance", os.environ["HEARTS_INSTANCE"])]
        self.call = method(iter(self.to_send.get, None), metadata=metadata)
        if hello is not None:
            self.send(service.BotMessage(hello=hello))

    def send(self, message):
        self.to_send.put(message)

    def decide(self, *decisions):
        self.send(service.BotMessage(decisions=decisions))

    def half_close(self):
        self.to_send.put(None)

    def turns(self):
        while True:
            while self.kept:
                yield self.kept.popleft()
            try:
                self.kept.extend(next(self.call).turns)
            except StopIteration:
                return

    def await_fault(self):
        """Read until told of a fault, or that the match is over; the turns that come meanwhile are kept."""
        for message in self.call:
            self.kept.extend(message.turns)
            if any(notice.HasField("fault") or notice.HasField("match_ended") for notice in message.notices):
                return

    def close(self):
        self.call.cancel()
        self.channel.close()


def play(act, reconnects=100):
    """Call `act(stream, turn)` for every turn; come back when the stream ends in any way but a farewell."""
    for _ in range(reconnects):
        stream = Stream()
        try:
            for turn in stream.turns():
                act(stream, turn)
        except grpc.RpcError as error:
            if error.code() in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
                return
            time.sleep(0.05)
        else:
            return
        finally:
            stream.close()
