"""Records leave a store and come back to the byte, and a changed file is noticed."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.record_json import record_digest, record_from_json
from referee.records import MatchRecord
from referee.store import Store, StoreError, TournamentMeta
from referee.store.export import ExportReader, write_records

MakeRecord = Callable[..., MatchRecord]


def exported(store: Store) -> bytes:
    stream = io.BytesIO()
    write_records(store, stream)
    return stream.getvalue()


@pytest.fixture
def lines(store: Store, make_record: MakeRecord) -> list[bytes]:
    store.add_matches([make_record(number, decisions_max=4) for number in (2, 0, 1)])
    return exported(store).splitlines(keepends=True)


def read(data: bytes) -> list[MatchRecord]:
    return [record_from_json(line.data) for line in ExportReader(io.BytesIO(data), "cup.jsonl")]


def problems(data: bytes) -> list[str]:
    """What the reader says of a file, each with its line."""
    reader = ExportReader(io.BytesIO(data), "cup.jsonl")
    digests = [record_digest(line.data) for line in reader]
    return [f"{problem.number}: {problem.message}" for problem in reader.problems(digests)]


def test_a_store_goes_out_and_comes_back_to_the_byte(
    store: Store, lines: list[bytes], path: Path, meta: TournamentMeta
) -> None:
    data = b"".join(lines)
    assert ExportReader(io.BytesIO(data), "cup.jsonl").meta == meta
    assert problems(data) == []
    with Store.create(path.with_name("again.db"), meta) as again:
        assert again.add_matches(read(data)) == 3
        assert exported(again) == data
        assert again.root() == store.root()


def test_an_empty_store_is_an_export_too(store: Store) -> None:
    assert read(exported(store)) == []


def test_every_changed_line_is_named(lines: list[bytes]) -> None:
    for number in range(4):
        changed = lines.copy()
        changed[number] = changed[number].replace(b"1", b"2").replace(b'"export_version":2', b'"export_version":1')

        (problem,) = problems(b"".join(changed))

        assert problem.startswith(f"{number + 1}: "), problem


def test_a_changed_digest_is_told_from_a_changed_record(lines: list[bytes]) -> None:
    digest = record_digest(lines[2].rstrip())
    other = digest.translate({ord("a"): "b", ord("b"): "a", ord("1"): "2", ord("2"): "1"})

    changed = [*lines[:-1], lines[-1].replace(digest.encode(), other.encode())]

    assert problems(b"".join(changed)) == ["5: the digest of line 3 in it was changed"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda lines: lines[:-1], "0: the last line is missing: the file was cut short after 3 records"),
        (lambda lines: lines[:1], "0: the last line is missing: the file was cut short after 0 records"),
        (lambda lines: [*lines[:-1], lines[-1][:-9]], "5: the last line is damaged"),
        (lambda lines: [*lines[:2], *lines[3:]], "4: tells of 3 records, there are 2"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "2: is not the record that was written"),
    ],
)
def test_a_file_that_is_not_whole_is_noticed(
    lines: list[bytes], change: Callable[[list[bytes]], list[bytes]], sentence: str
) -> None:
    assert problems(b"".join(change(lines)))[0].startswith(sentence)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda lines: lines[1:], "line 1 is not the head of an export"),
        (lambda lines: [b"[]\n"], "line 1 is not the head of an export"),
        (lambda lines: [], "line 1 is not the head of an export"),
        (lambda lines: [lines[0].replace(b'"export_version":1', b'"export_version":9')], "has version 9"),
        (lambda lines: [b'{"export_version":1}\n'], "line 1 does not say the tournament"),
    ],
)
def test_a_file_that_is_no_export_is_refused(
    lines: list[bytes], change: Callable[[list[bytes]], list[bytes]], sentence: str
) -> None:
    with pytest.raises(StoreError, match=f"^cup.jsonl: .*{sentence}"):
        read(b"".join(change(lines)))
