"""`hearts new`: a folder with a bot that builds and plays at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.bot_templates import LANGUAGES, NAME, write_bot
from referee.cli.console import WIDTH, JsonOption, QuietOption, emit, emit_json, fail, quoted, wrapped
from referee.rules.ruleset import suggestion


def new(
    folder: Annotated[Path, typer.Argument(metavar="NAME", help="Folder to make; its name is the bot's.")],
    lang: Annotated[str, typer.Option("--lang", "-l", help=f"Language: {', '.join(LANGUAGES)}.")] = "python",
    as_json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """Make a new bot: wire loop, strategy, tests and everything else that it needs."""
    chosen = lang.lower().replace("+", "p")  # "C++" is cpp
    language = LANGUAGES.get(chosen)
    if language is None:
        fail(f"--lang {lang!r}: there is no template for it{suggestion(chosen, tuple(LANGUAGES))}")
    name = folder.name
    if not NAME.fullmatch(name):
        fail(f"{name!r} cannot be a bot's name: a letter, then up to 39 letters, digits, - and _")
    if folder.exists():
        fail(f"{folder}: exists already: choose another name")
    write_bot(folder, name, language)
    commands = {
        f"hearts check {quoted(folder)} --quick": "says what is wrong with it",
        f"hearts play {quoted(folder)} duck low random": "plays a match",
        f"(cd {quoted(folder)} && {language.test})": "runs its own tests",
    }
    strategy = str(folder / language.strategy)
    if as_json:
        emit_json(
            {"bot": name, "folder": str(folder), "language": chosen, "next": list(commands), "edit": strategy}
        )
    else:
        emit(
            wrapped(
                f"made {folder}: a bot in {language.title}. It plays like duck until you change {strategy}.",
                indent=0,
            )
            + "\n"
            + wrapped(f"Needed: {language.needs}.", indent=0)
            + "\n\n"
            + _next(commands)
        )


def _next(commands: Mapping[str, str]) -> str:
    """Each command on a line of its own with its purpose beside it, or above where the lines would be too wide."""
    width = max(map(len, commands))
    lines = [f"  {command:{width}}    {purpose}" for command, purpose in commands.items()]
    if max(map(len, lines)) > WIDTH:
        lines = [f"  # {purpose}\n  {command}" for command, purpose in commands.items()]
    return "\n".join(lines)
