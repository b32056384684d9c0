"""`hearts rules`: the named rule sets, how they differ, and whether a file of rules can be played."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any

import typer

from referee.cli.console import WIDTH, JsonOption, QuietOption, emit_json
from referee.cli.errors import Failure
from referee.cli.lazy import new_app
from referee.rules.parameters import NAME_MAX, RulesError
from referee.rules.presets import PRESETS, preset, preset_entry, rules_from
from referee.rules.ruleset import PARAMETERS, RuleSet
from referee.toml_text import TomlError, parse_toml

app = new_app()
_KEY_WIDTH = 22

RulesArgument = Annotated[str, typer.Argument(help="Name of a preset, or a .toml or .json file of rules.")]


@app.command("list")
def list_command(
    as_json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """List the presets: who wrote them down, and how they differ from the base game."""
    base = preset("american")
    rows: list[dict[str, Any]] = []
    for name in PRESETS:
        rules, entry = preset(name), preset_entry(name)
        rows.append(
            {
                "name": name,
                "source": entry["source"],
                "note": entry["note"],
                "seats": rules.seats,
                "hand_size": rules.hand_size,
                "deal_total": rules.deal_total,
                "differs": {key: there for key, (_, there) in differences(base, rules).items()},
            }
        )
    if as_json:
        emit_json({"presets": rows})
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("preset", "seats", "hand", "points", box=None, pad_edge=False)
    table.add_column("differs from american by", overflow="fold")
    for row in rows:
        differs = ", ".join(f"{key} = {_text(value)}" for key, value in row["differs"].items())
        numbers = (str(row[key]) for key in ("seats", "hand_size", "deal_total"))
        table.add_row(row["name"], *numbers, differs or "–")
    Console(file=sys.stdout, markup=False, highlight=False).print(table)


@app.command("show")
def show_command(
    name: RulesArgument,
    as_json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """Show every parameter of a rule set."""
    rules = load_rules(name)
    derived = {
        "hand_size": rules.hand_size,
        "widow_size": rules.widow_size,
        "deal_total": rules.deal_total,
        "digest": rules.digest(),
    }
    if as_json:
        emit_json({"rules": rules.to_dict(), **derived})
        return
    for key, value in (rules.to_dict() | derived).items():
        typer.echo(_row(key, _text(value)))


@app.command("diff")
def diff_command(
    first: RulesArgument,
    second: RulesArgument,
    as_json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """Show the parameters in which two rule sets differ."""
    one, other = load_rules(first), load_rules(second)
    found = differences(one, other)
    if as_json:
        emit_json({"first": one.name, "second": other.name, "differs": found})
        return
    if not found:
        typer.echo(f"{one.name} and {other.name} are the same rules")
        return
    width = max(len(one.name), *(len(_text(here)) for here, _ in found.values())) + 2
    typer.echo(f"{'':22} {one.name:{width}}{other.name}")
    for key, (here, there) in found.items():
        typer.echo(f"{key:22} {_text(here):{width}}{_text(there)}")


@app.command("check")
def check_command(
    file: Annotated[Path, typer.Argument(help="A .toml or .json file of rules.")],
    as_json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """Check that a file of rules can be played.

    The file holds parameters by name; `base` names the preset that gives the others. Exit code 2 where it cannot.
    """
    try:
        rules = read_rules(file)
    except RulesError as error:
        if as_json:
            told = {"file": str(file), "playable": False, "key": error.key, "message": str(error)}
            emit_json({"ok": False, **told})
        raise Failure(f"{file}: {error}") from error
    if as_json:
        emit_json(
            {"ok": True, "file": str(file), "playable": True, "rules": rules.to_dict(), "digest": rules.digest()}
        )
        return
    typer.echo(f"{file}: {rules.name} can be played: {rules.seats} seats, {rules.hand_size} cards each")


def differences(one: RuleSet, other: RuleSet) -> dict[str, tuple[Any, Any]]:
    """Parameters in which two rule sets differ, with the value of each, as JSON has them."""
    here, there = one.to_dict(), other.to_dict()
    return {key: (here[key], there[key]) for key in PARAMETERS if here[key] != there[key]}


def load_rules(name: str) -> RuleSet:
    """Rule set of a preset's name or of a file's.

    Raises:
        RulesError: there is no preset of that name.
        Failure: the file cannot be read, or its rules cannot be played.
    """
    file = Path(name)
    if file.suffix.lower() not in {".toml", ".json"}:
        return preset(name)
    try:
        return read_rules(file)
    except RulesError as error:
        raise Failure(f"{file}: {error}") from error


def read_rules(file: Path) -> RuleSet:
    """Rule set of a TOML file, or of a JSON file by its ending.

    Raises:
        RulesError: the file cannot be read, or its rules cannot be played.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")  # some editors put a mark in front
        content = json.loads(text) if file.suffix.lower() == ".json" else parse_toml(text)
    except OSError as error:
        raise RulesError("", str(file), f"it cannot be read ({error.strerror}); give a file of rules") from None
    except TomlError as error:
        raise RulesError("", str(file), f"it cannot be used: {error}") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise RulesError("", str(file), f"it is no TOML or JSON: {error}") from None
    except ValueError:  # int() refuses thousands of digits
        raise RulesError("", str(file), "it cannot be used: a whole number in it has thousands of digits") from None
    if not isinstance(content, dict):
        raise RulesError("", str(file), "it holds no table; give parameters by name")
    stem = file.stem[:NAME_MAX]
    return rules_from({"name": stem if stem.isprintable() else "custom"} | content)


def _row(key: str, text: str) -> str:
    lines = wrap(text, WIDTH - 1 - _KEY_WIDTH, break_long_words=False)
    width = min(_KEY_WIDTH, WIDTH - 1 - max(map(len, lines)))  # less beside a digest
    return f"{key:{width}} " + ("\n" + " " * (width + 1)).join(lines)


def _text(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case dict():
            return " ".join(f"{card} {points}" for card, points in value.items()) or "–"
        case list():
            return " ".join(str(item) for item in value) or "–"
        case _:
            return str(value)
