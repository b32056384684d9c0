from __future__ import annotations

import dataclasses
import datetime as dt
import json
import pickle
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from referee.rules.presets import PRESETS, preset, preset_entry, rules_from, with_settings
from referee.rules.ruleset import PARAMETERS, Moon, RulesError, RuleSet
from referee.wire.rules_codec import rules_dict, rules_message
from tests.oracle.strategies import rule_sets

TWO_PACKS = {"packs": 2, "seats": 8}
NO_HEARTS = [rank + "H" for rank in "23456789TJQKA"]
NO_CLUBS = [rank + "C" for rank in "23456789TJQKA"]

# What a file of rules may say, the parameter that is named, and a part of what is allowed.
ILLEGAL: list[tuple[dict[str, Any], str, str]] = [
    ({"seat": 4}, "seat", "did you mean seats?"),
    ({"moon_point": 26}, "moon_point", "did you mean moon_points?"),
    ({"zzz": 1}, "zzz", "there are seats, packs"),
    ({"seats": 2}, "seats", "3 to 7"),
    ({"seats": 8}, "seats", "3 to 7"),
    ({"seats": 5, "packs": 2}, "seats", "6 to 11"),
    ({"seats": 12, "packs": 2}, "seats", "6 to 11"),
    ({"seats": True}, "seats", "whole number"),
    ({"seats": 4.0}, "seats", "whole number"),
    ({"seats": "4"}, "seats", "whole number"),
    ({"seats": None}, "seats", "whole number"),
    ({"packs": 0}, "packs", "1 to 2"),
    ({"packs": 3}, "packs", "1 to 2"),
    ({"packs": True}, "packs", "1 to 2"),
    ({"removed": "2D"}, "removed", "give a list"),
    ({"removed": ["1D"]}, "removed", "rank and a suit"),
    ({"removed": ["2d"]}, "removed", "rank and a suit"),
    ({"removed": [14]}, "removed", "rank and a suit"),
    ({"removed": ["2D", "2D", "3D", "4D"]}, "removed", "once"),
    ({"removed": [r + s for s in "CDHS" for r in "23456789TJQKA"][:50]}, "removed", "at least one card"),
    ({"removed": ["2C", "2D", "2S"], "seats": 6}, "leftover", "49 cards do not divide"),
    ({"seats": 5}, "leftover", "give widow"),
    ({"leftover": "kitty"}, "leftover", "none, widow"),
    ({"leftover": None}, "leftover", "none, widow"),
    ({"pass_count": -1}, "pass_count", "0 to"),
    ({"pass_count": 14}, "pass_count", "0 to 13"),
    ({"pass_count": "three"}, "pass_count", "whole number"),
    ({"pass_cycle": []}, "pass_cycle", "at least one"),
    ({"pass_cycle": 1}, "pass_cycle", "give a list"),
    ({"pass_cycle": [4]}, "pass_cycle", "-3 to 3"),
    ({"pass_cycle": [-4]}, "pass_cycle", "-3 to 3"),
    ({"pass_cycle": ["left"]}, "pass_cycle", "whole number"),
    ({"pass_cycle": [True]}, "pass_cycle", "whole number"),
    ({"pass_cycle": [1, 3], "seats": 3, "removed": ["2D"]}, "pass_cycle", "-2 to 2"),
    ({"first_lead": "two_of_clubs"}, "first_lead", "lowest_club, left_of_dealer"),
    ({"removed": [*NO_CLUBS, "2D", "3D", "4D"]}, "first_lead", "left_of_dealer"),
    ({"first_trick": "none"}, "first_trick", "no_penalty, queen_allowed, free"),
    ({"first_trick_exception": "any"}, "first_trick_exception", "all_penalty_any"),
    ({"hearts_must_break": 1}, "hearts_must_break", "true or false"),
    ({"hearts_must_break": "yes"}, "hearts_must_break", "true or false"),
    ({"hearts_broken_by": "heart"}, "hearts_broken_by", "heart_discarded"),
    ({"queen_breaks": True}, "queen_breaks", "never, discarded, played"),
    ({"lead_exception": "none"}, "lead_exception", "only_hearts"),
    ({"queen_lead": "never"}, "queen_lead", "after_broken"),
    ({"heart_values": "spot"}, "heart_values", "unit, rank"),
    ({"penalties": ["QS"]}, "penalties", "table from card to points"),
    ({"penalties": {"QX": 13}}, "penalties.QX", "rank and a suit"),
    ({"penalties": {"QS": 0}}, "penalties.QS", "1 to"),
    ({"penalties": {"QS": -13}}, "penalties.QS", "1 to"),
    ({"penalties": {"QS": 13.5}}, "penalties.QS", "whole number"),
    ({"penalties": {"5H": 5}}, "penalties.5H", "heart_values"),
    ({"bonuses": {"JD": 10}}, "bonuses.JD", "to -1"),
    ({"bonuses": {"JD": 0}}, "bonuses.JD", "to -1"),
    ({"bonuses": {"QS": -5}}, "bonuses.QS", "either a penalty or a bonus"),
    ({"bonuses": {"5H": -5}}, "bonuses.5H", "heart_values"),
    ({"moon": "both"}, "moon", "add, subtract, choice, none"),
    ({"moon": False}, "moon", "add, subtract, choice, none"),
    ({"moon_needs": "all"}, "moon_needs", "all_penalty_cards"),
    ({"moon_points": 0}, "moon_points", "deal_total or"),
    ({"moon_points": "26"}, "moon_points", "deal_total or"),
    ({"moon_points": True}, "moon_points", "deal_total or"),
    ({"moon_choice_default": "choice"}, "moon_choice_default", "add, subtract"),
    ({"target": 0}, "target", "1 to"),
    ({"target": -100}, "target", "1 to"),
    ({"target": 99.5}, "target", "whole number"),
    ({"removed": [*NO_HEARTS, "2C", "2D", "2S"], "penalties": {}}, "target", "no score can reach it"),
    ({"removed": [*NO_HEARTS, "2C", "2D", "2S"], "moon": "subtract"}, "target", "no score can reach it"),
    ({"score_floor": 1}, "score_floor", "to 0"),
    ({"score_floor": False}, "score_floor", "whole number"),
    ({"tie_break": "coin"}, "tie_break", "all_play_on, tied_hand, shared"),
    ({"max_deals": 0}, "max_deals", "1 to"),
    ({"max_deals": "16"}, "max_deals", "whole number"),
    ({"cancellation": "yes"}, "cancellation", "true or false"),
    ({"last_trick_cancelled": "nobody"}, "last_trick_cancelled", "void"),
    ({"name": ""}, "name", "1 to 64"),
    ({"name": 7}, "name", "1 to 64"),
    ({"name": "two\nlines"}, "name", "1 to 64"),
    ({"target": float("nan")}, "target", "whole number"),
    ({"target": 10**5000}, "target", "1 to 1000000"),
    ({"target": dt.date(1979, 5, 27)}, "target", "whole number"),
    ({"max_deals": dt.time(7, 32)}, "max_deals", "whole number"),
    ({"penalties": {"QS": {"points": 13}}}, "penalties.QS", "whole number"),
    ({"penalties": {"QS": 10_001}}, "penalties.QS", "1 to 10000"),
    ({"pass_cycle": [[1, -1]]}, "pass_cycle", "whole number"),
    ({"pass_cycle": {"left": 1}}, "pass_cycle", "give a list"),
    ({"removed": {"2D": 1}}, "removed", "give a list"),
    ({"removed": [["2D"]]}, "removed", "rank and a suit"),
]


