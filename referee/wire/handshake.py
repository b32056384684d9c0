"""The first two messages of a stream: which revisions are spoken, and the welcome."""

from __future__ import annotations

from hearts.v1 import referee_service_pb2
from referee.wire.line import DECISIONS_MAX
from referee.wire.stream import MESSAGE_BYTES_MAX

PROTOCOL_MIN = 1
PROTOCOL_MAX = 1
PROTOCOL_FACTS = {"protocol_min": str(PROTOCOL_MIN), "protocol_max": str(PROTOCOL_MAX)}
REFEREE_VERSION = "0.1.0"


def protocol_stranger(hello: referee_service_pb2.Hello) -> str:
    """Say why a bot cannot be understood; nothing if it can."""
    if hello.protocol_min <= PROTOCOL_MAX and hello.protocol_max >= PROTOCOL_MIN:
        return ""
    return (
        f"this referee speaks protocol revision {PROTOCOL_MIN} to {PROTOCOL_MAX}, "
        f"the bot {hello.protocol_min} to {hello.protocol_max}"
    )


def welcome(bot_name: str, tables_max: int) -> bytes:
    """Write the answer to a hello."""
    return referee_service_pb2.RefereeMessage(
        welcome=referee_service_pb2.Welcome(
            protocol=PROTOCOL_MAX,
            referee_version=REFEREE_VERSION,
            bot_name=bot_name,
            tables_max=tables_max,
            message_bytes_max=MESSAGE_BYTES_MAX,
            decisions_max=DECISIONS_MAX,
        )
    ).SerializeToString()
