"""The lines between launcher and supervisor."""

from __future__ import annotations

import pytest

from referee.launch.limits import Limits
from referee.launch.messages import (
    LINE_BYTES_MAX,
    Close,
    Command,
    End,
    Event,
    Exited,
    Launch,
    LineSplitter,
    ProtocolError,
    Ready,
    Refused,
    Started,
    decode,
    encode,
)

LAUNCH = Launch(id=1, argv=("a b", "ż\n"), cwd="/x", env={"A": "1"}, log="/l", limits=Limits(memory_mb=1, cpu_s=2))


@pytest.mark.parametrize(
    "message",
    [
        LAUNCH,
        End(id=1, grace_ms=5),
        Close(grace_ms=0),
        Ready(pid=3),
        Started(id=1, pid=4),
        Refused(id=1, message="no", host=True),
        Exited(id=1, exit_code=-9, cpu_ms=1, memory_kb_max=2, left=(5, 6)),
    ],
)
def test_each_message_is_one_line_and_comes_back_equal(message: Command | Event) -> None:
    line = encode(message)

    assert line.count(b"\n") == 1
    assert decode(line) == message


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"{}", b'{"kind": "Other"}', b'{"kind": "End", "id": 1}'])
def test_what_is_no_message_is_refused(line: bytes) -> None:
    with pytest.raises(ProtocolError, match="not a message"):
        decode(line)


def test_lines_are_found_however_they_are_cut() -> None:
    splitter = LineSplitter()

    assert [splitter.feed(piece) for piece in (b"on", b"e\ntwo\nth", b"", b"ree\n")] == [
        [],
        [b"one", b"two"],
        [],
        [b"three"],
    ]


def test_a_line_without_end_is_refused() -> None:
    splitter = LineSplitter()
    splitter.feed(b"x" * LINE_BYTES_MAX)

    with pytest.raises(ProtocolError, match="a line of more than"):
        splitter.feed(b"x")
