"""A tournament of ten bots of which four are from the gallery: it ends, says why, and ranks the honest six."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.records import Blame, FaultKind
from referee.store.store import Store
from tests.contract.gallery import alive, bot_folder

ROOT = Path(__file__).parents[2]
HEARTS = str(Path(sys.executable).with_name("hearts"))
SAMPLES = ROOT / "sample_bots/python"
HONEST = {"random": "random", "low": "low", "duck": "duck", "counter": "counter", "moon": "moon", "drake": "duck"}
BAD = {
    "silent": ("decides.py", FaultKind.TIMEOUT),
    "two-cards": ("decides.py", FaultKind.BREACH),
    "exits-3": ("processes.py", FaultKind.EXIT),
    "flood": ("streams.py", FaultKind.RESOURCE),
}
BOARD_SETS = 10
RUN_S_MAX = 200


def run(folder: Path, bots: dict[str, Path]) -> tuple[str, dict[str, dict[str, float | None]]]:
    """Run a tournament by the command; give its output, and the rows of its table by bot."""
    folder.mkdir()
    tables = "".join(f'[[bot]]\nname = "{name}"\npath = "{path}"\n' for name, path in bots.items())
    clock = "[clock]\nturn_ms = 1000\nbank_ms = 1000\n[faults]\nrestarts_max = 0\n"
    (folder / "cup.toml").write_text(f'name = "cup"\nboard_sets = {BOARD_SETS}\nseed = 7\n{clock}{tables}')
    done = subprocess.run(
        [HEARTS, "tournament", "run", "cup.toml"], cwd=folder, capture_output=True, text=True, timeout=RUN_S_MAX
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads((folder / "cup/standings.json").read_text())["bots"]
    return done.stdout, {row["bot"]: row for row in rows}


@pytest.mark.slow
@pytest.mark.timeout(420)
def test_a_tournament_with_four_bad_bots_ends_and_ranks_the_honest_six_as_without_them(tmp_path: Path) -> None:
    honest = {name: SAMPLES / sample for name, sample in HONEST.items()}
    bad = {name: bot_folder(tmp_path / "bots", name, program, name) for name, (program, _) in BAD.items()}
    _, without = run(tmp_path / "without", honest)
    said, beside = run(tmp_path / "beside", honest | bad)

    with Store.open(tmp_path / "beside/cup/tournament.db", read_only=True) as store:
        faults = store.faults()
        results = store.results()
        reports = {report.bot: report for report in store.reports()}
    assert len({board.match_id for board in results}) == 4 * BOARD_SETS
    assert {stored.bot for stored in faults} == set(BAD)
    assert {stored.fault.blame for stored in faults} == {Blame.BOT}
    for name, (_, kind) in BAD.items():
        assert f"{kind.value}/bot" in reports[name].faults  # a flood is late with its other tables besides
        (line,) = [line for line in said.splitlines() if line.startswith(f"{name}: ")]
        assert re.fullmatch(
            rf"{name}: .*\d+ {kind.value}.* in \d+ match.*; the first: .*\(`hearts replay .*`\)", line
        )
    for board in results:
        if any(board.autopilot):
            taken_over = [flag for _, flag in sorted(zip(board.places, board.autopilot, strict=True))]
            assert taken_over == sorted(taken_over), "a board with an autopilot counts against somebody else"
            assert {place for place, flag in zip(board.places, board.autopilot, strict=True) if not flag} == {1}
    for name in HONEST:
        assert abs(centred(beside, name) - centred(without, name)) < width(beside[name]) + width(without[name]), (
            name
        )
    assert alive(str(tmp_path)) == []


def centred(rows: dict[str, dict[str, float | None]], name: str) -> float:
    """Elo over the mean of the honest bots."""
    return number(rows[name]["elo"]) - sum(number(rows[other]["elo"]) for other in HONEST) / len(HONEST)


def width(row: dict[str, float | None]) -> float:
    """Half of the 95 % interval."""
    return (number(row["high"]) - number(row["low"])) / 2


def number(value: float | None) -> float:
    assert value is not None
    return value