@pytest.mark.parametrize(
    ("given", "key", "allowed"), ILLEGAL, ids=[f"{next(iter(g))}-{i}" for i, (g, *_) in enumerate(ILLEGAL)]
)
def test_what_cannot_be_played_is_refused_with_key_value_and_what_is_allowed(
    given: dict[str, Any], key: str, allowed: str
) -> None:
    with pytest.raises(RulesError) as refusal:
        RuleSet.from_dict(given)
    message = str(refusal.value)
    assert refusal.value.key == key
    assert message.startswith(f"{key} = ")
    assert allowed in message
    assert "\n" not in message


def test_a_list_of_the_wrong_type_is_refused_by_the_constructor_too() -> None:
    with pytest.raises(RulesError, match="give a tuple"):
        RuleSet(name="x", pass_cycle=[1])  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="give cards"):
        RuleSet(name="x", removed=("2D",))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_says_exactly_what_its_file_says(name: str) -> None:
    rules = preset(name)
    written = rules.to_dict()
    assert written == {"name": name, **preset_entry(name)["rules"]}
    assert RuleSet.from_dict(json.loads(json.dumps(written))) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_there_are_35_presets_and_all_but_the_same_rules_under_two_names_differ() -> None:
    assert len(PRESETS) == 35
    assert len({preset(name).digest() for name in PRESETS}) == 35


