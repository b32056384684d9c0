"""docs/commands.md: what every command says of itself, so that no option is without a page."""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path

import typer
from typer.testing import CliRunner

from referee.cli import tournament_command
from referee.cli.main import COMMANDS, app

PAGE = Path(__file__).parents[2] / "docs/commands.md"
HEAD = """\
# All commands

What `hearts COMMAND --help` says, of each command. The other pages say when to use them and show them at work.
"""


def test_the_page_has_every_command_with_all_its_options() -> None:
    text = HEAD + "".join(f"\n## hearts {words}\n\n```text\n{help_of(words)}```\n" for words in commands())
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(text, encoding="utf-8")

    assert text.count("\n## ") >= 40
    assert told(PAGE.read_text(encoding="utf-8")) == told(text), "UPDATE_DOCS=1 with this test writes the page anew"


def told(text: str) -> list[str]:
    """The words of each section but for types and bounds, which are told by typer, each version in its own way."""
    return [" ".join(re.sub(r"<[^>]*>|\[[^]]*\]", "", section).split()) for section in text.split("\n## ")]


def commands() -> list[str]:
    """Every command's words, groups resolved, in the order of `hearts --help`."""
    found = []
    for name, entry in COMMANDS.items():
        module, _, attribute = entry.place.partition(":")
        command = getattr(import_module(module), attribute)
        if name == "tournament":
            found += [f"{name} {inner}" for inner in tournament_command.COMMANDS]
        elif isinstance(command, typer.Typer):
            inner = [each.name or each.callback.__name__ for each in command.registered_commands if each.callback]
            found += [f"{name} {each}" for each in inner]
        else:
            found.append(name)
    return found


def help_of(words: str) -> str:
    done = CliRunner().invoke(
        app, [*words.split(), "--help"], env={"COLUMNS": "80", "NO_COLOR": "1"}, prog_name="hearts"
    )
    assert done.exit_code == 0, words
    return done.stdout.rstrip() + "\n"
