"""How long `hearts tournament status` and `hearts ratings` take on a store of a hundred thousand matches.

    python -m tests.bench.large_store [--matches 100000] [--store postgresql://...] [--repeats 5]

The schedule is a real one, of twelve bots at tables of four, and so are keys, line-ups and rows. Playing it all
would take hours, so that a thousand matches are simulated and their rows stand for the others, under each match's
own key, number and line-up. Their records come along, so that the file has its true size; no command measured opens
one. The commands run as an organiser gives them, the start of the interpreter included.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from referee.cli.tournament_folder import TournamentFolder
from referee.config import TournamentConfig
from referee.plan import plan_for, started
from referee.records import MatchSpec
from referee.schedule.pairing import Entrant
from referee.store import Event, Store, schema
from referee.store.rows import MatchRows, rows_of
from referee.store.writing import add_matches
from tests.referee.simulated import simulate

NAMES = ("amy", "bob", "cid", "dot", "eve", "fay", "gus", "hal", "ida", "jon", "kim", "lea")
SIMULATED = 1_000
GROUP = 2_000
HEARTS = str(Path(sys.executable).with_name("hearts"))
COMMANDS = (("tournament", "status"), ("ratings",))


def make(folder: Path, matches: int, url: str | None) -> TournamentFolder:
    """Make the folder of a finished tournament."""
    seats = 4
    raw = {"name": "Large", "seed": 7, "board_sets": -(-matches // seats), "store": url}
    config = TournamentConfig.from_dict(raw)
    place = TournamentFolder(folder)
    present = [(Entrant(name), False) for name in NAMES]
    with place.create(config) as store:
        store.add_event(started(present, "2026-01-01T00:00:00+00:00"))
        specs = plan_for(config, store, present).drawn_specs({})
        fill(store, islice(specs, matches), config, place.seed())
        data = {"seed": place.seed().hex()}
        store.add_event(Event(at="2026-01-02T00:00:00+00:00", kind="finished", message="all is played", data=data))
    return place


def fill(store: Store, specs: Iterator[MatchSpec], config: TournamentConfig, seed: bytes) -> None:
    """Write all matches; the first ones are simulated, the others take over the rows of those."""
    records = [simulate(spec, config, seed, "") for spec in islice(specs, SIMULATED)]
    with store._writing() as connection:
        add_matches(connection, records)
    patterns = [rows_of(record, 0) for record in records]
    match_id = len(records)
    while group := list(islice(specs, GROUP)):
        rows: dict[str, list[dict[str, Any]]] = {"matches": [], "seats": [], "boards": [], "records": []}
        for spec in group:
            match_id += 1
            copy(rows, patterns[match_id % SIMULATED], spec, match_id)
        with store._writing() as connection:
            for name, each in rows.items():
                connection.execute(insert(schema.metadata.tables[name]), each)


def copy(rows: dict[str, list[dict[str, Any]]], pattern: MatchRows, spec: MatchSpec, match_id: int) -> None:
    own = {"key": spec.key, "number": spec.number, "round_number": spec.round_number, "board_set": spec.board_set}
    own |= {"rotation": spec.rotation, "attempt": spec.attempt, "bots": json.dumps(spec.bots)}
    rows["matches"].append({**pattern.match, **own, "id": match_id, "rule_set_id": 1})
    rows["seats"] += [
        {**row, "match_id": match_id, "bot": bot} for row, bot in zip(pattern.seats, spec.bots, strict=True)
    ]
    rows["boards"] += [{**row, "match_id": match_id} for row in pattern.boards]
    rows["records"].append({**pattern.record, "match_id": match_id, "key": spec.key})


def measured(command: Sequence[str], repeats: int) -> tuple[list[float], list[float]]:
    """Wall and processor seconds of each repetition."""
    walls, processors = [], []
    for _ in range(repeats):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([HEARTS, *command], check=True, stdout=subprocess.DEVNULL)
        walls.append(time.perf_counter() - began)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processors.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return walls, processors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--store", help="URL of an empty database of PostgreSQL")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="make the tournament in this folder, or use the one there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or Path(scratch) / "large"
        if not (folder / "config.json").exists():
            began = time.perf_counter()
            make(folder, arguments.matches, arguments.store)
            print(f"made {arguments.matches:,} matches in {time.perf_counter() - began:.0f} s", flush=True)
        print(f"load average {os.getloadavg()[0]:.1f}")
        print("| command | wall, least | wall, median | processor, least |")
        print("| --- | ---: | ---: | ---: |")
        for command in COMMANDS:
            walls, processors = measured([*command, str(folder), "--quiet"], arguments.repeats)
            print(
                f"| `hearts {' '.join(command)}` | {min(walls):.2f} s | {statistics.median(walls):.2f} s "
                f"| {min(processors):.2f} s |",
                flush=True,
            )


if __name__ == "__main__":
    main()
