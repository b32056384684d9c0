"""`hearts tournament balance`: a schedule counted through before it is played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app


def bot(folder: Path, name: str, owner: str = "") -> str:
    (folder / name).mkdir()
    text = f'name = "{name}"\nowner = "{owner}"\nrun = ["python", "bot.py"]\n'
    (folder / name / "bot.toml").write_text(text, encoding="utf-8")
    return f'[[bot]]\npath = "{name}"\n'


def balance(tmp_path: Path, text: str, *options: str) -> Result:
    file = tmp_path / "cup.toml"
    file.write_text(text, encoding="utf-8")
    return CliRunner().invoke(app, ["tournament", "balance", str(file), *options])


def test_every_pair_meets_equally_often_and_every_seat_is_sat_in(tmp_path: Path) -> None:
    bots = "".join(bot(tmp_path, name) for name in "abcde")

    done = balance(tmp_path, bots, "--json")

    data = json.loads(done.stdout)
    spreads = {count["count"]: (count["min"], count["max"]) for count in data["counts"]}
    assert (data["entrants"], data["matches"], data["deals"]) == (5, data["board_sets"] * 4, data["matches"] * 4)
    assert all(low == high for low, high in spreads.values()), spreads
    assert data["estimated_s"] > 0


def test_text_ends_with_the_time_it_will_take(tmp_path: Path) -> None:
    bots = "".join(bot(tmp_path, name) for name in "abcd")

    done = balance(tmp_path, f"workers = 2\nboard_sets = 3\n{bots}", "--deal-ms", "1000")

    assert done.exit_code == 0
    assert done.stdout.startswith("4 entrants, ")
    assert done.stdout.endswith("12 matches, 48 deals: about 24s with 2 workers and 1000 ms a deal\n")
    assert [line for line in done.stdout.splitlines() if len(line) > 80] == []


def test_a_table_with_a_remote_bot_is_played_once(tmp_path: Path) -> None:
    bots = "".join(bot(tmp_path, name) for name in "abcdefg")
    far = '[[bot]]\nremote = true\nname = "far"\n'

    done = balance(tmp_path, bots + far)
    data = json.loads(balance(tmp_path, bots + far, "--json").stdout)

    assert data["board_sets"] < data["matches"] < 4 * data["board_sets"]
    assert "board sets with a remote bot are played once" in done.stderr


def test_a_match_to_the_target_has_no_known_length(tmp_path: Path) -> None:
    bots = "".join(bot(tmp_path, name) for name in "abcd")

    done = balance(tmp_path, f'match = "target"\n{bots}')
    data = json.loads(balance(tmp_path, f'match = "target"\n{bots}', "--json").stdout)

    assert done.stdout.endswith("matches, each to 100 points\n")
    assert (data["deals"], data["estimated_s"]) == (None, None)


def test_bots_of_one_owner_that_meet_are_named(tmp_path: Path) -> None:
    bots = bot(tmp_path, "a", "ada") + bot(tmp_path, "b", "ada") + bot(tmp_path, "c") + bot(tmp_path, "d")

    assert "ada: a and b" in balance(tmp_path, "owners_apart = true\n" + bots).stdout
    assert "had to meet" not in balance(tmp_path, "owners_apart = false\n" + bots).stdout


@pytest.mark.parametrize(
    ("names", "sentence"),
    [("ab", "enter 2 more bots, or name as many in `[house] bots`"), ("", "enter at least one bot")],
)
def test_too_few_bots_are_refused_with_what_to_do(names: str, sentence: str, tmp_path: Path) -> None:
    done = balance(tmp_path, "".join(bot(tmp_path, name) for name in names))

    assert done.exit_code == 2
    assert sentence in done.stderr


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    done = balance(tmp_path, '[[bot]]\npath = "nowhere"\n')

    assert done.exit_code == 2
    assert f"{tmp_path}/nowhere" in done.stderr


@pytest.mark.parametrize(
    ("lines", "matches"),
    [
        ('schedule = "swiss"\nrounds = 3', 12),
        ('schedule = "knockout"\ngroup_board_sets = 2', 8),
        ('schedule = "gauntlet"\nchallengers = ["bot0"]\nboard_sets = 2', 8),
        ('schedule = "duel"\nboard_sets = 3', 6),
    ],
)
def test_every_kind_of_schedule_is_counted_through(tmp_path: Path, lines: str, matches: int) -> None:
    bots = "".join(bot(tmp_path, f"bot{number}") for number in range(4))

    done = balance(tmp_path, f"{lines}\n{bots}", "--json")

    assert json.loads(done.stdout)["matches"] == matches
