"""The supervisor: a process of its own that starts bots, keeps their logs and surely ends them.

It is a process apart because starting programs from one that runs grpc can hang, because the kernel ties a
bot's life to the *thread* that started it, and because someone has to be left to clean up when the referee is
killed. It imports nothing but the standard library and has one thread.

Who ends what:

- A bot that ends, or is told to, takes its process group with it; what escaped into a session of its own is
  adopted by this process (a subreaper) and killed by `_sweep`.
- The referee closes our stdin or dies: every bot is killed at once.
- This process is killed: the kernel kills the bots, and the keeper (`referee.launch.keeper`) what they had
  started.
- Signals of the terminal reach neither the bots nor us: what Ctrl-C means is for the referee to decide.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import selectors
import signal
import sys
import time
from pathlib import Path
from typing import assert_never

from referee.launch import keeper, kernel
from referee.launch.messages import (
    Close,
    Command,
    End,
    Event,
    Launch,
    LineSplitter,
    ProtocolError,
    Ready,
    Refused,
    Started,
    decode,
    encode,
)
from referee.launch.process_log import ProcessLog
from referee.launch.spawn import PROCESS_VARIABLE, SpawnError, spawn
from referee.launch.supervised import Stage, Supervised

_READ_BYTES = 64 * 1024
_PASSES_MAX = 20  # at once: one that forks and ends for ever has to be overtaken
_SWEEP_S = 0.02  # pause between two looks while something is being swept up


class Supervisor:
    """One event loop over the referee's commands, the bots' output and their ends."""

    def __init__(self, commands: int, events: int) -> None:
        self._commands = commands
        self._events = events
        self._unsent = b""
        self._lines = LineSplitter()
        self._selector = selectors.DefaultSelector()
        self._processes: dict[int, Supervised] = {}
        self._given_up: set[int] = set()  # processes that SIGKILL does not end
        self._closing = False
        self._abandoned = False

    def run(self) -> None:
        """Serve until told to close or the referee is gone; then no process is left that could be ended."""
        for descriptor in (self._commands, self._events):
            os.set_blocking(descriptor, False)
        wake = _wake_on_signals()
        self._selector.register(wake, selectors.EVENT_READ, lambda: self._woken(wake))
        self._selector.register(self._commands, selectors.EVENT_READ, self._read_commands)
        self._send(Ready(pid=os.getpid()))
        while not self._closing or self._processes or self._unsent:
            for key, _ in self._selector.select(self._pause_s()):
                key.data()
            self._reap()
            self._tend()
        self._sweep()

    def _woken(self, wake: int) -> None:
        if keeper.PARENT_DIED in os.read(wake, _READ_BYTES):
            self._abandon()

    def _pause_s(self) -> float | None:
        now = time.monotonic()
        due = [process.due_s for process in self._processes.values() if process.due_s is not None]
        if any(process.stage is Stage.SWEEPING for process in self._processes.values()):
            due.append(now + _SWEEP_S)
        return max(0.0, min(due) - now) if due else None

    # The referee's side.

    def _read_commands(self) -> None:
        data = os.read(self._commands, _READ_BYTES)
        if not data:
            self._abandon()
            return
        for line in self._lines.feed(data):
            message = decode(line)
            if not isinstance(message, Command):
                raise ProtocolError(f"not a command: {message!r}")
            self._obey(message)

    def _obey(self, command: Command) -> None:
        match command:
            case Launch():
                self._send(self._launch(command))
            case End():
                if command.id in self._processes:  # else its `Exited` and this command have crossed
                    self._processes[command.id].terminate(command.grace_ms)
            case Close():
                self._closing = True
                for process in self._processes.values():
                    process.terminate(command.grace_ms)
            case _:
                assert_never(command)

    def _abandon(self) -> None:
        """End everything at once: the referee is gone."""
        if self._abandoned:
            return
        self._closing = self._abandoned = True
        self._stop_sending()
        self._selector.unregister(self._commands)
        for process in self._processes.values():
            process.kill()

    def _send(self, event: Event) -> None:
        if not self._abandoned:
            if not self._unsent:
                self._selector.register(self._events, selectors.EVENT_WRITE, self._flush)
            self._unsent += encode(event)

    def _flush(self) -> None:
        if self._abandoned:
            return  # by another event that the same look at the selector brought
        try:
            self._unsent = self._unsent[os.write(self._events, self._unsent) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._abandon()
            return
        if not self._unsent:
            self._selector.unregister(self._events)

    def _stop_sending(self) -> None:
        if self._unsent:
            self._selector.unregister(self._events)
            self._unsent = b""

    # The bots' side.

    def _launch(self, launch: Launch) -> Started | Refused:
        if self._closing:
            return Refused(id=launch.id, message="the launcher is closing")
        mark = f"{os.getpid()}.{launch.id}"
        try:
            reading, writing = os.pipe()
        except OSError as error:
            return Refused(id=launch.id, message=f"no pipe for its output: {error.strerror}", host=True)
        try:
            log = ProcessLog(Path(launch.log))
            try:
                process = spawn(launch, mark=mark, output=writing)
            except SpawnError as error:
                log.note(f"not started: {error}", time.time())
                log.close()
                raise
        except OSError as error:
            os.close(reading)
            message = f"the log {launch.log} cannot be written: {error.strerror}"
            return Refused(id=launch.id, message=message, host=True)
        except SpawnError as error:
            os.close(reading)
            return Refused(id=launch.id, message=str(error), host=error.host)
        finally:
            os.close(writing)
        log.note(f"process {process.pid} started: {' '.join(launch.argv)}", time.time())
        os.set_blocking(reading, False)
        self._processes[launch.id] = Supervised(launch.id, mark, process, reading, log, self._selector)
        return Started(id=launch.id, pid=process.pid)

    def _reap(self) -> None:
        """Collect every child that has ended: a bot, or an orphan that we adopted."""
        by_pid = {
            process.pid: process for process in self._processes.values() if process.stage is not Stage.SWEEPING
        }
        with contextlib.suppress(ChildProcessError):  # no child at all
            # WNOWAIT: while a dead bot is not collected, its number cannot be given to another process group.
            while found := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if found.si_pid in by_pid:
                    by_pid.pop(found.si_pid).collect()
                else:
                    os.waitpid(found.si_pid, 0)

    def _tend(self) -> None:
        for process in list(self._processes.values()):
            process.tend()
        swept = [process for process in self._processes.values() if process.stage is Stage.SWEEPING]
        if not swept:
            return
        strays = self._sweep()
        for process in swept:
            left = tuple(pid for pid, mark in strays.items() if mark in {process.mark, None})
            if not left or process.is_overdue:
                self._given_up.update(left)
                del self._processes[process.id]
                self._send(process.finish(left))

    def _sweep(self) -> dict[int, str | None]:
        """Kill the adopted processes that belong to no living bot; return those that may be left, with their marks.

        The mark tells which bot a process belongs to. One that has wiped it from its environment belongs to
        nobody and is killed too.
        """
        found: dict[int, str | None] = {}
        for _ in range(_PASSES_MAX):
            living = [process for process in self._processes.values() if process.stage is not Stage.SWEEPING]
            marks = {process.mark for process in living}
            own = {process.pid for process in living} | self._given_up
            orphans = {
                pid: kernel.environment_of(pid).get(PROCESS_VARIABLE) for pid in kernel.children() if pid not in own
            }
            found = {pid: mark for pid, mark in orphans.items() if mark not in marks}
            if not found:
                break
            for pid in found:
                kernel.kill(pid)
            self._reap()
        return found


def main() -> None:
    """Run as `python -m referee.launch.supervisor --parent PID`, commands on stdin and events on stdout."""
    parser = argparse.ArgumentParser(prog="referee.launch.supervisor", description=main.__doc__)
    parser.add_argument("--parent", type=int, required=True, help="process id of the referee that starts it")
    parent = parser.parse_args().parent
    if not keeper.split(parent):
        return
    files_max = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files_max, files_max))  # two descriptors a bot
    Supervisor(sys.stdin.fileno(), sys.stdout.fileno()).run()


def _wake_on_signals() -> int:
    """Return a descriptor that gives the number of each signal that the loop has to know of."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, keeper.PARENT_DIED):
        signal.signal(number, lambda *_: None)  # with the default action the first is never seen, the second kills
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD, keeper.PARENT_DIED})
    return reading


if __name__ == "__main__":
    main()
