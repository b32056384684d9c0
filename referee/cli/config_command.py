"""`hearts config`: what a tournament file comes to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.config_file import read_config
from referee.cli.console import JsonOption, QuietOption, count_text, emit, emit_json, examining, note
from referee.cli.lazy import new_app
from referee.config import TournamentConfig

app = new_app()

ConfigFile = Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file (TOML).")]


@app.command()
def show(
    file: ConfigFile,
    resolved: Annotated[
        bool, typer.Option("--resolved", help="Every key with its value, defaults and the rules in full included.")
    ] = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Read a tournament file as a run would and show it."""
    config = read_config(file)
    if as_json:
        emit_json({"config": config.to_dict(), "digest": config.digest()})
    else:
        emit(_resolved(config) if resolved else _summary(config))
        note(f"digest {config.digest()}", quiet=quiet)


@app.command()
def check(
    file: ConfigFile,
    as_json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """Read a tournament file as a run would and say whether it can be used; the bots are not started.

    Exit code 2 where it cannot.
    """
    from referee.cli.field_check import check_field  # takes time to import, and `show` needs none of it

    with examining(file, as_json=as_json):
        config = read_config(file)
        check_field(config, str(file))
    if as_json:
        emit_json({"ok": True, "file": str(file), "bots": len(config.bots), "digest": config.digest()})
    else:
        emit(f"{file}: can be used, {count_text(len(config.bots), 'bot')} entered")


def _resolved(config: TournamentConfig) -> str:
    """One `key = value` a line, sections as prefixes, values as JSON writes them."""
    lines: list[str] = []

    def add(prefix: str, value: object) -> None:
        if isinstance(value, dict) and value and not prefix.startswith(("rules.penalties", "rules.bonuses")):
            for key, item in value.items():
                add(f"{prefix}.{key}" if prefix else key, item)
        elif prefix == "bot" and isinstance(value, list):
            for number, item in enumerate(value, start=1):
                add(f"bot[{number}]", item)
        else:
            lines.append(f"{prefix} = {json.dumps(value, ensure_ascii=False)}")

    add("", config.to_dict())
    return "\n".join(lines)


def _summary(config: TournamentConfig) -> str:
    amount = (
        count_text(config.cycles, "cycle") if config.cycles else count_text(config.board_sets or 0, "board set")
    )
    length = f"{config.deals} deals a match" if config.deals else f"matches to {config.rules.target} points"
    kind = "rated" if config.rated else "not rated"
    lines = [
        f"{config.name}: {config.schedule}, {amount}, {length}, {kind}",
        f"rules   {config.rules.name}, {config.rules.seats} seats",
        f"seed    {'secret' if config.seed is None else f'{config.seed} (public seed)'}",
        f"clock   {config.clock.turn_ms} ms a turn, {config.clock.bank_ms} ms bank",
        f"faults  {config.faults.ruling.value}, {config.faults.faults_max} a match",
        "bots    " + ("none" if not config.bots else "\n        ".join(_bots(config))),
    ]
    return "\n".join(lines)


def _bots(config: TournamentConfig) -> list[str]:
    return [f"{bot.shown} (remote)" if bot.remote else bot.shown for bot in config.bots]
