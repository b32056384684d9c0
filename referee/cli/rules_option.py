"""`--rules NAME --set KEY=VALUE`: a rule set from the command line."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import fail
from referee.cli.rules_command import read_rules
from referee.rules.presets import preset
from referee.rules.ruleset import RuleSet

RulesOption = Annotated[str, typer.Option("--rules", help="A preset (`hearts rules list`) or a file of rules.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a parameter of the rules; may be given several times."),
]


def rules_with(name: str, settings: Sequence[str] | None) -> RuleSet:
    """Read a rule set by name or file and change parameters of it.

    Values are written as in TOML; a bare word is a text: `target=50`, `moon=choice`, `removed=["2D"]`.

    Raises:
        RulesError: the rules are unknown or cannot be played.
        Failure: a setting is not KEY=VALUE.
    """
    path = Path(name)
    rules = read_rules(path) if path.suffix in {".toml", ".json"} else preset(name)
    if not settings:
        return rules
    changed = rules.to_dict()
    for setting in settings:
        key, separator, text = setting.partition("=")
        if not separator:
            fail(f"--set {setting}: write KEY=VALUE, such as --set target=50")
        changed[key.strip()] = _value(text.strip())
    return RuleSet.from_dict(changed, name=f"{rules.name} with {', '.join(settings)}")


def _value(text: str) -> object:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
