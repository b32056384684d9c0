"""Bots that do not get as far as a match: `python starts.py HOW`."""

import os
import subprocess
import sys
import time

import bot

how = sys.argv[1]
if how == "never-connects":
    time.sleep(600)  # a process of its own: nothing waits for it, the referee ends it
elif how == "says-nothing":
    stream = bot.Stream(hello=None)
    list(stream.turns())
elif how == "wrong-revision":
    hello = bot.service.Hello(protocol_min=7, protocol_max=9)
    list(bot.Stream(hello=hello).turns())
elif how == "wrong-token":
    list(bot.Stream(token="not-mine").turns())
elif how == "exits-3":
    print("model.bin: no such file", file=sys.stderr)
    sys.exit(3)
elif how == "exits-0":
    sys.exit(0)
elif how == "aborts":
    os.abort()
elif how == "leaves-children":
    subprocess.Popen(["sleep", "600"], start_new_session=True)
    sys.exit(4)
elif how == "exits-after-hello":
    next(bot.Stream().call)  # the welcome
    os._exit(5)
elif how == "slow-start":
    time.sleep(1.5)
    bot.play(lambda stream, turn: stream.decide(bot.honest(turn)))
