"""Each import wall is violated once in a copy of the house, and seen to fail."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINTER = Path(sys.executable).with_name("lint-imports")
# A line of code, the module it is added to, and a piece of the name of the wall that it breaks.
VIOLATIONS = [
    ("import referee.tournament", "referee/store/store.py", "Layers"),
    ("import referee.wire.codec", "referee/floor/floor.py", "Layers"),
    ("import referee.launch.launcher", "referee/wire/server.py", "Layers"),
    ("import referee.records", "referee/rules/cards.py", "Layers"),
    ("import referee.rules.cards", "ratings/online.py", "ratings reads referee.records"),
    ("import hearts.v1.card_pb2", "referee/table/table.py", "Only the wire"),
    ("import referee.table.table", "referee/store/store.py", "The store keeps"),
    ("import elo", "ratings/points.py", "Only ratings.online"),
    ("import asyncio", "referee/rules/deal.py", "The core is pure"),
    ("import random", "referee/schedule/shuffle.py", "The core is pure"),
    ("import time", "referee/table/table.py", "The core is pure"),
]


def verdicts(house: Path) -> dict[str, str]:
    """Run the linter on a copy of the house; give the verdict of each wall by its name."""
    command = [str(LINTER), "--no-cache", "--config", str(house / "pyproject.toml")]
    output = subprocess.run(
        command, cwd=house, env={"PYTHONPATH": str(house)}, capture_output=True, text=True
    ).stdout
    return {name.strip(): verdict for name, verdict in re.findall(r"^(\S.*?) (KEPT|BROKEN)", output, re.MULTILINE)}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("house")
    for package in ("referee", "ratings"):
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "proto/gen/hearts", copy / "hearts")
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def test_the_house_as_it_is_keeps_every_wall(house: Path) -> None:
    walls = verdicts(house)

    assert len(walls) >= 5
    assert set(walls.values()) == {"KEPT"}


@pytest.mark.parametrize(("line", "module", "wall"), VIOLATIONS, ids=lambda value: str(value).replace("/", "."))
def test_a_wall_is_seen_to_fail_when_it_is_violated(house: Path, line: str, module: str, wall: str) -> None:
    file = house / module
    before = file.read_text()
    file.write_text(f"{before}\n{line}\n")
    try:
        broken = [name for name, verdict in verdicts(house).items() if verdict == "BROKEN"]
    finally:
        file.write_text(before)

    assert [name for name in broken if name.startswith(wall)]
