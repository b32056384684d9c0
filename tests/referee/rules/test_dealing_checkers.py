"""The checkers of the dealing vectors in other languages share nothing with the referee, and agree with it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.referee.rules import dealing_vectors

FOLDER = dealing_vectors.FILE.parent
CHECKERS = {"node": FOLDER / "check_dealing.js", "ruby": FOLDER / "check_dealing.rb"}


def check(program: str, vectors: Path) -> subprocess.CompletedProcess[str]:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: {CHECKERS[program].name} is not tested")
    return subprocess.run(
        [program, str(CHECKERS[program]), str(vectors)], capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("program", CHECKERS)
def test_a_checker_deals_as_the_vectors_say(program: str) -> None:
    done = check(program, dealing_vectors.FILE)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "18 deals are as the vectors say\n"


@pytest.mark.parametrize("program", CHECKERS)
@pytest.mark.parametrize("key", ["commitment", "deal_seed", "rejected", "bytes_used", "hands", "widow"])
def test_a_checker_names_what_differs(program: str, key: str, tmp_path: Path) -> None:
    vectors = json.loads(dealing_vectors.FILE.read_text(encoding="utf-8"))
    deal = next(deal for deal in vectors["deals"] if deal["widow"])
    value = deal[key]
    deal[key] = value + 1 if isinstance(value, int) else "00" + value[2:] if isinstance(value, str) else value[1:]
    if key == "hands":  # with as many seats, or it would be another deal
        deal[key] = [value[1], value[0], *value[2:]]
    vectors["deals"] = [deal]
    file = tmp_path / "dealing.json"
    file.write_text(json.dumps(vectors), encoding="utf-8")

    done = check(program, file)

    assert done.returncode == 1
    assert f"deal 0: {key} differs: " in done.stdout
