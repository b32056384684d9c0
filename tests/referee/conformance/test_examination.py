"""The examination of a bot: a good one passes, and each planted fault is found and named."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.bot_templates import LANGUAGES, write_bot
from referee.conformance import examination, laboratory
from referee.conformance.findings import Grade, Report
from referee.launch.manifest import load_manifest
from tests.referee.conformance.planted_faults import PLANTS, Plant

# On a busy machine a process starts slowly; what is tested here is not how fast it is.
PATIENT = laboratory.Patience(start_ms=15_000, hello_ms=5_000, answer_ms=2_500, return_ms=4_000, end_ms=2_000)
NEVER_DIALS = laboratory.Patience(start_ms=1_500, answer_ms=1_500)


async def examined(folder: Path, monkeypatch: pytest.MonkeyPatch, plant: Plant) -> Report:
    write_bot(folder, "subject", LANGUAGES["python"])
    for file, (old, new) in plant.changes.items():
        text = (folder / file).read_text()
        assert old in text, f"{plant.name}: nothing to replace in {file}"
        (folder / file).write_text(text.replace(old, new, 1))
    monkeypatch.setattr(examination, "Patience", lambda: NEVER_DIALS if plant.name == "never dials" else PATIENT)
    return await examination.examine(load_manifest(folder), only=plant.sections)


@pytest.mark.parametrize(
    "plant",
    [pytest.param(plant, id=plant.name, marks=() if plant.is_quick else pytest.mark.planted) for plant in PLANTS],
)
async def test_a_planted_fault_is_found_and_named(
    plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = await examined(tmp_path / "subject", monkeypatch, plant)

    found = [
        finding
        for finding in report.findings
        if finding.check.startswith(plant.check) and finding.grade == plant.grade and plant.says in finding.message
    ]
    assert found, "\n".join(f"{f.grade} {f.check}: {f.message}" for f in report.findings if f.grade != "pass")


async def test_a_new_bot_passes_the_quick_examination(tmp_path: Path) -> None:
    write_bot(tmp_path / "subject", "subject", LANGUAGES["python"])

    report = await examination.examine(load_manifest(tmp_path / "subject"), quick=True)

    worse = [(f.check, f.message) for f in report.findings if f.grade in (Grade.FAIL, Grade.ADVICE)]
    assert worse == []
    assert report.turns > 100


def test_at_least_twenty_faults_are_planted() -> None:
    assert len({plant.name for plant in PLANTS}) >= 20
