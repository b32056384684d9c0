"""`hearts check`: everything that is wrong with a bot, in words."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.assets import bot_folder
from referee.cli.check_text import render
from referee.cli.console import JsonOption, QuietOption, emit, emit_json, examining, fail, note
from referee.cli.errors import ExitCode, Failure
from referee.conformance.deals import deal_of
from referee.conformance.examination import ask_again, examine
from referee.conformance.findings import Grade
from referee.conformance.laboratory import Broken
from referee.conformance.playing import described
from referee.launch.manifest import MANIFEST_NAME, BotManifest, load_manifest, toolchain_missing


def check(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="Folder with a bot.toml, or name of a sample bot.")],
    is_quick: Annotated[
        bool, typer.Option("--quick", help="Look at less; done within ten seconds, building apart.")
    ] = False,
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="N", min=1, help="Ask one turn of the report again.")
    ] = None,
    is_verbose: Annotated[bool, typer.Option("--verbose", help="Show each deal that went well, too.")] = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Build a bot, start it, ask it everything that a tournament may, and report in words what is wrong.

    The exit code is 0 if nothing failed, and 3 if something did. Advice is no failure.
    """
    folder = bot_folder(bot)
    with examining(folder / MANIFEST_NAME, as_json=as_json):
        manifest = load_manifest(folder)
    missing = toolchain_missing(manifest)
    if missing is not None:
        raise Failure(f"{manifest.name}: {missing}", ExitCode.UNFIT)
    if turn is not None:
        _one_turn(manifest, turn, as_json=as_json)
        return
    try:
        report = asyncio.run(examine(manifest, quick=is_quick, say=lambda text: note(text, quiet=quiet)))
    except KeyboardInterrupt:
        raise typer.Exit(ExitCode.STOPPED) from None
    if as_json:
        emit_json({"ok": report.grade is not Grade.FAIL, **asdict(report), "grade": report.grade})
    else:
        emit(render(report, str(bot), verbose=is_verbose))
    if report.grade is Grade.FAIL:
        raise typer.Exit(ExitCode.FAULTS)


def _one_turn(manifest: BotManifest, turn: int, *, as_json: bool) -> None:
    deal = deal_of(turn)
    if deal is None:
        fail(f"--turn {turn}: there is no such turn; reports of `hearts check` name those that failed")
    try:
        situation = asyncio.run(ask_again(manifest, deal, turn))
    except Broken as broken:
        if as_json:
            emit_json({"ok": False, "turn": turn, "message": str(broken)})
        raise Failure("\n    ".join((str(broken), *broken.lines)), ExitCode.FAULTS) from None
    if situation is None:
        fail(f"--turn {turn}: the deal of {deal.title!r} is over before that turn")
    fault = situation.fault
    verdict = "legal" if fault is None else f"{fault.breach or 'no decision'}: {fault.message}"
    if as_json:
        emit_json(
            {
                "ok": fault is None,
                "turn": turn,
                "deal": deal.title,
                "kind": situation.kind,
                "seat": situation.seat,
                "hand": situation.hand,
                "legal": situation.legal,
                "trick": situation.trick,
                "answer": situation.reply.cards if situation.reply else (),
                "fault": fault.message if fault else None,
                "breach": fault.breach if fault else None,
            }
        )
    else:
        lines = (f"turn {turn}, {situation.kind}, seat {situation.seat}: {deal.title} ({deal.rules.name})", "")
        emit("\n".join((*lines, *described(situation), f"so it is {verdict}")))
    if fault is not None:
        raise typer.Exit(ExitCode.FAULTS)
