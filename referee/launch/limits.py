"""What one bot process may use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one process, put in force by rlimits; 0 switches one off.

    `memory_mb` bounds RLIMIT_DATA: under RLIMIT_AS neither Node nor Java start, since both reserve address
    space they never touch. It counts one process, not a bot's whole tree. The number of processes is not
    bounded here: RLIMIT_NPROC counts everything its user runs, so on a shared account it would stop the
    innocent.
    """

    memory_mb: int = 1024
    files_max: int = 256  # open file descriptors
    file_mb: int = 16  # largest file it may write
    cpu_s: int = 0  # processor time of one process over its life, against a runaway


UNLIMITED = Limits(memory_mb=0, files_max=0, file_mb=0, cpu_s=0)
"""For building a bot: compilers write large files and need much memory."""
