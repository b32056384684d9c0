"""Logs: stamped, bounded, and with positions that stay true."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.launch.process_log import (
    HEAD_BYTES,
    SEGMENT_BYTES,
    SEGMENTS_MAX,
    ProcessLog,
    log_position,
    read_log,
    tail_lines,
)

STAMP = b"2026-11-30T12:00:00.123Z"
NOW_S = 1796040000.123


@pytest.fixture
def head(tmp_path: Path) -> Path:
    return tmp_path / "bot.log"


def test_each_line_is_stamped_once_however_it_arrives(head: Path) -> None:
    log = ProcessLog(head)
    for piece in (b"one\ntw", b"o", b"\n", b"\nfour"):
        log.write(piece, NOW_S)
    log.note("ended", NOW_S)
    log.write(b"", NOW_S)
    log.close()

    lines = head.read_bytes().split(b"\n")

    assert lines == [STAMP + line for line in (b" | one", b" | two", b" | ", b" | four", b" # ended")] + [b""]


def test_positions_are_byte_offsets_in_a_small_log(head: Path) -> None:
    log = ProcessLog(head)
    assert log_position(head) == 0
    log.write(b"before\n", NOW_S)
    first = log_position(head)
    log.write(b"between\n", NOW_S)
    last = log_position(head)
    log.write(b"after\n", NOW_S)
    log.close()

    assert read_log(head, first, last) == STAMP + b" | between\n"
    assert read_log(head) == head.read_bytes()
    assert head.read_bytes()[first:last] == STAMP + b" | between\n"


def test_a_large_log_keeps_its_head_and_its_tail_and_names_the_gap(head: Path) -> None:
    log = ProcessLog(head)
    total = 0
    for number in range(2000):
        total += log.write(b"%05d %s\n" % (number, b"x" * 1000), NOW_S)
    log.close()

    text = read_log(head)

    assert log_position(head) == total
    assert text.startswith(STAMP + b" | 00000 ")
    assert text.endswith(b"x\n")
    assert b" | 01999 " in text
    kept = sum(path.stat().st_size for path in head.parent.rglob("*") if path.is_file())
    assert HEAD_BYTES < kept <= HEAD_BYTES + SEGMENTS_MAX * SEGMENT_BYTES
    gap = b"\n[%d bytes cut]\n" % (total - kept)
    assert text.count(gap) == 1
    assert len(text) == kept + len(gap)


def test_a_position_is_found_without_a_look_at_the_logs_of_others(
    head: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = ProcessLog(head)
    size = log.write(b"x" * (HEAD_BYTES + SEGMENT_BYTES + 3), NOW_S)
    log.close()
    (head.parent / "other.log").touch()
    looked: list[Path] = []
    listed = Path.iterdir

    def noted(folder: Path) -> Iterator[Path]:
        looked.append(folder)
        return listed(folder)

    monkeypatch.setattr(Path, "iterdir", noted)

    assert log_position(head) == size
    assert head.parent not in looked


def test_a_window_reads_the_same_after_the_log_has_rolled_on(head: Path) -> None:
    log = ProcessLog(head)
    log.write(b"x" * (HEAD_BYTES - 10), NOW_S)
    first = log_position(head)
    log.write(b"across the border of two files\n" * 3, NOW_S)
    last = log_position(head)
    before = read_log(head, first, last)
    log.write(b"y" * SEGMENT_BYTES, NOW_S)

    assert before.count(b"across the border") == 3
    assert read_log(head, first, last) == before

    log.write(b"z" * (SEGMENTS_MAX * SEGMENT_BYTES), NOW_S)
    log.close()

    assert read_log(head, first, last).endswith(b" bytes cut]\n")


def test_one_write_larger_than_several_files_is_split_exactly(head: Path) -> None:
    log = ProcessLog(head)
    size = log.write(b"\n" * (HEAD_BYTES // 10), NOW_S)
    log.close()

    assert log_position(head) == size
    assert {path.stat().st_size for path in head.parent.rglob("*") if path.is_file()} <= {
        HEAD_BYTES,
        SEGMENT_BYTES,
        size % SEGMENT_BYTES,
    }


def test_the_tail_has_only_the_processs_own_lines_and_is_safe_to_print(head: Path) -> None:
    log = ProcessLog(head)
    log.note("process 1 started", NOW_S)
    log.write("first\r\nsécond\t\x1b[2J\n".encode() + b"\xff third", NOW_S)
    log.note("process 1 ended", NOW_S)
    log.close()

    assert tail_lines(head, 2) == ["sécond\t\\x1b[2J", "\N{REPLACEMENT CHARACTER} third"]
    assert tail_lines(head, 0) == []


def test_a_full_disk_loses_lines_counts_them_and_says_so_when_there_is_room(
    head: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    log = ProcessLog(head)
    log.write(b"kept\n", NOW_S)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        lost = log.write(b"lost\n", NOW_S) + log.write(b"lost too\n", NOW_S)
    log.write(b"kept again\n", NOW_S)
    log.close()

    assert b"# %d bytes lost: the disk was full\n" % lost in head.read_bytes()
    assert tail_lines(head, 5) == ["kept", "kept again"]
