"""One stream as grpc sees it: what comes and goes on it, and what it may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import grpc

from hearts.v1 import referee_service_pb2
from referee.records import FaultKind
from referee.wire.status import Refusal

MESSAGE_BYTES_MAX = 64 * 1024


@dataclass(frozen=True, slots=True)
class Nonsense:
    """What came instead of a BotMessage: see `server.parse_message`."""

    refusal: Refusal
    kind: FaultKind
    message: str


Incoming: TypeAlias = "referee_service_pb2.BotMessage | Nonsense"
Context: TypeAlias = "grpc.aio.ServicerContext[Incoming, bytes]"


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """What one stream may do, in the unit that ends each name."""

    hello_ms: int = 5_000
    handoff_ms_max: int = 2_000
    write_ms_max: int = 10_000
    reconnects_max: int = 20
