"""`hearts play` as a process: the same seed gives the same match, and bad input gets its sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from referee.cli.play_command import result_table
from referee.record_json import comparable, record_from_json
from referee.records import Ruling
from tests.referee.cli.matches import late, play_match

ROOT = Path(__file__).parents[3]
BOTS = ROOT / "sample_bots/python"
HEARTS = str(Path(sys.executable).with_name("hearts"))


def play(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([HEARTS, "play", *arguments], cwd=cwd, capture_output=True, text=True, timeout=100)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_deals_and_of_deterministic_bots_the_same_record(tmp_path: Path) -> None:
    bots = [str(BOTS / name) for name in ("counter", "duck", "low", "random")]
    records = []
    for name in ("first.json", "second.json"):
        done = play(*bots, "--deals", "40", "--seed", "7", "--record", name, "--json", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["deals"] == 40
        records.append(record_from_json((tmp_path / name).read_bytes().strip()))

    first, second = records
    assert [deal.hands for deal in first.deals] == [deal.hands for deal in second.deals]
    assert comparable(first) == comparable(second)
    assert first.faults == ()


def bot_folder(tmp_path: Path, text: str) -> str:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text(text)
    return str(folder)


def test_too_few_bots_are_told_how_many_are_missing(tmp_path: Path) -> None:
    done = play(str(BOTS / "duck"), cwd=tmp_path)

    assert done.returncode == 2
    assert "american is played by 4, 1 bot given" in done.stderr


def test_a_run_command_that_does_not_exist_is_named(tmp_path: Path) -> None:
    mine = bot_folder(tmp_path, 'name = "mine"\nrun = ["no-such-program"]\n')
    done = play(mine, *[str(BOTS / "low")] * 3, cwd=tmp_path)

    assert done.returncode == 4
    assert "no-such-program" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bot_that_ends_before_its_hello_is_shown_with_its_last_words(tmp_path: Path) -> None:
    script = "import sys; sys.exit('the model file is missing')"
    mine = bot_folder(tmp_path, f'name = "mine"\nrun = ["python", "-c", {json.dumps(script)}]\n')
    done = play(mine, *[str(BOTS / "low")] * 3, cwd=tmp_path)

    assert done.returncode == 2
    assert "mine: it exited with code 1 before it said hello" in done.stderr
    assert "the model file is missing" in done.stderr


def test_listening_beyond_this_machine_without_a_certificate_is_refused(tmp_path: Path) -> None:
    done = play(*[str(BOTS / "low")] * 3, "--listen", "0.0.0.0:0", cwd=tmp_path)

    assert done.returncode == 2
    assert "give a TLS certificate (`hearts cert` makes one)" in done.stderr


@pytest.mark.parametrize("name", ["n" * 40, "日本語の名前" * 6])
def test_the_table_of_a_match_fits_in_80_columns_whatever_the_names(name: str) -> None:
    played = play_match(
        bots=(name, "low", "b", "c"), misdeeds={30: late, 34: late, 38: late}, ruling=Ruling.FORFEIT
    )
    lines = result_table(played, 7).splitlines()

    assert len({cell_len(line) for line in lines[3:7]}) == 1, "the columns are below each other"
    assert max(len(line) for line in lines) <= 80


def test_the_table_says_from_which_deal_on_a_bot_was_on_autopilot() -> None:
    played = play_match(misdeeds={1: late}, ruling=Ruling.FORFEIT)

    table = result_table(played, seed=7)

    assert f"autopilot: the referee played for {played.spec.bots[played.faults[0].seat]} from deal 1 on" in table
    assert "autopilot" not in result_table(play_match(), seed=7)


def test_a_bot_on_autopilot_that_is_placed_last_in_spite_of_its_score_is_said_to_be() -> None:
    played = play_match(misdeeds={1: late}, ruling=Ruling.FORFEIT)
    offender = played.faults[0].seat
    totals = [50, 50, 50, 50]
    better = replace(played, totals=tuple(40 if seat == offender else total for seat, total in enumerate(totals)))

    assert "from deal 1 on, and it is placed last whatever its score" in " ".join(
        result_table(better, seed=7).split()
    )
    assert "placed last" not in result_table(replace(played, totals=tuple(totals)), seed=7)
