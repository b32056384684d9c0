"""The log of one process: what it wrote to stdout and stderr, with a time stamp before each line.

A log is a stream of bytes, of which the first `HEAD_BYTES` are in the file `NAME.log` and the rest in files
of `SEGMENT_BYTES` in the folder `NAME.log.more`, named after the position of their first byte. Only the last
`SEGMENTS_MAX` of those are kept. So a position in a log, once noted, stays true; what has gone is a gap that
`read_log` names. A bot that writes less than half a megabyte has one plain file in which positions are byte
offsets. To look for a log's files never takes longer for the logs that other processes have left beside it.

Lines of the process look like ``2026-11-30T12:00:00.123Z | text``; those of the house have ``#`` in place of
``|``.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

HEAD_BYTES = 512 * 1024
SEGMENT_BYTES = 256 * 1024
SEGMENTS_MAX = 2

_STAMPED = re.compile(rb"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ([|#]) (.*)$")
_TAIL_BYTES = 64 * 1024


class ProcessLog:
    """The writing end. A full disk raises nothing: what was lost is counted, and said when there is room."""

    __slots__ = ("_file", "_head", "_line_open", "_lost", "_position", "_room", "_segments", "is_silent")

    def __init__(self, head: Path) -> None:
        """Open the log whose first file is `head`.

        Raises:
            OSError: it cannot be written at all.
        """
        self._head = head
        self._file = _open(head)
        self._position = 0
        self._room = HEAD_BYTES
        self._segments: deque[Path] = deque()
        self._line_open = False  # the last byte written was not a newline
        self._lost = 0
        self.is_silent = True  # the process has written nothing

    def write(self, data: bytes, now_s: float) -> int:
        """Add output of the process, read at `now_s` (seconds of the epoch); return its size in the log."""
        if not data:
            return 0
        self.is_silent = False
        prefix = stamp(now_s) + b" | "
        text = data.replace(b"\n", b"\n" + prefix)
        if data.endswith(b"\n"):
            text = text[: -len(prefix)]
        if not self._line_open:
            text = prefix + text
        self._line_open = not data.endswith(b"\n")
        return self._append(text)

    def note(self, text: str, now_s: float) -> None:
        """Add a line of the house."""
        start = b"\n" if self._line_open else b""
        self._line_open = False
        self._append(start + stamp(now_s) + b" # " + text.encode(errors="replace") + b"\n")

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def remove(self) -> None:
        """Close the file, and leave no log: there is nothing in it that anybody would look for."""
        self.close()
        self._head.unlink(missing_ok=True)

    def _append(self, text: bytes) -> int:
        note = b""
        if self._lost:
            note = b"\n" + stamp(time.time()) + b" # %d bytes lost: the disk was full\n" % self._lost
        try:
            self._put(memoryview(note + text))
        except OSError:
            self._lost += len(text)
        else:
            self._lost = 0
        return len(text)

    def _put(self, text: memoryview) -> None:
        while text:
            if self._room == 0:
                self._roll()
            written = os.write(self._file, text[: self._room])
            self._position += written
            self._room -= written
            text = text[written:]

    def _roll(self) -> None:
        folder = _more(self._head)
        folder.mkdir(mode=0o700, exist_ok=True)
        segment = folder / str(self._position)
        file = _open(segment)
        os.close(self._file)
        self._file, self._room = file, SEGMENT_BYTES
        self._segments.append(segment)
        if len(self._segments) > SEGMENTS_MAX:
            self._segments.popleft().unlink(missing_ok=True)


def stamp(now_s: float) -> bytes:
    """Return the time `now_s` (seconds of the epoch) as it stands before each line."""
    moment = datetime.fromtimestamp(now_s, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z").encode()


def log_position(head: Path) -> int:
    """Return how much has been written to the log so far: the end of a window that ends now."""
    try:
        size = head.stat().st_size
    except FileNotFoundError:
        return 0
    if size < HEAD_BYTES:
        return size
    return max(start + size for start, size, _ in _files(head))


def read_log(head: Path, first: int = 0, last: int | None = None) -> bytes:
    """Return the bytes of a log from `first` to before `last` (None: all); a line in brackets names a gap."""
    end = log_position(head) if last is None else last
    pieces: list[bytes] = []
    at = first
    for start, size, path in _files(head):
        if start + size <= at or start >= end:
            continue
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            continue  # rolled away meanwhile: a gap like any other
        if start > at:
            pieces.append(_gap(start - at))
            at = start
        pieces.append(content[at - start : end - start])
        at += len(pieces[-1])
    if at < end:
        pieces.append(_gap(end - at))
    return b"".join(pieces)


def tail_lines(head: Path, count: int) -> list[str]:
    """Return the last `count` lines that the process itself wrote, without stamps and safe to print."""
    end = log_position(head)
    matches = map(_STAMPED.match, read_log(head, max(0, end - _TAIL_BYTES)).split(b"\n"))
    own = deque((found[2] for found in matches if found and found[1] == b"|"), maxlen=count)
    return [printable(line.decode(errors="replace").rstrip("\r"), keep="\t") for line in own]


def printable(text: str, *, keep: str = "") -> str:
    """The text with control characters as escapes, but those to keep: what a bot wrote must not move any cursor."""
    return "".join(char if char.isprintable() or char in keep else repr(char)[1:-1] for char in text)


def _files(head: Path) -> Iterator[tuple[int, int, Path]]:
    """Yield start, size and path of each file of the log, in order."""
    starts = [(0, head)]
    with contextlib.suppress(FileNotFoundError):
        starts += [(int(path.name), path) for path in _more(head).iterdir() if path.name.isdecimal()]
    for start, path in sorted(starts):
        try:
            yield start, path.stat().st_size, path
        except FileNotFoundError:
            continue  # rolled away meanwhile


def _more(head: Path) -> Path:
    return head.with_name(f"{head.name}.more")


def _gap(size: int) -> bytes:
    return b"\n[%d bytes cut]\n" % size


def _open(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
