"""Bots whose process misbehaves: `python processes.py HOW`."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from bot import TURN_KIND_PASS, honest, play

how = sys.argv[1]
MARK = Path("has-died")


def act(stream, turn):
    if how == "exits-0":
        os._exit(0)
    elif how == "exits-3":
        os._exit(3)
    elif how == "aborts":
        os.abort()
    elif how == "stops":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif how == "dies-once" and not MARK.exists():
        MARK.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    elif how == "grandchildren":
        subprocess.Popen(["sleep", "600"], start_new_session=True)
    elif how == "megabytes-on-stderr" and turn.kind == TURN_KIND_PASS:  # three of them in a match
        os.write(2, b"the cards are against me\n" * 40_000)
    stream.decide(honest(turn))


play(act)
