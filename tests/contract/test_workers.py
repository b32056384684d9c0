"""How many processes play a tournament changes nothing in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.killing import play_to_the_end, tournament_file
from tests.contract.untimed import assert_same


@pytest.mark.kills
@pytest.mark.timeout(240)
def test_one_worker_and_four_play_the_same_deals_and_come_to_the_same_table(tmp_path: Path) -> None:
    for workers in ("1", "4"):
        folder = tmp_path / workers
        folder.mkdir()
        play_to_the_end(folder, "run", str(tournament_file(folder, 3)), "--workers", workers)

    assert_same(tmp_path / "1/cup", tmp_path / "4/cup")
