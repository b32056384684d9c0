"""The wire loop: plays the strategy.py of the current folder at every table that the referee offers."""

import asyncio
import random
import signal
import sys
import tomllib
from os import environ
from pathlib import Path

sys.path[:0] = [str(Path.cwd()), str(Path(__file__).parent), str(Path(__file__).parent / "gen")]
import grpc.aio
import strategy

from hearts.v1 import referee_service_pb2 as service
from hearts.v1.referee_service_pb2_grpc import RefereeServiceStub
from hearts.v1.table_pb2 import TURN_KIND_PASS, TURN_KIND_PLAY, Decision

ABOUT = tomllib.loads(Path("bot.toml").read_text())
DECISIONS_MAX = 128  # of one message, by the protocol
FAILURES_MAX = 60  # running; with the pauses between them more than a minute
COME_BACK = (service.FAREWELL_REASON_UNSPECIFIED, service.FAREWELL_REASON_DRAINING)
# A call that ends with one of these would end so again.
REFUSALS = ("UNAUTHENTICATED", "PERMISSION_DENIED", "INVALID_ARGUMENT", "FAILED_PRECONDITION", "UNIMPLEMENTED")


def answer(turn):
    if turn.kind == TURN_KIND_PLAY:
        return Decision(turn_id=turn.turn_id, cards=[strategy.choose_card(turn)])
    if turn.kind == TURN_KIND_PASS:
        return Decision(turn_id=turn.turn_id, cards=strategy.choose_pass(turn))
    return Decision(turn_id=turn.turn_id, moon_choice=strategy.choose_moon(turn))


def connect(address, ca_file):
    options = [("grpc.max_receive_message_length", 65536), ("grpc.max_reconnect_backoff_ms", 1000)]
    if ca_file:
        return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(Path(ca_file).read_bytes()), options)
    return grpc.aio.insecure_channel(address, options)


async def main():
    address, token = (environ.get(v) or sys.exit(f"{v} must be set.") for v in ("HEARTS_REFEREE", "HEARTS_TOKEN"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    hello = service.Hello(protocol_min=1, protocol_max=1, sdk=f"python grpcio {grpc.__version__}")
    hello.bot_name, hello.bot_version, hello.tables_max = ABOUT["name"], ABOUT["version"], ABOUT["tables_max"]
    identity = [("authorization", "Bearer " + token), ("hearts-instance", environ.get("HEARTS_INSTANCE", ""))]
    stub = RefereeServiceStub(connect(address, environ.get("HEARTS_CA")))
    failures, farewell = 0, service.Farewell()
    while farewell.reason in COME_BACK and failures < FAILURES_MAX:
        stream = stub.Play(metadata=identity)
        try:
            await stream.write(service.BotMessage(hello=hello))
            while message := await stream.read():
                failures, farewell = 0, message.farewell
                for start in range(0, len(message.turns), DECISIONS_MAX):
                    turns = message.turns[start : start + DECISIONS_MAX]
                    await stream.write(service.BotMessage(decisions=map(answer, turns)))
        except (grpc.RpcError, asyncio.InvalidStateError):  # the latter: the stream had ended before the write
            if (await stream.code()).name in REFUSALS:
                sys.exit(f"No more play: {await stream.details()}")
        failures += 1  # the longer the pause, the less in step with other bots that lost the same referee
        await asyncio.sleep(0.1 * 2 ** min(failures, 4) * random.uniform(0.5, 1.0))
    print(farewell.message or "The referee does not answer.", file=sys.stderr)


asyncio.run(main())
