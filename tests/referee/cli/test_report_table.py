"""The table beside the standings: what each bot did, how long it thought, and its faults by kind and blame."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from rich.cells import cell_len
from typer.testing import CliRunner

from referee.cli.main import app
from referee.cli.report_table import report_json, report_table
from referee.records import BotReport
from tests.referee.simulated import ordered, play_cup

FAULTS = {"timeout/bot": 1_024, "breach/bot": 3, "exit/host": 2, "disconnect/bot": 1}
REPORTS = [
    BotReport(bot="duck", matches=8, decisions=441, p50_us=412, p99_us=1_204, max_us=34_000),
    BotReport(bot="a-name-longer-than-the-column", matches=8, decisions=12_000, faults=FAULTS, max_us=12_000_000),
]


WHOLE = BotReport(bot="", matches=8, decisions=12_441, faults={"timeout/bot": 2}, p99_us=9_000, max_us=12_000_000)


def test_a_row_tells_decisions_times_and_faults_in_80_columns() -> None:
    text = report_table(REPORTS, WHOLE)

    assert text.splitlines() == [
        "bot                     matches  decisions  p50 ms  p99 ms  max ms  faults",
        "──────────────────────────────────────────────────────────────────────────",
        "duck                          8        441     0.4     1.2      34  none",
        "a-name-longer-than-th…        8     12,000     0.0     0.0     12s",
        "    1,024 timeout, 3 breach, 2 exit of the host, 1 disconnect",
        "all                           8     12,441     0.0     9.0     12s  2 timeout",
    ]
    assert max(map(len, text.splitlines())) <= 80
    raw = json.loads(json.dumps(report_json(REPORTS, WHOLE)))
    assert (raw["bots"][1]["faults"], raw["all"]["decisions"]) == (FAULTS, 12_441)
    assert report_table([], WHOLE) == ""


def test_a_wide_name_is_cut_by_the_cells_it_takes() -> None:
    lines = report_table([*REPORTS, replace(REPORTS[0], bot="日本語" * 10)], WHOLE).splitlines()

    assert cell_len(lines[5]) == cell_len(lines[2])
    assert lines[5].startswith("日本語日本語日本語日… ")


async def test_status_prints_it_below_the_standings_and_has_it_in_json(tmp_path: Path) -> None:
    place = await play_cup(tmp_path / "cup", ordered(board_sets=2))
    text = CliRunner().invoke(app, ["tournament", "status", str(place.path)]).stdout
    raw = json.loads(CliRunner().invoke(app, ["tournament", "status", str(place.path), "--json"]).stdout)

    assert text.index("Standings") < text.index("p99 ms")
    reports = raw["reports"]["bots"]
    assert {report["bot"] for report in reports} == {row["bot"] for row in raw["standings"]["bots"]}
    assert all(report["decisions"] and report["p50_us"] <= report["max_us"] for report in reports)
    assert raw["reports"]["all"]["matches"] == raw["total"]
