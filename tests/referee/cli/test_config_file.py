"""A tournament file may name sample bots instead of showing to their folders."""

from __future__ import annotations

from pathlib import Path

from referee.cli.assets import bundled_bots
from referee.cli.config_file import read_config


def cup(folder: Path, *bots: str, house: str = "low") -> Path:
    entries = "".join(f'[[bot]]\npath = "{bot}"\n' for bot in bots)
    file = folder / "cup.toml"
    file.write_text(f'[house]\nbots = ["{house}"]\n{entries}[[bot]]\nremote = true\nname = "far"\n')
    return file


def test_a_bare_name_means_a_sample_bot_unless_there_is_such_a_folder(tmp_path: Path) -> None:
    (tmp_path / "moon").mkdir()

    config = read_config(cup(tmp_path, "duck", "moon", "swan", "bots/duck"))

    assert [bot.path for bot in config.bots] == [
        bundled_bots()["duck"],
        tmp_path / "moon",
        tmp_path / "swan",
        tmp_path / "bots/duck",
        None,
    ]
    assert config.house == (bundled_bots()["low"],)


def test_the_name_of_a_sample_bot_does_not_change_what_is_played(tmp_path: Path) -> None:
    by_name = read_config(cup(tmp_path, "duck"))
    by_folder = read_config(cup(tmp_path, str(bundled_bots()["duck"]), house=str(bundled_bots()["low"])))

    assert by_name == by_folder
