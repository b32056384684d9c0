"""Records leave a store and come back to the byte, and a changed file is noticed."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.records import MatchRecord
from referee.store import Store, StoreError, TournamentMeta
from referee.store.export import read_records, read_tournament, write_records

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
    stream = io.BytesIO(data)
    return list(read_records(stream, "cup.jsonl", read_tournament(stream, "cup.jsonl")))


def test_a_store_goes_out_and_comes_back_to_the_byte(
    store: Store, lines: list[bytes], path: Path, meta: TournamentMeta
) -> None:
    stream = io.BytesIO(b"".join(lines))
    assert read_tournament(stream, "cup.jsonl") == meta
    with Store.create(path.with_name("again.db"), meta) as again:
        assert again.add_matches(list(read_records(stream, "cup.jsonl", meta))) == 3
        assert exported(again) == b"".join(lines)
        assert again.root() == store.root()


def test_an_empty_store_is_an_export_too(store: Store) -> None:
    assert read(exported(store)) == []


def test_every_changed_line_is_noticed(lines: list[bytes]) -> None:
    for number in range(1, 5):
        changed = lines.copy()
        changed[number] = changed[number].replace(b"1", b"2")
        with pytest.raises(StoreError, match=r"^cup.jsonl: line \d"):
            read(b"".join(changed))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda lines: lines[:-1], "the last line is missing: the file was cut short after 3 records"),
        (lambda lines: [*lines[:2], *lines[3:]], "line 4 does not fit line 1 and the records"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "line 5 does not fit"),
        (lambda lines: [lines[0], b"{}\n", *lines[2:]], "line 2: match record: record_version is None"),
        (lambda lines: lines[1:], "line 1 is not the head of an export"),
        (lambda lines: [b"[]\n"], "line 1 is not the head of an export"),
        (lambda lines: [], "line 1 is not the head of an export"),
        (lambda lines: [lines[0].replace(b'"export_version":1', b'"export_version":9')], "has version 9"),
        (lambda lines: [b'{"export_version":1}\n'], "line 1 does not say the tournament"),
    ],
)
def test_a_file_that_is_not_whole_is_refused(
    lines: list[bytes], change: Callable[[list[bytes]], list[bytes]], sentence: str
) -> None:
    with pytest.raises(StoreError, match=f"^cup.jsonl: .*{sentence}"):
        read(b"".join(change(lines)))
