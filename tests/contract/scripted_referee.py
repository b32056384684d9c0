"""A referee that says what a test tells it to and shows what the bot answers: the wire without rules or clocks."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

import grpc

from hearts.v1 import referee_service_pb2 as service
from hearts.v1 import referee_service_pb2_grpc
from hearts.v1.table_pb2 import Decision, Notice, Turn

ANSWER_S_MAX = 20.0  # a bot that has not answered by then fails its test
REVISION = 1


class Conversation:
    """One stream of a bot, from the referee's side."""

    def __init__(self, metadata: dict[str, str]) -> None:
        """Hold what was said on a stream whose call carried `metadata`."""
        self.metadata = metadata
        self.ended = threading.Event()
        self._heard: queue.SimpleQueue[service.BotMessage | None] = queue.SimpleQueue()
        self._to_say: queue.SimpleQueue[service.RefereeMessage | tuple[grpc.StatusCode, str]] = queue.SimpleQueue()

    def hear(self) -> service.BotMessage:
        """Return the bot's next message; AssertionError if it closed the stream instead."""
        message = self._heard.get(timeout=ANSWER_S_MAX)
        assert message is not None, "the bot closed the stream instead of answering"
        return message

    def say(self, message: service.RefereeMessage) -> None:
        self._to_say.put(message)

    def welcome(self, tables_max: int = 256) -> service.Hello:
        """Wait for the hello, answer it, and return it."""
        first = self.hear()
        assert first.HasField("hello"), f"the first message is no hello: {first}"
        self.say(
            service.RefereeMessage(
                welcome=service.Welcome(
                    protocol=REVISION, tables_max=tables_max, message_bytes_max=65536, decisions_max=128
                )
            )
        )
        return first.hello

    def ask(self, *turns: Turn, notices: tuple[Notice, ...] = ()) -> dict[int, Decision]:
        """Put turns in one message; return the decisions by turn id once all are answered."""
        self.say(service.RefereeMessage(turns=turns, notices=notices))
        decisions: dict[int, Decision] = {}
        while len(decisions) < len(turns):
            message = self.hear()
            assert 0 < len(message.decisions) <= 128, f"{len(message.decisions)} decisions in a message"
            decisions.update((decision.turn_id, decision) for decision in message.decisions)
        return decisions

    def farewell(self, reason: service.FarewellReason.ValueType, message: str = "") -> None:
        """Say farewell and end the call, with the status that fits."""
        self.say(service.RefereeMessage(farewell=service.Farewell(reason=reason, message=message)))
        self.end(grpc.StatusCode.OK)

    def end(self, code: grpc.StatusCode, sentence: str = "as the script has it") -> None:
        """End the call without a farewell, with a status."""
        self._to_say.put((code, sentence))

    def serve(
        self, incoming: Iterator[service.BotMessage], context: grpc.ServicerContext
    ) -> Iterator[service.RefereeMessage]:
        """Run the stream in the server's thread: say what is queued, collect what is heard."""
        threading.Thread(target=self._listen, args=(incoming,), daemon=True).start()
        context.add_callback(self.ended.set)
        while isinstance(item := self._to_say.get(), service.RefereeMessage):
            yield item
        code, sentence = item
        if code is not grpc.StatusCode.OK:
            context.abort(code, sentence)

    def _listen(self, incoming: Iterator[service.BotMessage]) -> None:
        try:
            for message in incoming:
                self._heard.put(message)
        except grpc.RpcError:
            self.ended.set()
        self._heard.put(None)


class ScriptedReferee(referee_service_pb2_grpc.RefereeServiceServicer):
    """A server on an address of its own; each stream of a bot becomes a Conversation."""

    def __init__(self, address: str, credentials: grpc.ServerCredentials | None = None) -> None:
        """Listen on `address` (`unix:/path`, or port 0: any), TLS if credentials are given."""
        self._conversations: queue.SimpleQueue[Conversation] = queue.SimpleQueue()
        self._open: list[Conversation] = []
        self._server = grpc.server(ThreadPoolExecutor(8))
        referee_service_pb2_grpc.add_RefereeServiceServicer_to_server(self, self._server)
        if credentials is None:
            port = self._server.add_insecure_port(address)
        else:
            port = self._server.add_secure_port(address, credentials)
        self.address = address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}"
        self._server.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.crash()

    def Play(  # noqa: N802  the generated name
        self, request_iterator: Iterator[service.BotMessage], context: grpc.ServicerContext
    ) -> Iterator[service.RefereeMessage]:
        """Serve one stream."""
        metadata = {key: str(value) for key, value in context.invocation_metadata()}
        conversation = Conversation(metadata)
        self._open.append(conversation)
        self._conversations.put(conversation)
        return conversation.serve(request_iterator, context)

    def accept(self) -> Conversation:
        """Return the next stream that a bot opens."""
        return self._conversations.get(timeout=ANSWER_S_MAX)

    def crash(self) -> None:
        """Drop every connection at once, as a killed process would."""
        for conversation in self._open:
            conversation.end(grpc.StatusCode.UNAVAILABLE)
        self._server.stop(None).wait()
