"""The named rule sets, and rule sets as people and programs write them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Final, TypedDict

from referee.rules.parameters import NAME_MAX, RulesError
from referee.rules.ruleset import PARAMETERS, RuleSet, suggestion
from referee.rules.shown import shown


class PresetEntry(TypedDict):
    """One entry of presets.json."""

    source: str  # where the rules are written down
    note: str
    rules: dict[str, object]


@cache
def _entries() -> dict[str, PresetEntry]:
    text = resources.files("referee.rules").joinpath("presets.json").read_text(encoding="utf-8")
    entries: dict[str, PresetEntry] = json.loads(text)
    return entries


PRESETS: Final[tuple[str, ...]] = tuple(_entries())
CHANGED: Final = " (changed)"


def preset(name: str) -> RuleSet:
    """Rule set of a name.

    Raises:
        RulesError: there is none of that name.
    """
    preset_entry(name)  # it refuses what is no name, which the cache could not even look up
    return _preset(name)


def preset_entry(name: str) -> PresetEntry:
    """Source, note and parameters of a named rule set, as the file has them.

    Raises:
        RulesError: there is none of that name.
    """
    entry = _entries().get(name) if isinstance(name, str) else None
    if entry is None:
        raise RulesError("rules", name, f"there is no such rule set{suggestion(str(name), PRESETS)}")
    return entry


def rules_from(value: object) -> RuleSet:
    """Rule set as a configuration or a request gives it.

    A text is the name of a preset. A table holds parameters; those that are missing come from the preset that
    its key `base` names, or from the base game.

    Raises:
        RulesError: neither, or rules that cannot be played.
    """
    if isinstance(value, str):
        return preset(value)
    if not isinstance(value, Mapping):
        raise RulesError("rules", value, "give the name of a preset or a table of parameters")
    given = dict(value)
    base = _base(given.pop("base")) if "base" in given else None
    if base is not None and given.keys() - {"name"}:
        given.setdefault("name", changed(base.name))
    return RuleSet.from_dict(given, base=base)


def with_settings(rules: RuleSet, settings: Iterable[str]) -> RuleSet:
    """Rule set with parameters changed by texts such as `target=50` or `pass_cycle=[1, -1]`.

    The part after the sign is read as a value of JSON or of TOML, and as plain text where it is neither.

    Raises:
        RulesError: a text without `=`, an unknown parameter, or rules that cannot be played.
    """
    changes: dict[str, object] = {}
    for setting in settings:
        key, sign, text = setting.partition("=")
        key = key.strip()
        if not sign:
            raise RulesError("", setting, f"{shown(setting)} is no setting: write KEY=VALUE, such as target=50")
        if key not in PARAMETERS:
            raise RulesError(key, text, f"there is no such parameter{suggestion(key, PARAMETERS)}")
        changes[key] = _value(text.strip())
    if not changes:
        return rules
    return RuleSet.from_dict(changes, name=changed(rules.name), base=rules)


def changed(name: str) -> str:
    """Name of a rule set that was made from the one of this name."""
    return name.removesuffix(CHANGED)[: NAME_MAX - len(CHANGED)] + CHANGED


def _base(name: object) -> RuleSet:
    try:
        return preset(name)  # type: ignore[arg-type]  # it refuses what is no text
    except RulesError:
        near = suggestion(str(name), PRESETS)
        raise RulesError("base", name, f"there is no such rule set{near}") from None


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        pass
    except RecursionError:
        return text
    try:
        read = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return read["value"] if len(read) == 1 else text  # a text of several lines may set more than it seems to


@cache
def _preset(name: str) -> RuleSet:
    return RuleSet.from_dict(preset_entry(name)["rules"], name=name)
