"""`--rules NAME --set KEY=VALUE`: a rule set from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from referee.cli.rules_command import load_rules
from referee.rules.presets import with_settings
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
        RulesError: the preset or a parameter is unknown, or the rules cannot be played.
        Failure: the file of rules cannot be used.
    """
    return with_settings(load_rules(name), settings or ())
