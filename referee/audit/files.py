"""Published files held against the same files made again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.audit.examining import named_in
from referee.audit.report import Difference
from referee.record_codec import shown
from referee.store.export import is_record


def compare_files(made: Path, published: Path) -> Iterator[Difference]:
    """Compare every file under `made` with the one of the same path under `published`.

    Files that are only published say nothing about the tournament and are left alone.
    """
    for path in sorted(made.rglob("*")):
        if not path.is_file():
            continue
        name = path.relative_to(made)
        found = published / name
        try:
            told, wanted = found.read_bytes(), path.read_bytes()
        except OSError as error:
            yield Difference(str(found), "", f"cannot be read: {error.strerror}")
            continue
        if told != wanted:
            yield Difference(str(found), *_first_difference(told, wanted))


def _first_difference(told: bytes, wanted: bytes) -> tuple[str, str]:
    told_lines, wanted_lines = told.split(b"\n"), wanted.split(b"\n")
    pairs = zip(told_lines, wanted_lines, strict=False)
    number = next((n for n, (one, other) in enumerate(pairs) if one != other), None)
    if number is None:
        return "", f"has {len(told_lines)} lines, made again it has {len(wanted_lines)}"
    one, other = told_lines[number], wanted_lines[number]
    length = min(len(one), len(other))
    column = next((n for n in range(length) if one[n] != other[n]), length)
    start = max(0, column - 20)
    said, wants = (line[start : column + 20].decode("utf-8", "replace") for line in (one, other))
    match = f", {named_in(other)}" if is_record(other) else ""
    return f"line {number + 1}{match}", f"published is {shown(said)}, made again it is {shown(wants)}"
