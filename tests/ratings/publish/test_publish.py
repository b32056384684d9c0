"""What is published, as files."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from ratings.publish import publish
from ratings.publish.crosstable_csv import COLUMNS, crosstable_text
from ratings.publish.files import write_files
from ratings.standings import Standings
from referee.records import MatchRecord
from tests.ratings.publish.sample import BOTS, DETAILS, played, rated


@pytest.fixture(scope="module")
def records() -> list[MatchRecord]:
    return played()


@pytest.fixture(scope="module")
def standings(records: list[MatchRecord]) -> Standings:
    return rated(records)


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_reader_is_told_of_the_files_to_start_from(tmp_path: Path, standings: Standings) -> None:
    files = publish(standings, tmp_path, title="Trial")

    assert [str(file.relative_to(tmp_path)) for file in files] == [
        "standings.txt",
        "standings.md",
        "standings.csv",
        "standings.json",
        "crosstable.csv",
        "site/index.html",
    ]
    assert all(file.stat().st_size for file in files)


def test_publishing_again_gives_the_same_bytes(
    tmp_path: Path, records: list[MatchRecord], standings: Standings
) -> None:
    for name in ("first", "second"):
        publish(standings, tmp_path / name, title="Trial", details=DETAILS, replays=iter(records))

    assert everything_in(tmp_path / "first") == everything_in(tmp_path / "second")


def test_the_site_carries_the_numbers_of_the_tables(tmp_path: Path, standings: Standings) -> None:
    publish(standings, tmp_path, title="Trial")

    assert json.loads((tmp_path / "site/data/standings.json").read_text()) == standings.to_json()
    for name in ("standings.csv", "crosstable.csv"):
        assert (tmp_path / "site/data" / name).read_bytes() == (tmp_path / name).read_bytes()


def test_the_name_of_a_tournament_is_no_markup(tmp_path: Path, standings: Standings) -> None:
    publish(standings, tmp_path, title="<b>Cup</b>")

    assert (tmp_path / "standings.md").read_text(encoding="utf-8").startswith("# \\<b\\>Cup")


def test_pages_that_are_no_longer_part_of_the_site_go(
    tmp_path: Path, records: list[MatchRecord], standings: Standings
) -> None:
    publish(standings, tmp_path, title="Trial", replays=records)
    matches = tmp_path / "site/matches"
    (matches / "notes.html").write_text("<p>mine")
    publish(standings, tmp_path, title="Trial", replays=records[:1])

    assert sorted(path.name for path in matches.iterdir()) == ["00000-00000000.html", "notes.html"]


def test_a_full_disk_changes_nothing_and_names_the_file(
    tmp_path: Path, standings: Standings, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(standings, tmp_path, title="Before")
    before = everything_in(tmp_path)
    synced = 0

    def full(descriptor: int) -> None:
        nonlocal synced
        synced += 1
        if synced == 8:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        publish(standings, tmp_path, title="After")

    assert str(caught.value.filename).startswith(str(tmp_path))
    assert everything_in(tmp_path) == before


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("a file")

    with pytest.raises(OSError, match="site"):
        write_files(tmp_path, {"site/index.html": "page"})

    assert everything_in(tmp_path) == {"site": b"a file"}


def test_the_crosstable_has_a_line_for_each_ordered_pair_that_adds_up(standings: Standings) -> None:
    rows: list[dict[str, Any]] = list(csv.DictReader(io.StringIO(crosstable_text(standings))))
    by_pair = {(row["bot"], row["other"]): row for row in rows}

    assert tuple(rows[0]) == COLUMNS
    assert set(by_pair) == {(bot, other) for bot in BOTS for other in BOTS if bot != other}
    for (bot, other), row in by_pair.items():
        back = by_pair[other, bot]
        assert row["met"] == back["met"]
        assert float(row["score"]) + float(back["score"]) == pytest.approx(1)
        assert float(row["points"]) == pytest.approx(-float(back["points"]))
        assert float(row["superiority"]) + float(back["superiority"]) == pytest.approx(1)
