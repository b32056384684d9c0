"""What one bot hears and says in one deal: `python -m tests.contract.trace` writes it into proto/README.md.

A real referee (wire, floor, table) plays four ducks over its own socket with a clock that stands still, so the
trace is the same every time. The line's random first turn id is set to 1.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from hearts.v1 import referee_service_pb2 as service
from hearts.v1.referee_service_pb2_grpc import RefereeServiceStub
from referee.records import TimeControl
from referee.rules.presets import preset
from tests.contract.real_referee import real_referee
from tests.sample_bots.positions import decide, strategy

README = Path(__file__).parents[2] / "proto/README.md"
BEGIN = "<!-- trace: written by `python -m tests.contract.trace` -->\n```text\n"
END = "```\n<!-- end of trace -->"
NAMES = ("north", "east", "south", "west")


class StandingClock:
    """A clock for tests: no time passes."""

    def now_ns(self) -> int:
        return 0

    def utc(self) -> str:
        return "2026-01-01T00:00:00+00:00"


async def play(address: str, token: str, log: list[str]) -> None:
    """Be one bot: the duck, writing down everything that goes over its stream."""
    duck = strategy("duck")
    async with grpc.aio.insecure_channel(address) as channel:
        stream = RefereeServiceStub(channel).Play(metadata=[("authorization", f"Bearer {token}")])

        async def say(message: service.BotMessage) -> None:
            log.append(f"> {as_json(message)}")
            await stream.write(message)

        await say(
            service.BotMessage(hello=service.Hello(protocol_min=1, protocol_max=1, bot_name="duck", tables_max=1))
        )
        async for message in stream:
            log.append(f"< {as_json(message)}")
            if message.turns:
                await say(service.BotMessage(decisions=[decide(duck, turn) for turn in message.turns]))


def as_json(message: Message) -> str:
    return json.dumps(MessageToDict(message, preserving_proto_field_name=True))


async def trace() -> list[str]:
    """Play one deal and return what north heard ("<") and said (">"), one message a line."""
    logs: list[list[str]] = [[] for _ in NAMES]
    with tempfile.TemporaryDirectory() as folder:
        async with real_referee(NAMES, f"unix:{folder}/referee", make_clock=StandingClock) as referee:
            for line in referee.lines:
                line._turn_id = 0
            bots = [
                asyncio.create_task(play(referee.address, name, log)) for name, log in zip(NAMES, logs, strict=True)
            ]
            await referee.play(preset("american"), deals=1, clock=TimeControl())
        await asyncio.gather(*bots)
    return logs[0]


def section(lines: Sequence[str]) -> str:
    return BEGIN + "".join(f"{line}\n" for line in lines) + END


def with_section(page: str, lines: Sequence[str]) -> str:
    """Return the page with its trace replaced."""
    before, rest = page.split(BEGIN)
    return before + section(lines) + rest.split(END)[1]


if __name__ == "__main__":
    lines = asyncio.run(trace())
    if "--print" in sys.argv:
        print(section(lines))
    else:
        README.write_text(with_section(README.read_text(), lines))
