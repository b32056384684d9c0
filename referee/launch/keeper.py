"""The keeper: cleans up after a supervisor that was killed.

The supervisor is two processes. The outer one, the keeper, does nothing but wait for the inner one, which
does all the work. When the inner one is killed, the kernel kills the bots (their parent-death signal), and
what these had started in sessions of their own is adopted by the keeper and killed. When the keeper is
killed, the inner one is told by its own parent-death signal and ends everything. Only killing both at one
instant leaves escaped grandchildren behind; a sandbox with its own process namespace closes that gap too.
"""

from __future__ import annotations

import os
import signal
import sys
import time

from referee.launch import kernel

PARENT_DIED = signal.SIGUSR1
"""What the kernel sends keeper and supervisor when their parent dies."""

_WATCHED = {signal.SIGCHLD, PARENT_DIED}
_IGNORED = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
)  # whether they mean an end is for the referee to say
_INNER_S_MAX = 2.0  # in which the inner process ends everything after the referee has died
_CLEAN_S_MAX = 10.0


def split(parent: int) -> bool:
    """Become two processes. Returns in both: True in the supervisor, False in the keeper at its end.

    `parent` is the referee; if it is gone already, nothing is started. The supervisor returns with `SIGCHLD`
    and `PARENT_DIED` blocked, so that none is lost before it has its handlers.
    """
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    kernel.become_subreaper()
    if not _is_child_of(parent):
        return False
    if sys.platform != "linux":
        return True  # a keeper that adopts nobody is of no use
    keeper = os.getpid()
    inner = os.fork()
    if inner == 0:
        kernel.become_subreaper()
        return _is_child_of(keeper)
    _let_go_of_the_pipes()
    _wait_for(inner, parent)
    _kill_all_children()
    return False


def _is_child_of(parent: int) -> bool:
    """Ask for the parent-death signal; False where the parent has died before."""
    kernel.set_parent_death_signal(PARENT_DIED)
    return os.getppid() == parent


def _let_go_of_the_pipes() -> None:
    """Leave stdin and stdout to the supervisor alone, so that the referee sees them close when it dies."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)


def _wait_for(inner: int, parent: int) -> None:
    """Wait until the supervisor has ended; if the referee dies and the supervisor hangs, kill it."""
    while os.getppid() == parent:
        if _has_ended(inner):
            return
        signal.sigwait(_WATCHED)
    os.kill(inner, PARENT_DIED)
    deadline_s = time.monotonic() + _INNER_S_MAX
    while not _has_ended(inner):
        left_s = deadline_s - time.monotonic()
        if left_s <= 0:
            kernel.kill(inner)
            os.waitpid(inner, 0)
            return
        signal.sigtimedwait(_WATCHED, left_s)


def _has_ended(inner: int) -> bool:
    """Collect every child that has ended; True when the supervisor was one of them."""
    while True:
        pid, _ = os.waitpid(-1, os.WNOHANG)
        if pid in {0, inner}:
            return pid == inner


def _kill_all_children() -> None:
    deadline_s = time.monotonic() + _CLEAN_S_MAX
    while (left := kernel.children()) and time.monotonic() < deadline_s:
        for pid in left:
            kernel.kill(pid)
        signal.sigtimedwait(_WATCHED, 0.1)
        _collect(left)


def _collect(pids: list[int]) -> None:
    for pid in pids:
        os.waitpid(pid, os.WNOHANG)