def test_the_defaults_are_the_base_game() -> None:
    assert RuleSet(name="american") == preset("american")
    assert set(PARAMETERS) == set(preset_entry("american")["rules"])


def test_the_digest_ignores_the_name_and_the_order_of_removed_cards() -> None:
    five = preset("five")
    other = dataclasses.replace(five, name="other", removed=five.removed[::-1])
    assert other.digest() == five.digest()
    assert dataclasses.replace(five, target=99).digest() != five.digest()


def test_enumerated_parameters_may_be_given_by_their_text() -> None:
    assert RuleSet(name="x", moon="choice").moon is Moon.CHOICE  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "hand_size", "widow_size", "deal_total"),
    [("american", 13, 0, 26), ("spot", 13, 0, 117), ("black-maria", 13, 0, 43), ("cancellation-7", 14, 6, 52)],
)
def test_derived_sizes(name: str, hand_size: int, widow_size: int, deal_total: int) -> None:
    rules = preset(name)
    assert (rules.hand_size, rules.widow_size, rules.deal_total) == (hand_size, widow_size, deal_total)


def test_a_value_for_a_card_that_is_not_in_play_has_no_effect() -> None:
    rules = RuleSet.from_dict({"removed": ["QS", "2D", "2C", "3C"]})
    assert rules.deal_total == 13


def test_an_unknown_name_gets_the_nearest_one() -> None:
    with pytest.raises(RulesError, match="did you mean omnibus"):
        preset("omnibuss")


def test_a_table_may_start_from_a_preset() -> None:
    rules = rules_from({"base": "omnibus", "target": 50})
    assert rules == dataclasses.replace(preset("omnibus"), name="omnibus (changed)", target=50)


@pytest.mark.parametrize("value", [None, 7, ["american"]])
def test_what_is_neither_a_name_nor_a_table_is_refused(value: object) -> None:
    with pytest.raises(RulesError, match="name of a preset or a table"):
        rules_from(value)


