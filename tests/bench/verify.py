"""How long `hearts verify` takes, with its start: `python -m tests.bench.verify`.

A tournament of simulated bots, of four deals a match, is made once and verified as a folder, as a site and as an
export, by one process and by as many as the command takes by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from referee.cli.results import publish_results
from referee.cli.tournament_folder import TournamentFolder
from referee.config import TournamentConfig
from tests.referee.simulated import play_on

HONEST = ("amy", "bob", "cid", "dot", "eve", "gus")  # no `fay`, who fails
DEALS_A_BOARD_SET = 16
PROGRAM = "from referee.cli.main import run; run()"


def cup(folder: Path, deals: int) -> None:
    """Play a tournament and publish it, with an export of its records beside."""
    config = TournamentConfig.from_dict({"name": "Bench", "board_sets": -(-deals // DEALS_A_BOARD_SET)})
    place = TournamentFolder(folder)
    with place.create(config) as store:
        asyncio.run(play_on(place, config, store, bots=HONEST))
        publish_results(place, config, store)
    hearts("tournament", "export", str(folder), "--out", str(folder / "cup.jsonl"), "--quiet")


def hearts(*words: str) -> tuple[float, float]:
    """Wall clock and processor seconds of one command."""
    before, began_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([sys.executable, "-c", PROGRAM, *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - began_s, used_s


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=5_120)
    parser.add_argument("--folder", type=Path, help="keep the tournament there, or use the one that is there")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.folder or Path(scratch) / "cup"
        if not folder.exists():
            cup(folder, args.deals)
        seed = TournamentFolder(folder).seed().hex()
        print(f"{args.deals:,} deals, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
        for name, words in (
            ("folder", [str(folder)]),
            ("site", [str(folder / "site")]),
            ("export", [str(folder / "cup.jsonl"), "--seed", seed]),
        ):
            for processes in ("1", ""):
                chosen = ["--processes", processes] if processes else []
                wall_s, used_s = hearts("verify", *words, "--quiet", *chosen)
                print(
                    f"{name:8} processes {processes or 'auto':4} wall {wall_s:6.2f} s, processor {used_s:6.2f} s; "
                    f"a 1,000 deals: wall {wall_s * 1000 / args.deals:.3f} s, processor "
                    f"{used_s * 1000 / args.deals:.3f} s"
                )


if __name__ == "__main__":
    main()
