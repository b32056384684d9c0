"""Each import wall is violated once in a copy of the house, and seen to fail."""

import re
import shutil
import subprocess
import sys
import tomllib
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
    ("import referee.plan", "ratings/online.py", "ratings reads referee.records"),
    ("import hearts.v1.card_pb2", "referee/audit/report.py", "Only the wire"),
    ("import hearts.v1.card_pb2", "referee/table/table.py", "Only the wire"),
    ("import referee.table.table", "referee/store/store.py", "The store keeps"),
    ("import elo", "ratings/points.py", "Only ratings.online"),
    ("import asyncio", "referee/rules/deal.py", "The core is pure"),
    ("import random", "referee/schedule/shuffle.py", "The core is pure"),
    ("import time", "referee/table/table.py", "The core is pure"),
]


MODULES = {
    f"referee.{path.stem}"
    for path in (ROOT / "referee").iterdir()
    if path.suffix in ("", ".py") and path.stem[0] != "_"
}


def contract(name: str) -> dict[str, list[str]]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (found,) = [contract for contract in contracts if contract["name"].startswith(name)]
    return found  # type: ignore[no-any-return]


def test_the_walls_that_list_modules_list_all_of_them() -> None:
    layers = {part.strip("() ") for layer in contract("Layers")["layers"] for part in layer.split("|")}

    assert layers - {"referee.league", "ratings"} == MODULES
    assert set(contract("ratings reads")["forbidden_modules"]) == MODULES - {"referee.records"}
    assert set(contract("Only the wire")["source_modules"]) == MODULES - {"referee.wire"} | {"ratings"}


def test_the_page_on_architecture_shows_every_module_and_the_layers_as_they_are_held() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    rooms, walls = page.partition("## Walls")[::2]
    for name in MODULES:
        path = name.replace(".", "/")
        assert f"| `{path}/` |" in rooms or f"| `{path}.py` |" in rooms, f"docs/architecture.md: no room {path}"
    shown = [re.split(r"\s{2,}", line)[0].replace(" ", "") for line in walls.split("```")[1].strip().splitlines()]

    held = [layer.replace(" ", "").removeprefix("(referee.league)|") for layer in contract("Layers")["layers"]]
    assert shown == held


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
