"""The few Linux calls that make an end sure: parent-death signals, subreaping, and who one's children are.

Other systems have none of them; there each function does nothing or returns nothing, and clean-up is as good
as process groups make it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def set_parent_death_signal(number: signal.Signals) -> None:
    """Have the kernel send `number` to this process when the *thread* that forked it ends.

    A caller compares `os.getppid()` with the parent it expects afterwards: a parent that died before this
    call sends nothing.
    """
    _prctl(_PR_SET_PDEATHSIG, int(number))


def become_subreaper() -> None:
    """Adopt every orphaned descendant from now on, so that none slips away to process 1."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def children() -> list[int]:
    """Return the process ids of this process's children, adopted ones and zombies included."""
    found: list[int] = []
    for listing in Path("/proc/self/task").glob("*/children"):
        try:
            found.extend(int(pid) for pid in listing.read_text().split())
        except (FileNotFoundError, ProcessLookupError):
            continue  # a thread that ended meanwhile
    return found


def environment_of(pid: int) -> dict[str, str]:
    """Return the environment that process `pid` was started with; empty where it cannot be read."""
    try:
        raw = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:  # ended meanwhile, or another user's
        return {}
    pairs = (entry.partition(b"=") for entry in raw.split(b"\0"))
    return {os.fsdecode(name): os.fsdecode(value) for name, sign, value in pairs if sign}


def kill(pid: int) -> None:
    """Send SIGKILL to one process that may have ended already."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # that is all that was wanted


def signal_group(group: int, number: signal.Signals) -> None:
    """Send `number` to a process group that may be empty already."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return  # empty; macOS says "not permitted" where only a zombie is left


def _prctl(option: int, value: int) -> None:
    if _libc is None:
        return
    if _libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}, {value}) failed")