def test_settings_change_single_parameters() -> None:
    rules = with_settings(preset("omnibus"), ["target=50", "pass_cycle=[1,-1]", "moon=choice", 'bonuses={"TD":-5}'])
    assert (rules.target, rules.pass_cycle, rules.moon, rules.bonuses) == (50, (1, -1), Moon.CHOICE, ((22, -5),))
    assert with_settings(rules, []) is rules


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("target", "KEY=VALUE"),
        ("", "KEY=VALUE"),
        ("=50", "there is no such parameter"),
        ("tarket=50", "did you mean target"),
        ("name=mine", "there is no such parameter"),
        ("target=fifty", "whole number"),
        ("target=", "whole number"),
        ("target=1e2", "whole number"),
        ("target=NaN", "whole number"),
        ("target=1979-05-27", 'target = "1979-05-27" is not allowed'),
        ("target=0x" + "f" * 10_000, "target = a int too large to be shown is not allowed"),
        ("target=1\nseats = 3", "whole number"),
        ("removed=[2D]", "give a list"),
        ("removed=" + "[" * 50_000, "give a list"),
        ("removed=2D", "give a list"),
        ("pass_cycle=[[1]]", "whole number"),
        ("penalties=13", "table from card to points"),
        ("penalties={QS=13", "table from card to points"),
        ("moon=Add", "choose one of add"),
        ("score_floor=\0", "whole number"),
        ("tar\nget=1", "there is no such parameter"),
        ("k" * 5000 + "=1", "there is no such parameter"),
    ],
    ids=lambda value: value[:20],
)
def test_a_setting_that_is_none_is_refused_in_one_sentence(setting: str, message: str) -> None:
    with pytest.raises(RulesError, match=message) as refusal:
        with_settings(preset("american"), [setting])
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 700


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (" target = 50 ", 50),
        ("score_floor=null", None),
        ("score_floor=none", None),
        ("score_floor=-5", -5),
        ("removed=['2D', '3D', '4D', '5D']", (14, 15, 16, 17)),
        ("penalties={QS=13, AS=7}", ((50, 13), (52, 7))),
        ('penalties={"AS": 7, "QS": 13}', ((50, 13), (52, 7))),
        ("moon='choice'", Moon.CHOICE),
        ("hearts_must_break=false", False),
    ],
)
def test_a_setting_may_be_written_as_json_or_toml_or_a_bare_word(setting: str, value: object) -> None:
    assert getattr(with_settings(preset("american"), [setting]), setting.partition("=")[0].strip()) == value


def test_a_name_stays_within_its_length_however_often_rules_are_changed() -> None:
    rules = RuleSet(name="n" * 64)
    for target in range(1, 5):
        rules = with_settings(rules, [f"target={target}", "moon=choice", "tie_break=shared"])
    assert rules.name == "n" * 54 + " (changed)"


def toml_of(rules: Mapping[str, object]) -> str:
    """Parameters as a file of rules has them; TOML has no null."""
    lines = [f"{k} = {json.dumps('none' if v is None else v)}" for k, v in rules.items() if not isinstance(v, dict)]
    for key, table in rules.items():
        if isinstance(table, dict):
            lines += [f"[{key}]", *(f"{card} = {points}" for card, points in table.items())]
    return "\n".join(lines)


@settings(max_examples=200, deadline=None, print_blob=True)
@given(rules=rule_sets())
def test_any_rule_set_comes_back_from_json_toml_settings_and_the_wire_as_it_was(rules: dict[str, Any]) -> None:
    made = RuleSet.from_dict(rules, name="drawn")
    written = made.to_dict()
    assert {key: written[key] for key in rules} == rules

    assert RuleSet.from_dict(json.loads(json.dumps(written))) == made
    assert rules_from(tomllib.loads(toml_of(written))) == made
    assert RuleSet.from_dict(rules_dict(rules_message(written))) == made
    by_settings = dataclasses.replace(made, name="american")
    changed = [f"{key}={json.dumps(value)}" for key, value in written.items() if key != "name"]
    # One parameter after the other would pass through rule sets that cannot be played.
    assert dataclasses.replace(with_settings(preset("american"), changed), name="american") == by_settings
    assert made.digest() == by_settings.digest()


@pytest.mark.parametrize("base", [["american"], {"american": 1}, None, 7, True])
def test_a_base_that_is_no_name_is_refused_by_its_key(base: object) -> None:
    with pytest.raises(RulesError, match=r"^base = .* is not allowed: there is no such rule set"):
        rules_from({"base": base})


@pytest.mark.parametrize("name", [["american"], {}, None, 7])
def test_a_preset_that_is_no_name_is_refused(name: Any) -> None:
    with pytest.raises(RulesError, match="there is no such rule set"):
        preset(name)


def test_the_shipped_presets_are_package_data() -> None:
    assert (Path(__file__).parents[3] / "referee/rules/presets.json").is_file()
