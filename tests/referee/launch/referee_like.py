"""Stands in for the referee in `test_ending`: starts bots of each kind, prints all their numbers, and waits."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from referee.launch.launcher import BotProcess, Launcher, LaunchRequest


async def main(folder: Path, stubborn: str, escape: str, and_fork: str = "") -> None:
    fifo = folder / "mailbox"
    os.mkfifo(fifo)
    mailbox = os.fdopen(os.open(fifo, os.O_RDWR), "r")
    launcher = Launcher(folder / "logs")
    await launcher.start()
    python = sys.executable
    pids: list[int] = []
    for argv in (
        ("sleep", "1000"),
        (python, "-c", stubborn, str(fifo)),
        (python, "-c", escape, stubborn, str(fifo), "stay", "kept"),
        (python, "-c", escape, stubborn, str(fifo), "stay", "wiped"),
    ):
        process = await launcher.launch(LaunchRequest(label="bot", argv=argv, cwd=folder))
        assert isinstance(process, BotProcess)
        pids.append(process.pid)
        if str(fifo) in argv and (line := mailbox.readline().strip()) != "ready":
            pids.append(int(line))
    if and_fork:  # as `multiprocessing` does: the child holds copies of all our pipes
        pids.append(os.fork())
        if pids[-1] == 0:
            while True:
                signal.pause()
    print(json.dumps(pids), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
