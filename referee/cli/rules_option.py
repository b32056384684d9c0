"""`--rules NAME --set KEY=VALUE`: a rule set from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.rules_command import read_rules
from referee.rules.presets import preset, with_settings
from referee.rules.ruleset import RuleSet

RulesOption = Annotated[str, typer.Option("--rules", help="A preset (`hearts rules list`) or a file of rules.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a parameter of the rules; may be given several times."),
]


def rules_with(name: str, settings: Sequence[str] | None) -> RuleSet:
    """Read a rule set by name or file and change parameters of it.

    Values are written as in JSON or TOML; a bare word is a text: `target=50`, `moon=choice`, `removed=["2D"]`.

    Raises:
        RulesError: the rules or a parameter are unknown, or they cannot be played.
    """
    path = Path(name)
    rules = read_rules(path) if path.suffix in {".toml", ".json"} else preset(name)
    return with_settings(rules, settings or ())
