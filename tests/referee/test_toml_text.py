"""TOML of people: what the parser cannot bear is said in a sentence, and an editor's mark does no harm."""

from pathlib import Path

import pytest

from referee.config.keys import ConfigError
from referee.config.tournament import TournamentConfig, load_config
from referee.launch.manifest import ManifestError, load_manifest
from referee.toml_text import TomlError, parse_toml


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_whole_number_of_thousands_of_digits_is_refused(sign: str) -> None:
    with pytest.raises(TomlError, match="a whole number in it does not fit 64 bits"):
        parse_toml(f"a = [{{ b = {sign}{'9' * 5_000} }}]")


def test_one_in_hexadecimal_is_refused_by_its_key(tmp_path: Path) -> None:
    number = "0x" + "f" * 5_000
    for key in ("seed", "version", "cycles"):
        with pytest.raises(ConfigError, match=f"{key} = a value too large to be shown"):
            TournamentConfig.from_dict(parse_toml(f"{key} = {number}"))
    file = tmp_path / "bot.toml"
    file.write_text(f"name = 'bot'\nrun = ['true']\ntables_max = {number}", encoding="utf-8")
    with pytest.raises(ManifestError, match="tables_max = a value too large to be shown has to be"):
        load_manifest(file)


@pytest.mark.parametrize("text", ["a = " + "[" * 10_000, ".".join("a" * 1_000) + " = 1"])
def test_nesting_beyond_reason_is_refused(text: str) -> None:
    with pytest.raises(TomlError, match="nested too deeply"):
        parse_toml(text)


def test_tournament_and_bot_files_name_themselves_in_such_a_refusal(tmp_path: Path) -> None:
    file = tmp_path / "bot.toml"
    file.write_text(f"seed = {'9' * 5_000}", encoding="utf-8")

    with pytest.raises(ConfigError, match=r"bot\.toml: is not TOML: a whole number in it"):
        load_config(file)
    with pytest.raises(ManifestError, match=r"bot\.toml: is not TOML: a whole number in it"):
        load_manifest(file)


def test_a_byte_order_mark_does_no_harm_in_either(tmp_path: Path) -> None:
    cup, bot = tmp_path / "cup.toml", tmp_path / "bot.toml"
    cup.write_text("name = 'cup'", encoding="utf-8-sig")
    bot.write_text("name = 'bot'\nrun = ['true']", encoding="utf-8-sig")

    assert load_config(cup).name == "cup"
    assert load_manifest(bot).name == "bot"


def test_lists_are_shown_as_toml_writes_them() -> None:
    with pytest.raises(ConfigError, match=r'challengers = \["low"\] go with schedule = "gauntlet"'):
        TournamentConfig.from_dict({"challengers": ["low"]})
