from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from referee.cli.errors import Failure
from referee.cli.main import app
from referee.cli.rules_option import rules_with
from referee.rules.presets import PRESETS, preset
from referee.rules.ruleset import PARAMETERS
from tests.referee.rules.test_ruleset import ILLEGAL


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["rules", *arguments])
    return result.exit_code, result.stdout, result.stderr.removeprefix("error: ")


def test_list_names_every_preset_and_how_it_differs() -> None:
    code, text, _ = run("list")
    assert code == 0
    assert all(name in text for name in PRESETS)
    presets = json.loads(run("list", "--json")[1])["presets"]
    assert [entry["name"] for entry in presets] == list(PRESETS)
    assert next(e for e in presets if e["name"] == "omnibus")["differs"] == {"bonuses": {"JD": -10}}


def test_show_gives_every_parameter_and_what_follows_from_them() -> None:
    code, text, _ = run("show", "five")
    assert code == 0
    assert "removed                2C 2D\n" in text
    assert "hand_size              10\n" in text
    shown = json.loads(run("show", "five", "--json")[1])
    assert shown["rules"] == preset("five").to_dict()
    assert (shown["schema"], shown["digest"]) == (1, preset("five").digest())


def test_diff_shows_what_differs_and_nothing_else() -> None:
    code, text, _ = run("diff", "dutch", "spruce")
    assert code == 0
    assert [line.split()[0] for line in text.splitlines()] == [
        "dutch",
        "hearts_broken_by",
        "queen_breaks",
        "moon",
        "tie_break",
    ]
    assert json.loads(run("diff", "short", "long", "--json")[1])["differs"] == {"target": [50, 200]}
    assert "are the same rules" in run("diff", "dutch", "dutch")[1]


def test_check_accepts_a_file_that_starts_from_a_preset(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(
        'base = "omnibus"\ntarget = 50\nscore_floor = "none"\npass_cycle = [1, 0]\n[penalties]\nQS = 20\n'
    )
    code, text, _ = run("check", str(file))
    assert (code, "ours can be played: 4 seats, 13 cards each" in text) == (0, True)
    checked = json.loads(run("check", str(file), "--json")[1])
    assert checked["playable"]
    assert checked["rules"]["penalties"] == {"QS": 20}
    assert run("show", str(file))[0] == 0
    code, text, _ = run("diff", "omnibus", str(file))
    assert "target" in text


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.toml", "seats = 9", "seats = 9 is not allowed: give a whole number from 3 to 7"),
        ("a.toml", "tarket = 9", "tarket = 9 is not allowed: there is no such parameter; did you mean target?"),
        ("a.toml", "seats = = 9", "it cannot be used: is not TOML"),
        ("a.toml", f"seats = {'9' * 5000}", "a whole number in it does not fit 64 bits"),
        ("a.json", '{"seats": true}', "seats = true is not allowed: give a whole number"),
        ("a.json", f'{{"seats": {"9" * 5000}}}', "a whole number in it has thousands of digits"),
        ("a.json", "[1]", "it holds no table"),
        ("a.json", "[" * 100_000, "it is no TOML or JSON"),
        ("a.toml", 'base = "spruec"', "did you mean spruce?"),
    ],
)
def test_check_refuses_with_one_sentence_that_names_file_and_key(
    tmp_path: Path, name: str, content: str, sentence: str
) -> None:
    file = tmp_path / name
    file.write_text(content)
    code, text, error = run("check", str(file))
    assert (code, text) == (2, "")
    assert error.startswith(f"{file}: ")
    assert sentence in error
    assert len(error.splitlines()) == 1
    code, text, _ = run("check", str(file), "--json")
    assert (code, json.loads(text)["playable"], json.loads(text)["ok"]) == (2, False, False)


@pytest.mark.parametrize(
    ("given", "key", "allowed"), ILLEGAL, ids=[f"{next(iter(g))}-{i}" for i, (g, *_) in enumerate(ILLEGAL)]
)
def test_every_illegal_value_in_a_file_is_one_sentence_with_key_and_what_is_allowed(
    given: dict[str, Any], key: str, allowed: str, tmp_path: Path
) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(toml_text(given))
    code, text, error = run("check", str(file))
    assert (code, text) == (2, "")
    assert error.startswith(f"{file}: {key} = ")
    assert " is not allowed: " in error or "there is no such parameter" in error
    assert_one_sentence(error, allowed)


