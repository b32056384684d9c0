"""What goes wrong, as an exit code and one sentence: the only place where errors are turned into either."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import time
import traceback
from enum import IntEnum
from pathlib import Path

from referee.launch.process_log import printable


class ExitCode(IntEnum):
    """What the exit code of `hearts` says."""

    DONE = 0
    INTERNAL = 1  # a mistake of ours
    USAGE = 2  # arguments, configuration, a file or a bot that cannot be used
    FAULTS = 3  # a bot or a record was examined and found wanting
    UNFIT = 4  # this machine cannot do it
    INTERRUPTED = 5  # stopped in good order; it can be resumed
    STOPPED = 130  # stopped at once


MEANINGS = {
    ExitCode.DONE: "done",
    ExitCode.INTERNAL: "internal error",
    ExitCode.USAGE: "usage or configuration",
    ExitCode.FAULTS: "found wanting: a bot failed a check, records differ, or (--strict) a bot was at fault",
    ExitCode.UNFIT: "environment unfit",
    ExitCode.INTERRUPTED: "interrupted and resumable",
    ExitCode.STOPPED: "stopped at once",
}
"""The exit codes in words, as `hearts --help` lists them."""


class Failure(Exception):  # noqa: N818  it is no mistake of the program
    """A command cannot do what was asked. The message is one sentence that says what to do."""

    def __init__(self, message: str, code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(message)
        self.code = code


EXIT_CODES = {
    "ratings.observations.ResultError": ExitCode.USAGE,
    "referee.config.keys.ConfigError": ExitCode.USAGE,
    "referee.launch.content.ContentError": ExitCode.USAGE,
    "referee.launch.launcher.LauncherError": ExitCode.UNFIT,
    "referee.launch.manifest.ManifestError": ExitCode.USAGE,
    "referee.record_codec.RecordError": ExitCode.USAGE,
    "referee.rules.parameters.RulesError": ExitCode.USAGE,
    "referee.schedule.pairing.ScheduleError": ExitCode.USAGE,
    "referee.executors.worker_process.RefusedError": ExitCode.USAGE,
    "referee.executors.worker_process.UnfitMachineError": ExitCode.UNFIT,
    "referee.executors.worker_process.WorkerError": ExitCode.INTERNAL,
    "referee.tournament.TournamentError": ExitCode.UNFIT,
    "referee.store.model.DiskError": ExitCode.UNFIT,
    "referee.store.model.UnreachableError": ExitCode.UNFIT,
    "referee.store.model.StoreError": ExitCode.USAGE,
    "referee.wire.server.ListenError": ExitCode.USAGE,
}
"""Errors whose message is a sentence for the user, by name, so that nobody has to import them to know them."""

_OS_ERRORS = {
    errno.ENOENT: ("there is no such file or folder: check the path", ExitCode.USAGE),
    errno.ENOTDIR: ("a part of the path is no folder: check the path", ExitCode.USAGE),
    errno.EISDIR: ("is a folder, but a file is needed: check the path", ExitCode.USAGE),
    errno.EEXIST: ("exists already: choose another name", ExitCode.USAGE),
    errno.EACCES: ("permission denied: choose another place, or change its owner or mode", ExitCode.USAGE),
    errno.EPERM: ("permission denied: choose another place, or change its owner or mode", ExitCode.USAGE),
    errno.EROFS: ("this file system is read-only: choose another place", ExitCode.USAGE),
    errno.ENAMETOOLONG: ("the name is too long: choose a shorter one", ExitCode.USAGE),
    errno.ENOSPC: ("the disk is full: free some space and give the command again", ExitCode.UNFIT),
    errno.EDQUOT: ("your disk quota is used up: free some space and give the command again", ExitCode.UNFIT),
    errno.EMFILE: ("too many open files: raise the limit (`ulimit -n`) or set fewer tables", ExitCode.UNFIT),
}


def explain(error: BaseException) -> tuple[str, ExitCode] | None:
    """Return the sentence and the exit code of an error that is no mistake of ours, else None."""
    if isinstance(error, Failure):
        return str(error), error.code
    for cls in type(error).__mro__:
        code = EXIT_CODES.get(f"{cls.__module__}.{cls.__qualname__}")
        if code is not None:
            return str(error), code
    if isinstance(error, OSError) and error.errno in _OS_ERRORS:
        what, code = _OS_ERRORS[error.errno]
        if error.filename is not None:
            return f"{os.fsdecode(error.filename)}: {what}", code
        if code is ExitCode.UNFIT:
            return what, code
    return None


def report(error: Exception, *, debug: bool = False) -> ExitCode:
    """Say on stderr what went wrong and return the exit code. A mistake of ours leaves its traceback in a file.

    Args:
        error: what ended the command.
        debug: print the traceback instead.
    """
    known = explain(error)
    if debug:
        traceback.print_exception(error, file=sys.stderr)
    if known is not None:
        message, code = known
        print("error: " + printable(message, keep="\t\n"), file=sys.stderr)
        return code
    where = "above" if debug else f"in {_written(error)}"
    print(
        f"internal error: {type(error).__name__}: {error}; please report it with the traceback {where}",
        file=sys.stderr,
    )
    return ExitCode.INTERNAL


def _written(error: Exception) -> Path | str:
    """Write the traceback where logs go, or else to the temporary folder, and return the file."""
    from platformdirs import user_log_path

    text = "".join(traceback.format_exception(error))
    name = time.strftime("error-%Y%m%d-%H%M%S") + f"-{os.getpid()}.log"
    for folder in (user_log_path("hearts-arena"), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        except OSError:
            continue
        return folder / name
    return f"no file, since none could be written:\n{text}"
