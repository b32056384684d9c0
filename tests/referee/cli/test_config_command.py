"""`hearts config` and `hearts tournament init`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.assets import bot_folder
from referee.cli.main import app
from referee.config import load_config

CUP = 'name = "Cup"\nseed = 7\n[[bot]]\npath = "mine"\n[[bot]]\nremote = true\nname = "far"\n'


def cup(tmp_path: Path) -> str:
    file = tmp_path / "cup.toml"
    file.write_text(CUP, encoding="utf-8")
    return str(file)


def test_show_says_in_short_what_will_be_played(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["config", "show", cup(tmp_path)])

    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "Cup: round-robin, 1 cycle, 4 deals a match, not rated",
        "rules   american, 4 seats",
        "seed    7 (public seed)",
        "clock   1000 ms a turn, 5000 ms bank",
        "faults  substitute, 3 a match",
        f"bots    {tmp_path}/mine",
        "        far (remote)",
    ]
    assert done.stderr.startswith("digest ")


def test_show_resolved_lists_every_key(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["config", "show", "--resolved", "--quiet", cup(tmp_path)])

    lines = done.stdout.splitlines()
    assert {"rules.target = 100", "clock.turn_ms = 1000", "rated = false", 'bot[2].name = "far"'} <= set(lines)
    assert done.stderr == ""


def test_show_in_json_can_be_read_back(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["config", "show", "--json", cup(tmp_path)])

    data = json.loads(done.stdout)
    config = load_config(tmp_path / "cup.toml")
    assert data == {"schema": 1, "config": config.to_dict(), "digest": config.digest()}


def test_check_says_what_is_wrong_and_says_it_as_json_too(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text("cycels = 2", encoding="utf-8")

    faulty = CliRunner().invoke(app, ["config", "check", str(file)])
    told = CliRunner().invoke(app, ["config", "check", str(file), "--json"])

    assert (faulty.exit_code, told.exit_code) == (2, 2)
    assert faulty.stderr == told.stderr == f"error: {file}: unknown key 'cycels'; did you mean 'cycles'?\n"
    assert (json.loads(told.stdout)["ok"], "cycels" in json.loads(told.stdout)["message"]) == (False, True)


def test_init_writes_a_file_that_check_accepts(tmp_path: Path) -> None:
    file = tmp_path / "new.toml"
    bots = ["--bot", "low", "--bot", "duck", "--bot", "moon"]

    made = CliRunner().invoke(app, ["tournament", "init", str(file), "--bot", "a", *bots])
    missing = CliRunner().invoke(app, ["config", "check", str(file)])
    (tmp_path / "a").symlink_to(bot_folder(Path("random")))
    checked = CliRunner().invoke(app, ["config", "check", "--json", str(file)])

    assert (made.exit_code, made.stdout) == (0, "")
    assert f"a: there is no {tmp_path / 'a' / 'bot.toml'} yet" in made.stderr
    assert made.stderr.count("there is no") == 1
    assert f"wrote {file}: `hearts tournament run {file}`" in made.stderr
    assert (missing.exit_code, str(tmp_path / "a") in missing.stderr) == (2, True)
    assert (json.loads(checked.stdout)["ok"], json.loads(checked.stdout)["bots"]) == (True, 4)
    quiet = CliRunner().invoke(app, ["config", "check", "--quiet", str(file)])
    assert "can be used, 4 bots entered" in quiet.stdout
    assert load_config(file).name == "new"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "3 bots and 0 house bots for a table of 4: enter 1 more bot, or name as many in `[house] bots`"),
        ('[[bot]]\npath = "nosuchbot"\n', "nosuchbot"),
        ('[[bot]]\npath = "low"\n', "two bots are named 'low'"),
        ('[[bot]]\npath = "random"\n#anchor = "nobody"', "anchor: 'nobody' is no bot of this file"),
        ('[[bot]]\npath = "random"\n#challengers = ["nobody"]\nschedule = "gauntlet"', "challengers: 'nobody'"),
        ('[[bot]]\npath = "random"\n#challengers = ["low", "duck"]\nschedule = "gauntlet"', "a field of 2"),
    ],
)
def test_a_file_that_no_table_can_be_filled_from_is_refused_before_anything_is_made(
    text: str, said: str, tmp_path: Path
) -> None:
    bots, _, keys = text.partition("#")
    three = "".join(f'[[bot]]\npath = "{name}"\n' for name in ("low", "duck", "moon"))
    file = tmp_path / "cup.toml"
    file.write_text(f"{keys}\n{three}{bots}", encoding="utf-8")

    for command in (["config", "check"], ["tournament", "run"], ["tournament", "commit"]):
        done = CliRunner().invoke(app, [*command, str(file)])

        assert (done.exit_code, done.stdout) == (2, "")
        assert said in done.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"]


def test_init_never_overwrites(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["tournament", "init", cup(tmp_path)])

    assert done.exit_code == 2
    assert "exists already" in done.stderr
    assert (tmp_path / "cup.toml").read_text(encoding="utf-8") == CUP


def test_the_command_that_init_names_can_be_pasted(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    done = CliRunner().invoke(app, ["tournament", "init", str(tmp_path / "a b/cup.toml")])

    assert f"`hearts tournament run '{tmp_path}/a b/cup.toml'`" in done.stderr


@pytest.mark.parametrize("path", ["x" * 4_000, "/".join(["x" * 99] * 40)], ids=["name", "path"])
def test_a_path_of_thousands_of_characters_is_shown_by_its_place_and_beginning(tmp_path: Path, path: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f'[[bot]]\npath = "low"\n[[bot]]\npath = "{path}"\n', encoding="utf-8")

    for command in (("config", "check"), ("tournament", "run")):
        done = CliRunner().invoke(app, [*command, str(file)])

        assert done.exit_code == 2
        assert f'{file}, [[bot]] number 2: path = "/' in done.stderr
        assert "...: no such folder or file" in done.stderr
        assert len(done.stderr) < 500
