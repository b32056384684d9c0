"""The gRPC server: listeners, identities, health, and the hand-over of each call to a session."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from hearts.v1 import referee_service_pb2
from referee.records import FaultKind
from referee.wire.desk import Desk
from referee.wire.line import Line
from referee.wire.session import Session
from referee.wire.status import GoneError, Refusal, refuse
from referee.wire.stream import MESSAGE_BYTES_MAX, Context, Incoming, Nonsense, StreamLimits
from referee.wire.wakes import Wakes

# Streams of one token at a time. One would do; but those that a newer one fences off, or whose bot has gone without
# a word, take a while to end.
STREAMS_MAX = 8
SERVICE = referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"].full_name
# Keepalive on both sides: bots wait for minutes between matches (measured: a client that pings more often than the
# server allows loses its stream to "too many pings").
OPTIONS = (
    ("grpc.max_concurrent_streams", 128),  # of one connection; those of a token are fewer still
    # Wider than the protocol's own limit: what grpc refuses itself ends a stream without saying why.
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    ("grpc.max_send_message_length", MESSAGE_BYTES_MAX),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.so_reuseport", 0),  # a busy port is an error, not a second listener
)


class ListenError(OSError):
    """The referee cannot listen at an address; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Listener:
    """An address to listen at: `unix:/path` or `host:port`, with the PEM key and certificate chain for TLS."""

    address: str
    tls: tuple[bytes, bytes] | None = None


def parse_message(data: bytes) -> Incoming:
    """Parse what a bot sent; where it is no message, say what it is, so that the session can tell the bot."""
    if len(data) > MESSAGE_BYTES_MAX:
        text = f"a message of {len(data)} bytes, at most {MESSAGE_BYTES_MAX} are taken"
        return Nonsense(Refusal.TOO_LARGE, FaultKind.RESOURCE, text)
    try:
        return referee_service_pb2.BotMessage.FromString(data)
    except DecodeError:
        return Nonsense(Refusal.UNDECODABLE, FaultKind.MALFORMED, "the bytes are not a hearts.v1.BotMessage")


def is_loopback(address: str) -> bool:
    """Whether nobody outside this machine can reach the address."""
    host = address.rpartition(":")[0].strip("[]")
    return address.startswith("unix:") or host in ("localhost", "::1") or host.startswith("127.")


class WireServer:
    """The referee's side of `RefereeService`.

    Args:
        desk: the floor, where decisions are delivered.
        now_ns: the floor's monotonic clock.
        limits: of each stream.
    """

    def __init__(self, desk: Desk, now_ns: Callable[[], int], limits: StreamLimits) -> None:
        self._desk = desk
        self._now_ns = now_ns
        self._limits = limits
        # By the hash of the token: whoever measures how long a look takes learns of a hash and of no token.
        self._lines: dict[bytes, Line] = {}
        self._sessions: set[Session] = set()
        self._wakes = Wakes()
        self._server: grpc.aio.Server | None = None
        self._health = health.aio.HealthServicer()
        self._is_draining = False
        # Our own mistakes: an exception here is waited for beside every match, so that nothing hangs on it.
        self.crash: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.on_refused: Callable[[str], None] = lambda _peer: None  # a wrong token came from there
        self.wrong_tokens = 0  # how many calls came without a token, or with one that is not expected

    def expect(self, name: str, token: str, *, instance: str = "") -> Line:
        """Admit one process of a bot by its token, and return its line."""
        line = Line(name, instance, self._desk, self._now_ns, reconnects_max=self._limits.reconnects_max)
        return self._lines.setdefault(_hash(token), line)

    def forget(self, token: str, *, is_done: bool = False) -> None:
        """Admit this token no more, and end the streams that came with it: a bot removed, or one that is done."""
        farewell = (
            ("DONE", "this process is needed no more")
            if is_done
            else ("REMOVED", "the bot is not in the schedule any more")
        )
        line = self._lines.pop(_hash(token), None)
        if line is not None and line.session is not None:
            line.session.close(*farewell)

    async def start(self, listeners: Sequence[Listener]) -> list[str]:
        """Listen, and return the addresses with the ports that were given.

        Raises:
            ListenError: an address is busy or not ours, or would be open to others without TLS.
        """
        server = grpc.aio.server(options=OPTIONS)
        # What a session writes is bytes already: only what it reads is to be parsed.
        handler: grpc.RpcMethodHandler[Incoming, bytes] = grpc.stream_stream_rpc_method_handler(
            self._play, request_deserializer=parse_message
        )
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}),))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        if all(is_loopback(listener.address) for listener in listeners):
            reflection.enable_server_reflection((SERVICE, reflection.SERVICE_NAME), server)
        addresses = [_listen(server, listener) for listener in listeners]
        await server.start()
        await self._health.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)
        self._server = server
        return addresses

    async def stop(self, reason: str = "DONE", message: str = "all was played", *, grace_s: float = 2) -> None:
        """Say farewell on every stream, then stop listening; streams still open after the grace are cut."""
        self._is_draining = True
        await self._health.enter_graceful_shutdown()
        for session in list(self._sessions):
            session.close(reason, message)
        if self._server is not None:
            await self._server.stop(grace_s)

    def end_stuck(self) -> None:
        """End the streams of bots that do not read. Call about once a second."""
        now_ns = self._now_ns()
        for session in list(self._sessions):
            session.end_if_stuck(now_ns)

    async def _play(self, _requests: object, context: Context) -> None:
        try:
            line = await self._admit(context)
            session = Session(line, context, self._now_ns, self._limits, self._crashed, self._wakes)
            self._sessions.add(session)
            line.streams += 1
            try:
                await session.run()
            finally:
                line.streams -= 1
                self._sessions.discard(session)
        except GoneError:
            return  # a bot may leave at any moment, while it is being refused too
        except grpc.aio.AbortError:
            raise
        except Exception as error:
            self._crashed(error)
            raise

    def _crashed(self, error: BaseException) -> None:
        if not self.crash.done():
            self.crash.set_exception(error)

    async def _admit(self, context: Context) -> Line:
        metadata = {str(key): value for key, value in context.invocation_metadata() or ()}
        scheme, _, token = str(metadata.get("authorization", "")).partition(" ")
        if self._is_draining:
            await refuse(context, Refusal.DRAINING, "the referee is stopping")
        if scheme.lower() != "bearer" or not token:
            self.wrong_tokens += 1
            message = "no token: send `authorization: Bearer TOKEN` in the metadata of the call"
            await refuse(context, Refusal.NO_TOKEN, message)
        line = self._lines.get(_hash(token))
        if line is None:
            self.wrong_tokens += 1
            self.on_refused(context.peer())
            await refuse(context, Refusal.WRONG_TOKEN, "this referee expects no bot with that token")
        if line.streams >= STREAMS_MAX:
            message = f"{line.streams} streams with this token are open, at most {STREAMS_MAX} may be"
            await refuse(context, Refusal.FLOOD, message)
        return line


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _listen(server: grpc.aio.Server, listener: Listener) -> str:
    address, tls = listener.address, listener.tls
    if tls is None and not is_loopback(address):
        raise ListenError(f"{address} can be reached by others: give a TLS certificate (`hearts cert` makes one)")
    try:
        if tls is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, grpc.ssl_server_credentials([tls]))
    except RuntimeError as error:
        raise ListenError(
            f"cannot listen at {address}: the port is busy or the address is not this machine's"
        ) from error
    if address.startswith("unix:"):
        return address
    return f"{address.rpartition(':')[0]}:{port}"
