"""`hearts tournament withdraw`, `annul`, `overrule`, `reverse` and `corrections`: an organiser's decisions.

A correction is a row of its own with who, when and why; no record is ever changed. Results follow it from then on,
and what was published before is published again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import (
    BotNameArgument,
    FolderArgument,
    JsonOption,
    QuietOption,
    count_text,
    emit,
    emit_json,
    fail,
    note,
    quoted,
    wrapped,
)
from referee.cli.fault_report import fault_words
from referee.cli.results import published_files
from referee.cli.tournament_folder import TournamentFolder
from referee.draws import now_utc
from referee.store import Correction, CorrectionKind

MatchArgument = Annotated[
    str, typer.Argument(metavar="MATCH", help="The match: its number, its key or the beginning of its key.")
]
ByOption = Annotated[str, typer.Option("--by", metavar="NAME", help="Who decides; kept and published.")]
WhyOption = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason; kept and published.")]


def withdraw(
    folder: FolderArgument,
    bot: BotNameArgument,
    by: ByOption,
    why: WhyOption,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Take a bot out of the results: all its matches leave them."""
    correction = Correction(kind=CorrectionKind.WITHDRAW, bot=bot, who=by, why=why, at=now_utc())
    _correct(folder, correction, f"{bot} is withdrawn", as_json=as_json, quiet=quiet)


def annul(
    folder: FolderArgument,
    match: MatchArgument,
    by: ByOption,
    why: WhyOption,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Take a match out of the results."""
    number, key = _match_meant(folder, match)
    correction = Correction(kind=CorrectionKind.ANNUL, key=key, who=by, why=why, at=now_utc())
    _correct(folder, correction, f"match {number}, {key}, is annulled", as_json=as_json, quiet=quiet)


def overrule(
    folder: FolderArgument,
    match: MatchArgument,
    fault: Annotated[
        int, typer.Argument(min=1, help="Number of the fault in the match, from 1, as `hearts replay` shows it.")
    ],
    by: ByOption,
    why: WhyOption,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Clear a bot of a fault: it is no longer counted; what was played stands."""
    number, key = _match_meant(folder, match)
    with TournamentFolder(folder).read() as store:
        record = store.record(key)
    if fault > len(record.faults):
        has = f"has the faults 1 to {len(record.faults)}" if record.faults else "has no faults"
        see = f"see `hearts replay {quoted(folder)} {number}`"
        fail(f"match {number} {has}, so there is no fault {fault} to overrule: {see}")
    position = fault - 1
    correction = Correction(kind=CorrectionKind.OVERRULE, key=key, fault=position, who=by, why=why, at=now_utc())
    done = f"fault {fault} of match {number}, {fault_words(record, position)}, is overruled"
    _correct(folder, correction, done, as_json=as_json, quiet=quiet)


def reverse(
    folder: FolderArgument,
    number: Annotated[int, typer.Argument(min=1, help="The correction's number: see `corrections`.")],
    by: ByOption,
    why: WhyOption,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Take a correction back, as if it had never been made; both stay in the list."""
    correction = Correction(kind=CorrectionKind.REVERSE, reverses=number, who=by, why=why, at=now_utc())
    _correct(folder, correction, f"correction {number} is reversed", as_json=as_json, quiet=quiet)


def corrections(folder: FolderArgument, as_json: JsonOption = False, quiet: QuietOption = False) -> None:
    """List every correction that was ever made, with who, when and why."""
    with TournamentFolder(folder).read() as store:
        made = store.corrections()
    if as_json:
        emit_json({"corrections": [_to_json(correction) for correction in made]})
        return
    for each in made:
        target = next(str(value) for value in (each.bot, each.key, each.reverses) if value is not None)
        fault = "" if each.fault is None else f" fault {each.fault + 1}"
        emit(wrapped(f"{each.number}. {each.kind.value} {target}{fault}, by {each.who} at {each.at}: {each.why}"))
    if not made:
        note("no correction was made", quiet=quiet)


def _correct(folder: Path, correction: Correction, done: str, *, as_json: bool, quiet: bool) -> None:
    place = TournamentFolder(folder)
    config = place.config()
    with place.open(config) as store:
        before = len(store.result_columns().number)
        number = store.correct(correction)
        left = len(store.result_columns().number)
        if (place.path / "standings.json").exists():
            _, problem = published_files(place, config, store)
            if problem:
                note(f"{problem} in {folder}", quiet=quiet)
    if as_json:
        emit_json({"number": number, "kind": correction.kind.value, "boards_before": before, "boards": left})
        return
    text = (
        f"correction {number}: {done}{_changed(before, left, 'board' if config.deals else 'match')}; "
        f"`hearts tournament reverse {quoted(folder)} {number}` takes it back"
    )
    emit(wrapped(text))


def _changed(before: int, left: int, unit: str) -> str:
    """What a correction did to the boards (or matches) that count; nothing where they stayed the same."""
    if left < before:
        return f": {count_text(before - left, unit)} taken out of the results, {left:,} left"
    return f": {count_text(left - before, unit)} back in the results, {left:,} in all" if left > before else ""


def _match_meant(folder: Path, text: str) -> tuple[int, str]:
    """Number and key of the one finished match that a text means."""
    with TournamentFolder(folder).read() as store:
        meant = store.matches_meant(text)
    if len(meant) > 1:
        fail(f"match {text!r}: several keys begin so, {meant[0][1]} and {meant[1][1]} among them: give more of it")
    if not meant:
        fail(f"match {text!r}: no finished match has that number or key")
    return meant[0]


def _to_json(correction: Correction) -> dict[str, object]:
    values = {name: getattr(correction, name) for name in ("number", "bot", "key", "reverses")}
    return {
        "kind": correction.kind.value,
        **values,
        "fault": None if correction.fault is None else correction.fault + 1,
        "who": correction.who,
        "why": correction.why,
        "at": correction.at,
    }