@pytest.mark.parametrize(
    ("given", "key", "allowed"), ILLEGAL, ids=[f"{next(iter(g))}-{i}" for i, (g, *_) in enumerate(ILLEGAL)]
)
def test_every_illegal_value_in_a_tournament_file_is_one_sentence_with_key_and_what_is_allowed(
    given: dict[str, Any], key: str, allowed: str, tmp_path: Path
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f"rules = {inline(given)}\n")
    result = CliRunner().invoke(app, ["config", "check", str(file)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {file}, rules: {key} = ")
    assert_one_sentence(result.stderr, allowed)


def test_at_least_forty_kinds_of_illegal_values_are_tried_over_every_parameter() -> None:
    assert len({(key.partition(".")[0], allowed) for _, key, allowed in ILLEGAL}) >= 40
    assert set(PARAMETERS) <= {key for given, *_ in ILLEGAL for key in given}


def toml_text(given: dict[str, Any]) -> str:
    """A file that gives these values; `None` as the text `null`, since TOML has no such value."""
    return "".join(f"{key} = {inline(value)}\n" for key, value in given.items())


def inline(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{key} = {inline(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(inline, value)) + "]"
        case int() if not isinstance(value, bool) and value.bit_length() > 10_000:
            return hex(value)
        case float() | dt.date() | dt.time():
            return str(value)
        case None:
            return '"null"'
        case _:
            return json.dumps(value)


def assert_one_sentence(error: str, allowed: str) -> None:
    assert allowed in error
    assert error.endswith("\n")
    assert error.removesuffix("\n").isprintable()
    assert "Traceback" not in error


@pytest.mark.parametrize("name", PRESETS)
def test_every_rule_set_is_shown_in_80_columns(name: str) -> None:
    code, text, _ = run("show", name)

    assert code == 0
    assert preset(name).digest() in text
    assert [line for line in text.splitlines() if len(line) > 80] == []


def test_bytes_that_are_no_text_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_bytes(b"\xff\xfe")
    assert run("check", str(file))[0] == 2
    code, _, error = run("check", str(tmp_path / "none.toml"))
    assert (code, "cannot be read" in error) == (2, True)


@pytest.mark.parametrize(
    ("name", "content", "rules_name"),
    [
        ("n" * 100 + ".toml", b"target = 50", "n" * 64),
        ("two\nlines.toml", b"target = 50", "custom"),
        ("marked.toml", b"\xef\xbb\xbftarget = 50", "marked"),
        ("LOUD.JSON", b'{"target": 50}', "LOUD"),
        ("named.toml", b"name = 'ours'\ntarget = 50", "ours"),
    ],
)
def test_a_file_of_any_name_gives_its_rules_a_name(
    name: str, content: bytes, rules_name: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)

    shown = json.loads(run("show", str(tmp_path / name), "--json")[1])

    assert (shown["rules"]["name"], shown["rules"]["target"]) == (rules_name, 50)


def test_the_option_names_the_file_that_cannot_be_used(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    with pytest.raises(Failure, match=re.escape(f"{file}: it cannot be read")):
        rules_with(str(file), [])
    file.write_text("target = 0")
    with pytest.raises(Failure, match=re.escape(f"{file}: target = 0 is not allowed")):
        rules_with(str(file), ["target=5"])


def test_the_option_changes_a_preset_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('base = "omnibus"')

    assert rules_with("omnibus", None) is preset("omnibus")
    for name in ("omnibus", str(file)):
        rules = rules_with(name, ["target=50", "moon=choice"])
        assert (rules.target, rules.moon, rules.bonuses) == (50, "choice", preset("omnibus").bonuses)
        assert rules.name == f"{Path(name).stem} (changed)"


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    assert run("show", "amercan")[::2] == (
        2,
        'rules = "amercan" is not allowed: there is no such rule set; did you mean american?\n',
    )
    assert run("diff", "american", "shrot")[0] == 2
