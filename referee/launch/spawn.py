"""Starting one process under its limits, and saying in one sentence why it could not be started."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from referee.launch import kernel

if TYPE_CHECKING:
    from referee.launch.limits import Limits
    from referee.launch.messages import Launch

PROCESS_VARIABLE = "HEARTS_PROCESS"
"""Tells which launched process a stray descendant belongs to, after its parents are gone."""

_OOM_SCORE = "500"  # where memory runs out, the kernel takes a bot before the referee
_IGNORED_BY_SUPERVISOR = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SHORTAGES = frozenset(
    {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
)  # of the machine, not of the program


class SpawnError(Exception):
    """A program could not be started: why, in one sentence; `host` tells that it was no doing of its own."""

    def __init__(self, message: str, *, host: bool = False) -> None:
        super().__init__(message)
        self.host = host


def spawn(launch: Launch, *, mark: str, output: int) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own, with `output` as stdout and stderr and nothing on stdin.

    It dies with the calling thread, which therefore has to be the supervisor's main thread.

    Raises:
        SpawnError: the operating system refused.
    """
    if not launch.argv:
        raise SpawnError("the command is empty")
    if not Path(launch.cwd).is_dir():
        raise SpawnError(f"the folder {launch.cwd} does not exist")
    try:
        # Forking is safe here: the supervisor has one thread and no library that minds.
        return subprocess.Popen(
            launch.argv,
            cwd=launch.cwd,
            env=launch.env | {PROCESS_VARIABLE: mark},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=_before_exec(launch.limits, os.getpid()),  # noqa: PLW1509
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        host = isinstance(error, OSError) and error.errno in _SHORTAGES
        raise SpawnError(_explain(error, launch), host=host) from error


def _before_exec(limits: Limits, supervisor: int) -> Callable[[], None]:
    bounds = [(number, _clamp(number, value)) for number, value in _rlimits(limits)]

    def prepare() -> None:
        kernel.set_parent_death_signal(signal.SIGKILL)
        if os.getppid() != supervisor:
            os._exit(1)  # it died before the line above
        for number in _IGNORED_BY_SUPERVISOR:
            signal.signal(number, signal.SIG_DFL)  # what is ignored stays ignored across exec
        for number_of_limit, bound in bounds:
            resource.setrlimit(number_of_limit, bound)
        _offer_to_the_oom_killer()

    return prepare


def _rlimits(limits: Limits) -> list[tuple[int, int]]:
    bounds = [(resource.RLIMIT_CORE, 0)]
    if limits.memory_mb and sys.platform == "linux":  # elsewhere RLIMIT_DATA covers the heap of old only
        bounds.append((resource.RLIMIT_DATA, limits.memory_mb << 20))
    if limits.files_max:
        bounds.append((resource.RLIMIT_NOFILE, limits.files_max))
    if limits.file_mb:
        bounds.append((resource.RLIMIT_FSIZE, limits.file_mb << 20))
    if limits.cpu_s:
        bounds.append((resource.RLIMIT_CPU, limits.cpu_s))
    return bounds


def _clamp(number: int, value: int) -> tuple[int, int]:
    hard = resource.getrlimit(number)[1]
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    return bound, bound


def _offer_to_the_oom_killer() -> None:
    try:
        Path("/proc/self/oom_score_adj").write_text(_OOM_SCORE)
    except OSError:
        return  # no Linux, or set higher by the organiser already


def _explain(error: Exception, launch: Launch) -> str:
    program = launch.argv[0]
    if not isinstance(error, OSError):
        return f"{program!r} cannot be started: {error}"
    found = _locate(program, launch)
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        if found is not None:
            return f"{program!r} cannot be started: the interpreter its first line names is not installed"
        if os.sep in program:
            return f"{program!r} does not exist in {launch.cwd}: is the bot built?"
        return f"{program!r} is not installed (not on PATH); a file of the bot's own is written './{program}'"
    if error.errno in {errno.EACCES, errno.EPERM}:
        if os.sep in program and Path(launch.cwd, program).is_dir():
            return f"{program!r} is a folder and no program"
        return f"{program!r} is not executable: run 'chmod +x' on it, or name its interpreter first"
    if error.errno == errno.ENOEXEC:
        return f"{program!r} is no program for this system: wrong format or processor, or a script without '#!'"
    if error.errno == errno.E2BIG:
        return f"{program!r} cannot be started: its arguments and environment are too long"
    return f"{program!r} cannot be started: {os.strerror(error.errno or 0)}"


def _locate(program: str, launch: Launch) -> Path | None:
    if os.sep in program:
        places = [Path(launch.cwd)]
    else:
        places = [Path(launch.cwd, place) for place in os.get_exec_path(launch.env)]
    return next((place / program for place in places if (place / program).is_file()), None)
