"""Reading a tournament file, and saying what is wrong with one."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from referee.config import SECTIONS, ConfigError, TournamentConfig, config_template, load_config
from referee.records import Ruling, TimeControl

ROOT = Path(__file__).parents[2]
TWO_BOTS = '[[bot]]\npath = "bots/low"\n[[bot]]\nremote = true\nname = "far"\nowner = "ada"\n'


def config_of(text: str) -> TournamentConfig:
    return TournamentConfig.from_dict(tomllib.loads(text), where="cup.toml")


def test_an_empty_file_is_a_tournament_with_every_default() -> None:
    config = config_of("")

    assert (config.rules.name, config.cycles, config.board_sets, config.deals) == ("american", 1, None, 4)
    assert (config.seed, config.rated, config.workers) == (None, True, 0)
    assert config.clock == TimeControl()
    assert config.faults.ruling is Ruling.SUBSTITUTE
    assert (config.bots, config.house) == ((), ())


def test_the_template_says_exactly_the_defaults() -> None:
    assert config_of(config_template()) == config_of("")


def test_the_template_with_its_examples_switched_on_has_every_key() -> None:
    text = config_template()
    commented = re.findall(r"^# (\w+) = ", text, flags=re.MULTILINE)
    active = re.findall(r"^(\w+) = ", text, flags=re.MULTILINE)
    keys = [key.name for section, keys in SECTIONS.items() if section != "bot" for key in keys]

    assert sorted(commented + active) == sorted([*keys, "path"])


def test_the_examples_of_the_template_are_accepted() -> None:
    for section, keys in SECTIONS.items():
        for key in keys:
            if key.default is None:
                assert key.kind.accepts(key.example), (section, key.name)


def test_a_template_with_bots_enters_them() -> None:
    config = config_of(config_template(("a b/Żuraw", "low")))

    assert [str(bot.path) for bot in config.bots] == ["a b/Żuraw", "low"]


def test_every_key_is_documented_with_its_default() -> None:
    page = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    rows = {
        (section, key.name): "–" if key.default is None else f"`{json.dumps(key.default)}`"
        for section, keys in SECTIONS.items()
        for key in keys
    }
    documented = {}
    section = ""
    for line in page.splitlines():
        if heading := re.match(r"## .*`\[+(\w+)\]+`", line):
            section = heading[1]
        elif line.startswith("## ") and section:
            break
        if row := re.match(r"\| `(\w+)` \| (.*?) \|", line):
            documented[section, row[1]] = row[2]

    assert documented == rows


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("control_variate = 0", "cup.toml: control_variate = 0 has to be a number above 0, at most 1"),
        ("control_variate = true", "control_variate = true has to be a number above 0, at most 1"),
        (
            'control_variate = 0.3\nmatch = "target"',
            'cup.toml: control_variate = 0.3 cannot go with match = "target", where deals are not rated one by one',
        ),
        ("cycels = 2", "cup.toml: unknown key 'cycels'; did you mean 'cycles'?"),
        ("[clock]\nturn = 5", "cup.toml, [clock]: unknown key 'turn'; did you mean 'turn_ms'?"),
        ("cycles = true", "cup.toml: cycles = true has to be a whole number from 1 to 100000"),
        ("cycles = 0", "cup.toml: cycles = 0 has to be a whole number from 1 to 100000"),
        ('workers = "two"', 'cup.toml: workers = "two" has to be a whole number from 0 to 1024'),
        ('match = "best"', 'cup.toml: match = "best" has to be "cycle" or "target"'),
        ("show_names = 1", "cup.toml: show_names = 1 has to be true or false"),
        ("clock = 5", "cup.toml, [clock]: 5 has to be a table"),
        ("house = 0", "cup.toml, [house]: 0 has to be a table"),
        ("cycles = 2\nboard_sets = 9", "cup.toml: cycles = 2 and board_sets = 9 exclude each other: give one"),
        (
            "version = 2\nnew_key = 1",
            "cup.toml: version = 2, but this hearts-arena reads up to 1: install a newer one",
        ),
        ("version = 0", "cup.toml: version = 0 has to be a whole number from 1 to 1000"),
        ('rules = "americn"', 'cup.toml, rules: rules = "americn" is not allowed'),
        ("[rules]\ntarget = -5", "cup.toml, rules: target = -5 is not allowed"),
        ("bot = 3", "cup.toml: bot has to be a list of tables, each headed [[bot]] in double brackets"),
        ('[[bot]]\nname = "a"', "cup.toml, [[bot]] number 1: path is missing"),
        ("[[bot]]\nremote = true", "cup.toml, [[bot]] number 1: a remote bot needs a name"),
        ('[[bot]]\nremote = true\npath = "a"\nname = "a"', 'number 1: path = "a" cannot go with remote = true'),
        ('[[bot]]\npath = "a"\nname = " a"', 'name = " a" has to be one line of 1 to 40 characters'),
        ('[[bot]]\npath="a"\nname="x"\n[[bot]]\npath="b"\nname="x"', "the name 'x' is given to two bots"),
        ('[listen]\ntls_cert = "a.pem"', "cup.toml, [listen]: tls_cert and tls_key go together"),
        ("[house]\nbots = [1]", "cup.toml, [house]: bots = [1] has to be a list of folders"),
    ],
)
def test_what_is_wrong_is_said_with_file_key_and_value(text: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        config_of(text)

    assert sentence in str(raised.value)


def test_a_public_seed_makes_the_tournament_unrated_and_refuses_to_be_rated() -> None:
    assert config_of("seed = 7").rated is False
    assert config_of("seed = 7\nrated = false").rated is False
    assert config_of("rated = false").rated is False
    with pytest.raises(ConfigError, match="rated = true cannot go with seed = 7"):
        config_of("seed = 7\nrated = true")


def test_rules_may_change_a_preset() -> None:
    config = config_of('rules = { base = "american", target = 50 }\nmatch = "target"')

    assert (config.rules.target, config.rules.name, config.deals) == (50, "american (changed)", 0)


def test_paths_start_from_the_folder_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "über cup" / "cup.toml"
    file.parent.mkdir()
    file.write_text(
        TWO_BOTS + '[house]\nbots = ["low"]\n[listen]\ntls_cert = "c.pem"\ntls_key = "/k.pem"\n', encoding="utf-8"
    )

    config = load_config(file)

    assert config.bots[0].path == file.parent / "bots/low"
    assert config.house == (file.parent / "low",)
    assert (config.listen.tls_cert, config.listen.tls_key) == (file.parent / "c.pem", Path("/k.pem"))
    assert [bot.remote for bot in config.bots].count(True) == 1


def test_the_resolved_form_reads_back_to_an_equal_configuration_and_digest() -> None:
    for text in ("", TWO_BOTS, "seed = 7\nboard_sets = 10\nrules = 'spot'\n[clock]\nturn_ms = 5\n" + TWO_BOTS):
        config = config_of(text)

        again = TournamentConfig.from_dict(json.loads(json.dumps(config.to_dict())))

        assert again == config
        assert again.digest() == config.digest()


def test_the_digest_tells_what_is_played_and_not_where() -> None:
    config = config_of(TWO_BOTS)
    elsewhere = replace(config, workers=7, tables=1, processes_max=9, rank_by="points", salt="drawn later")
    moved = replace(config, bots=(replace(config.bots[0], path=Path("/other/low")), config.bots[1]))

    assert elsewhere.digest() == config.digest()
    assert moved.digest() == config.digest()
    assert replace(config, cycles=2).digest() != config.digest()
    assert config_of("rules = { base = 'american', target = 50 }\n" + TWO_BOTS).digest() != config.digest()
    assert replace(config, clock=TimeControl(turn_ms=1)).digest() != config.digest()
    assert replace(config, control_variate=0.3).digest() != config.digest(), "it is fixed before the first deal"


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b"name = '\xff'")
    broken = tmp_path / "broken.toml"
    broken.write_text("name = ", encoding="utf-8")

    for path, sentence in (
        (tmp_path / "none.toml", "no such file; `hearts tournament init"),
        (tmp_path, "is a folder"),
        (bad, "is not UTF-8 text (byte 8)"),
        (broken, "is not TOML: "),
    ):
        with pytest.raises(ConfigError) as raised:
            load_config(path)
        assert str(raised.value).startswith(f"{path}: {sentence}")


def test_a_table_has_to_fit_into_the_processes_allowed() -> None:
    with pytest.raises(ConfigError, match="processes_max = 3 is too few for one table of american, which seats 4"):
        TournamentConfig.from_dict({"processes_max": 3})
