"""What the launcher and its supervisor say to each other: one JSON object a line.

Both ends are ours and of the same version, so a line that cannot be read is a bug: it raises `ProtocolError`,
and the supervisor ends all it started.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from referee.launch.limits import Limits

LINE_BYTES_MAX = 1 << 20


class ProtocolError(ValueError):
    """A line that is too long or no message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """Start a process; answered by `Started` (later `Exited`) or `Refused`."""

    id: int
    argv: tuple[str, ...]
    cwd: str
    env: dict[str, str]
    log: str
    limits: Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """End a process: SIGTERM to its group, SIGKILL after `grace_ms`. No answer but its `Exited`."""

    id: int
    grace_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """End every process and then the supervisor."""

    grace_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """The supervisor takes commands."""

    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """The program runs (its exec succeeded)."""

    id: int
    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The program could not be started; `message` says why in one sentence."""

    id: int
    message: str
    host: bool = False  # it was no doing of the program's


@dataclass(frozen=True, slots=True, kw_only=True)
class Exited:
    """The process has ended, and all it had started with it, but for `left`."""

    id: int
    exit_code: int  # negative: the signal that killed it
    cpu_ms: int
    memory_kb_max: int
    left: tuple[int, ...]  # processes that even SIGKILL did not end in time


Command = Launch | End | Close
Event = Ready | Started | Refused | Exited

_KINDS: dict[str, type[Command] | type[Event]] = {
    kind.__name__: kind for kind in (Launch, End, Close, Ready, Started, Refused, Exited)
}


def encode(message: Command | Event) -> bytes:
    """Return the message as one line.

    Raises:
        ProtocolError: it would be longer than the other end reads.
    """
    line = json.dumps({"kind": type(message).__name__, **asdict(message)}).encode() + b"\n"
    if len(line) > LINE_BYTES_MAX:
        raise ProtocolError(f"message of {len(line)} bytes, more than {LINE_BYTES_MAX}")
    return line


def decode(line: bytes) -> Command | Event:
    """Return the message of one line.

    Raises:
        ProtocolError: it is none.
    """
    try:
        fields = json.loads(line)
        kind = _KINDS[fields.pop("kind")]
        for name in fields.keys() & {"argv", "left"}:
            fields[name] = tuple(fields[name])
        if "limits" in fields:
            fields["limits"] = Limits(**fields["limits"])
        return kind(**fields)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProtocolError(f"not a message: {line[:200]!r}") from error


class LineSplitter:
    """Cuts a stream of bytes into lines, however it arrives."""

    __slots__ = ("_rest",)

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes.

        Raises:
            ProtocolError: a line is longer than `LINE_BYTES_MAX`.
        """
        *lines, self._rest = (self._rest + data).split(b"\n")
        if max(map(len, [*lines, self._rest])) > LINE_BYTES_MAX:
            raise ProtocolError(f"a line of more than {LINE_BYTES_MAX} bytes")
        return lines
