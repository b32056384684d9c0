"""A hundred thousand finished matches are answered about in seconds."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from referee.records import MatchRecord
from referee.store import Store

MATCHES = 100_000
PLAYED = 100  # really played; the others are copies of their rows under other keys
# Everything that `status` asks, against SQLite alone reading the same rows. Measured: 5 to 6 times, which is
# 2.6 s of processor time on two overloaded cores. A ratio holds on any machine, seconds do not.
RATIO_MAX = 10


def _bare_seconds(path: Path) -> float:
    """Processor time that SQLite alone needs to hand over all boards and matches."""
    with closing(sqlite3.connect(path)) as connection:
        began = time.process_time()
        connection.execute("SELECT * FROM boards").fetchall()
        connection.execute("SELECT * FROM matches ORDER BY number").fetchall()
        return time.process_time() - began


def _multiply(store: Store) -> None:
    copies = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MATCHES // PLAYED - 1})"
    shifted = {"id": f"id + {PLAYED} * i", "match_id": f"match_id + {PLAYED} * i", "key": "key || '.' || i"}
    shifted["number"] = f"number + {PLAYED} * i"
    shifted["board_set"] = f"board_set + {PLAYED // 4} * i"
    with store._writing() as connection:
        for table in ("matches", "seats", "boards"):  # without the records: no answer below opens one
            columns = [row.name for row in connection.execute(text(f"PRAGMA table_info({table})"))]
            values = ", ".join(shifted.get(column, column) for column in columns)
            connection.execute(text(f"INSERT INTO {table} {copies} SELECT {values} FROM {table}, n ORDER BY 1"))


@pytest.mark.slow
def test_a_hundred_thousand_matches_are_answered_in_seconds(
    store: Store, path: Path, make_record: Callable[..., MatchRecord]
) -> None:
    store.add_matches([make_record(number, deals=4, decisions_max=8) for number in range(PLAYED)])
    _multiply(store)

    with Store.open(path, read_only=True) as reader:
        began = time.process_time()
        columns = reader.result_columns()
        reports = reader.reports()
        count = reader.finished_count()
        reader.root()
        taken = time.process_time() - began

    bare = _bare_seconds(path)
    print(f"{taken:.2f} s for {count} matches with {len(columns.seats)} boards; SQLite alone {bare:.2f} s")
    assert (count, len(columns.seats)) == (MATCHES, 4 * MATCHES)
    assert [report.matches for report in reports] == [MATCHES] * 4
    assert taken < RATIO_MAX * bare
