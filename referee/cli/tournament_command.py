"""`hearts tournament`: the table of its commands, and those that only prepare one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.assets import bot_folder
from referee.cli.console import JsonOption, QuietOption, emit_json, fail, note, quoted
from referee.cli.lazy import Entry, lazy_app
from referee.config import config_template
from referee.config.keys import NAME_CHARS_MAX

COMMANDS = {
    "init": Entry("referee.cli.tournament_command:init", "Write a commented tournament file."),
    "balance": Entry("referee.cli.balance_command:balance", "Show how even a schedule is and how long it takes."),
    "run": Entry("referee.cli.tournament_run:run", "Play a tournament and print its rating table."),
    "status": Entry("referee.cli.tournament_status:status", "Show how far a tournament is, and the table so far."),
    "resume": Entry("referee.cli.tournament_run:resume", "Go on with a tournament that was stopped or killed."),
    "commit": Entry("referee.cli.seed_commands:commit", "Commit to the deals of a tournament without playing."),
    "salt": Entry("referee.cli.seed_commands:salt", "Mix a text learned after the commitment into all deals."),
    "pause": Entry("referee.cli.pause_commands:pause", "Hold a running tournament, from another terminal."),
    "continue": Entry("referee.cli.pause_commands:continue_", "Let a paused tournament go on."),
    "close": Entry("referee.cli.seed_commands:close", "End a stopped tournament for good and reveal its seed."),
    "enter": Entry("referee.cli.field_commands:enter", "Let a bot join a stopped round robin."),
    "leave": Entry("referee.cli.field_commands:leave", "Let a bot leave a stopped round robin; its results stay."),
    "withdraw": Entry("referee.cli.correction_commands:withdraw", "Take a bot out of the results."),
    "annul": Entry("referee.cli.correction_commands:annul", "Take a match out of the results."),
    "overrule": Entry("referee.cli.correction_commands:overrule", "Clear a bot of a fault."),
    "reverse": Entry("referee.cli.correction_commands:reverse", "Take a correction back."),
    "corrections": Entry("referee.cli.correction_commands:corrections", "List all corrections."),
    "export": Entry("referee.cli.export_command:export", "Write every record as JSON Lines."),
    "repair": Entry("referee.cli.repair_command:repair", "Save every whole match out of a damaged store."),
}

app = lazy_app(COMMANDS, "Set up, run, resume and watch tournaments.")


def init(
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="The file to write.")] = Path("tournament.toml"),
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot", metavar="BOT", help="Enter the bot in this folder, or a sample bot by name; may be repeated."
        ),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Write a tournament file with every key, its default and what it is for."""
    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(config_template(tuple(bot or ()), name=file.stem[:NAME_CHARS_MAX]))
    except FileExistsError:
        fail(f"{file}: exists already: give another name, or delete it")
    if as_json:
        emit_json({"file": str(file)})
    for folder in bot or ():
        if not (file.parent / folder).exists() and bot_folder(Path(folder)).is_absolute():
            continue  # a sample bot, by its name
        if not (file.parent / folder / "bot.toml").exists():
            note(f"{folder}: there is no {file.parent / folder / 'bot.toml'} yet", quiet=quiet)
    todo = "" if bot else "enter bots at its end, then "
    note(f"wrote {file}: {todo}`hearts tournament run {quoted(file)}`", quiet=quiet)
