"""A recorded playthrough of every preset, replayed line by line.

`make playthroughs` records them anew; read the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee.rules.presets import PRESETS, preset
from referee.rules.ruleset import Moon
from tests.playthroughs.narrator import Script, record, tell

FOLDER = Path(__file__).parent
UPDATES = os.environ.get("HEARTS_UPDATE_PLAYTHROUGHS") == "1"


@pytest.mark.parametrize("name", PRESETS)
def test_the_playthrough_is_told_again_line_by_line(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    if UPDATES:
        path.write_text(record(name))
    recorded = path.read_text()
    script = Script(recorded)

    told = tell(name, script, script.deals)

    for number, line in enumerate(recorded.splitlines(), start=1):
        assert next(told) == line, f"{path.name}, line {number}"
    assert next(told, None) is None
    assert next(script.decisions, None) is None


def test_every_preset_has_one_and_nothing_else_lies_here() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PRESETS)


def test_a_moon_is_shown_wherever_there_are_moons() -> None:
    without = {path.stem for path in FOLDER.glob("*.txt") if "shot the moon" not in path.read_text()}

    assert without == {name for name in PRESETS if preset(name).moon is Moon.NONE}


def test_together_they_show_passes_holds_moons_choices_carried_tricks_and_breaches() -> None:
    text = "\n".join(path.read_text() for path in FOLDER.glob("*.txt"))

    for sight in (
        "pass offset 0",
        "pass offset 1",
        "pass offset -1",
        "pass offset 2",
        "widow of",
        "shot the moon",
        "chooses add of add subtract",
        "chooses subtract of add subtract",
        "nobody wins",
        "but MUST_FOLLOW_SUIT",
        "but HEARTS_NOT_BROKEN",
        "but NO_POINTS_ON_FIRST_TRICK",
        "but MUST_LEAD_LOWEST_CLUB",
    ):
        assert sight in text, sight
