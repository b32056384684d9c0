"""One process under the supervisor: the stages of its life, and its output on the way to its log."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from enum import Enum, auto
from typing import TYPE_CHECKING

from referee.launch import kernel
from referee.launch.messages import Exited

if TYPE_CHECKING:
    from referee.launch.process_log import ProcessLog

_READ_BYTES = 64 * 1024
# A bot that writes more than this waits for its own output, so that reading it takes nothing from the others.
_LOG_BYTES_S_MAX = 2 << 20
_LOG_BURST_S = 4.0  # so eight megabytes at once are free
_LOG_PAUSE_S = 0.1
_PIPE_BYTES_MAX = 1 << 20  # the most a pipe of an unprivileged user can hold
_KILL_S_MAX = 5.0  # in which SIGKILL works unless the process hangs in the kernel


class Stage(Enum):
    """How far a process has come."""

    RUNNING = auto()
    ENDING = auto()  # was sent SIGTERM, has its grace
    KILLED = auto()  # was sent SIGKILL, is not collected yet
    SWEEPING = auto()  # is gone; what it had started is being ended


class Supervised:
    """A started process; `mark` is in its environment and tells its descendants."""

    def __init__(
        self,
        id_: int,
        mark: str,
        process: subprocess.Popen[bytes],
        output: int,
        log: ProcessLog,
        selector: selectors.BaseSelector,
    ) -> None:
        self.id = id_
        self.mark = mark
        self.pid = process.pid
        self.stage = Stage.RUNNING
        self._process = process
        self._output: int | None = output
        self._log = log
        self._selector = selector
        self._stage_due_s: float | None = None
        self._read_due_s: float | None = None
        self._busy_until_s = 0.0
        self._is_asked = False  # to end
        self._exit_code = -signal.SIGKILL
        self._cpu_ms = 0
        self._memory_kb_max = 0
        selector.register(output, selectors.EVENT_READ, self._read)

    @property
    def due_s(self) -> float | None:
        """When `tend` next has something to do (monotonic clock), None for never."""
        return min((due for due in (self._stage_due_s, self._read_due_s) if due is not None), default=None)

    def terminate(self, grace_ms: int) -> None:
        """Ask the whole process group to end, and kill it after `grace_ms` if it has not."""
        if self.stage not in {Stage.RUNNING, Stage.ENDING}:
            return
        self._is_asked = True
        if grace_ms <= 0:
            self.kill()
            return
        if self.stage is Stage.RUNNING:
            kernel.signal_group(self.pid, signal.SIGTERM)
        deadline = time.monotonic() + grace_ms / 1000
        self._stage_due_s = deadline if self._stage_due_s is None else min(deadline, self._stage_due_s)
        self.stage = Stage.ENDING

    def kill(self) -> None:
        """Kill the whole process group."""
        if self.stage in {Stage.RUNNING, Stage.ENDING}:
            kernel.signal_group(self.pid, signal.SIGKILL)
            self.stage = Stage.KILLED
            self._stage_due_s = time.monotonic() + _KILL_S_MAX

    def collect(self) -> None:
        """Take the exit status of the process, which has ended, and kill what is left of its group.

        In this order: until the status is taken, the number of the group cannot be given to another.
        """
        kernel.signal_group(self.pid, signal.SIGKILL)
        _, status, usage = os.wait4(self.pid, 0)
        self._exit_code = self._process.returncode = os.waitstatus_to_exitcode(status)
        self._cpu_ms = round((usage.ru_utime + usage.ru_stime) * 1000)
        self._memory_kb_max = usage.ru_maxrss
        self._start_sweeping()

    def tend(self) -> None:
        """Do what has become due."""
        now_s = time.monotonic()
        if self._read_due_s is not None and now_s >= self._read_due_s:
            self._read_due_s = None
            self._watch_output()
        if self._stage_due_s is not None and now_s >= self._stage_due_s:
            if self.stage is Stage.ENDING:
                self.kill()
            elif self.stage is Stage.KILLED:
                self._start_sweeping()  # hangs in the kernel: it is reported as left over

    @property
    def is_overdue(self) -> bool:
        """Whether the sweep has taken so long that what is left has to be reported instead."""
        return self.stage is Stage.SWEEPING and time.monotonic() >= (self._stage_due_s or 0)

    def finish(self, left: tuple[int, ...]) -> Exited:
        """Read the last words, close the log and return the report.

        Of a process that was asked to end and had never written anything no log is left: there may be very many.
        """
        unread = _PIPE_BYTES_MAX
        while self._output is not None and unread > 0 and (taken := self._read_once()):
            unread -= taken
        self._close_output()
        self._log.note(f"process {self.pid} ended with exit code {self._exit_code}", time.time())
        if left:
            self._log.note(f"processes that could not be killed: {', '.join(map(str, left))}", time.time())
        if self._is_asked and self._log.is_silent and not left:
            self._log.remove()
        else:
            self._log.close()
        return Exited(
            id=self.id,
            exit_code=self._exit_code,
            cpu_ms=self._cpu_ms,
            memory_kb_max=self._memory_kb_max,
            left=left,
        )

    def _start_sweeping(self) -> None:
        self.stage = Stage.SWEEPING
        self._stage_due_s = time.monotonic() + _KILL_S_MAX

    def _read(self) -> None:
        self._read_once()
        ahead_s = self._busy_until_s - time.monotonic()
        if ahead_s > _LOG_BURST_S and self._output is not None:
            self._selector.unregister(self._output)
            self._read_due_s = time.monotonic() + ahead_s - _LOG_BURST_S + _LOG_PAUSE_S

    def _read_once(self) -> int:
        """Move what can be read to the log; return its size, 0 for nothing there or the end."""
        if self._output is None:
            return 0
        try:
            data = os.read(self._output, _READ_BYTES)
        except BlockingIOError:
            return 0
        if not data:
            self._close_output()
            return 0
        written = self._log.write(data, time.time())
        self._busy_until_s = max(self._busy_until_s, time.monotonic()) + written / _LOG_BYTES_S_MAX
        return len(data)

    def _watch_output(self) -> None:
        if self._output is not None:
            self._selector.register(self._output, selectors.EVENT_READ, self._read)

    def _close_output(self) -> None:
        if self._output is None:
            return
        if self._read_due_s is None:
            self._selector.unregister(self._output)
        self._read_due_s = None
        os.close(self._output)
        self._output = None
