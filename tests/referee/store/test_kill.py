"""A writer killed at any moment leaves whole matches, and whoever goes on counts none twice."""

from __future__ import annotations

import random
import select
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from referee.records import MatchRecord
from referee.store import Store, TournamentMeta

MakeRecord = Callable[..., MatchRecord]
MATCHES = 64
GROUP = 8
# Writes groups of matches and says each one when its commit has returned.
WRITER = """
    import importlib.util, sys
    spec = importlib.util.spec_from_file_location("shared", sys.argv[1])
    shared = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shared)
    with shared.Store.open(sys.argv[2]) as store:
        for first in range(0, {matches}, {group}):
            records = [shared.build_record(number) for number in range(first, first + {group})]
            print("ready", flush=True)
            store.add_matches(records)
            print(first + {group}, flush=True)
"""


def write_and_kill(path: str, after_groups: int, delay_s: float) -> int:
    """Kill another process `delay_s` after it began a group; return how much it had said was committed."""
    code = textwrap.dedent(WRITER.format(matches=MATCHES, group=GROUP))
    shared = str(Path(__file__).with_name("conftest.py"))
    process = subprocess.Popen([sys.executable, "-c", code, shared, path], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = 0
    groups = 0
    for line in process.stdout:
        if line.strip() != "ready":
            said = int(line)
        elif groups == after_groups:
            break
        else:
            groups += 1
    select.select([], [], [], delay_s)  # into the middle of the transaction
    process.send_signal(signal.SIGKILL)
    for line in process.stdout:
        if line.strip().isdigit():
            said = int(line)
    process.wait()
    process.stdout.close()
    return said


def check_whole(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        for table, a_match in (("records", 1), ("seats", 4), ("boards", 2)):
            counts = f"SELECT count(*) FROM {table} WHERE match_id = matches.id"
            wrong = connection.execute(f"SELECT id FROM matches WHERE ({counts}) <> {a_match}").fetchall()
            assert wrong == [], table


def test_a_killed_writer_leaves_whole_matches(path: Path, meta: TournamentMeta, make_record: MakeRecord) -> None:
    seed = random.randrange(2**32)
    print("seed", seed)
    draw = random.Random(seed)
    Store.create(path, meta).close()
    everything = [make_record(number) for number in range(MATCHES)]
    for after_groups in (0, 2, 4, 1):
        said = write_and_kill(str(path), after_groups, draw.uniform(0, 0.02))
        check_whole(path)
        with Store.open(path, expect_tournament=meta.tournament) as store:
            finished = list(store.records())
            assert len(finished) >= said
            assert len(finished) % GROUP == 0
            assert finished == everything[: len(finished)]

    with Store.open(path) as store:
        assert store.add_matches(everything) == MATCHES - len(finished)
        assert store.add_matches(everything) == 0
        assert list(store.records()) == everything
        interrupted = (store.results(), store.root(), store.reports())
    with Store.create(path.with_name("calm.db"), meta) as calm:
        calm.add_matches(everything)
        assert (calm.results(), calm.root(), calm.reports()) == interrupted
