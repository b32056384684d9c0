"""Bots that misuse their stream: `python streams.py HOW`."""

import sys
import time

from bot import Decision, Stream, honest, play, service

how = sys.argv[1]
second = []


def flood(stream):
    for start in range(1, 100_001, 125):
        stream.decide(*(Decision(turn_id=n, cards=[1]) for n in range(start, start + 125)))


def act(stream, turn):
    if how == "undecodable":
        stream.send(b"\xff\xfe\xfd")
    elif how == "one-megabyte":
        stream.send(b"\x12" * 1_000_000)
    elif how == "hello-again":
        stream.send(service.BotMessage(hello=service.Hello(protocol_min=1, protocol_max=1)))
    elif how == "100000-decisions":
        stream.decide(*(Decision(turn_id=n, cards=[1]) for n in range(1, 100_001)))
    elif how == "129-decisions":
        stream.decide(*(Decision(turn_id=n) for n in range(1, 130)))
    elif how == "flood":
        flood(stream)
    elif how == "empty-messages":
        for _ in range(3_000):
            stream.send(service.BotMessage())
    elif how == "half-closes":
        stream.half_close()
    elif how == "two-streams":
        if not second:
            second.append(Stream())  # fences the first one off, which ends there
            for again in second[0].turns():
                second[0].decide(honest(again))
    elif how == "reconnects-for-ever":
        raise_away(stream)


def raise_away(stream):
    stream.call.cancel()


if how == "never-reads":
    stream = Stream()
    next(stream.call)  # the welcome, and nothing more
    time.sleep(600)
elif how == "half-closes":
    play(act, reconnects=1)
    time.sleep(600)
else:
    play(act)
    time.sleep(600)
