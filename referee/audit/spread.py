"""The same work on many parts, over several processes: in order, a part a process at a time."""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TypeVar

Part = TypeVar("Part")
Made = TypeVar("Made")


def spread(work: Callable[[Part], Made], parts: Iterable[Part], processes: int) -> Iterator[Made]:
    """Do some work on each part, and give what came out in the order of the parts.

    Args:
        work: what is done; for several processes it can be pickled, and so can its parts and what it makes.
        parts: taken one after the other, only as fast as they are worked on.
        processes: how many work; with one the work is done here.

    Raises:
        Exception: whatever the work raised.
    """
    if processes <= 1:
        yield from map(work, parts)
        return
    context = multiprocessing.get_context("spawn")  # nothing of this process, such as a database, may leak into it
    team: list[tuple[SpawnProcess, Connection]] = []
    try:
        for _ in range(processes):
            here, there = context.Pipe()
            process = context.Process(target=_serve, args=(work, there), daemon=True)
            process.start()
            there.close()
            team.append((process, here))
        yield from _in_turn([line for _, line in team], iter(parts))
    finally:
        for _, line in team:
            line.close()  # which ends a process that waits for a part
        for process, _ in team:
            process.terminate()
            process.join()


def _in_turn(lines: list[Connection], parts: Iterator[Part]) -> Iterator[Made]:
    """Hand out parts by turns; a process has one at a time, so that neither side ever waits to be read."""
    busy: deque[Connection] = deque()
    for line, part in zip(lines, islice(parts, len(lines)), strict=False):
        line.send(part)
        busy.append(line)
    while busy:
        line = busy.popleft()
        is_done, made = line.recv()
        if not is_done:
            raise made
        for part in islice(parts, 1):
            line.send(part)
            busy.append(line)
        yield made


def _serve(work: Callable[[Part], Made], line: Connection) -> None:
    """Work on parts until nobody sends any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the other side's to answer
    gc.disable()  # records are trees: they go when they are let go, and looking for circles in them takes long
    while True:
        try:
            part = line.recv()
        except EOFError:
            return
        try:
            line.send((True, work(part)))
        except Exception as error:  # noqa: BLE001  raised again where the work was ordered
            line.send((False, error))
