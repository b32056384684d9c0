"""`hearts debug`: a recorded seat, asked again of a bot."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.assets import bot_folder
from referee.cli.console import JsonOption, QuietOption, count_text, emit, emit_json, fail, note, wrapped
from referee.cli.errors import ExitCode, Failure
from referee.cli.replay_command import find_record, seat_of
from referee.cli.replay_view import check_seats
from referee.cli.turn_seeds import SeedAtHand, seed_at_hand
from referee.conformance.examination import laboratory_of
from referee.conformance.laboratory import Broken
from referee.conformance.playing import cards_of
from referee.conformance.recorded import RecordedTurn, recorded_turns
from referee.launch.manifest import BotManifest, load_manifest, toolchain_missing
from referee.launch.process_log import printable
from referee.records import DecidedBy, MatchRecord, TurnKind
from referee.wire.scripted import Reply

_SEEDLESS = (
    "so turn seeds are 0, and a bot that draws lots from them decides otherwise than recorded; "
    "`--seed` takes it as `hearts play` did, or as its result shows it"
)


@dataclass(frozen=True, slots=True)
class Compared:
    """A recorded turn beside what the bot decides now."""

    turn: RecordedTurn
    reply: Reply

    @property
    def is_same(self) -> bool:
        """Whether both decisions are the same."""
        answer = self.reply.answer
        return not isinstance(answer, str) and self.turn.is_same(answer.cards, answer.moon_choice)


def debug(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="Folder with a bot.toml, or name of a sample bot.")],
    source: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", help="A tournament's folder, or a file of records (`hearts play --record`)."
        ),
    ],
    match: Annotated[
        str | None,
        typer.Argument(metavar="[MATCH]", help="Which match: its number, or its key or the beginning of it."),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat", metavar="SEAT", help="Whose turns: a bot's name or a seat; default: this bot's own."
        ),
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option("--turn", metavar="N", min=1, help="Stop at this turn of the match, whatever comes."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Go on behind the first decision that differs.")] = False,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed",
            metavar="SEED",
            help="What the match was dealt from, a number or 64 digits; default: as found with the records.",
        ),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Ask a bot the turns of a recorded seat again, and stop at the first decision that differs.

    Shows what the seat knew, what was legal, and both decisions. Turn seeds, from which bots draw lots, are made
    from the tournament's seed. Where that is not with the records, give --seed, or expect such bots to differ.
    """
    manifest = _runnable(bot)
    record = find_record(source, match)
    check_seats(record)
    number = seat_of(record, manifest.name if seat is None else seat)
    dealt_from = seed_at_hand(source, record, seed)
    turns = _turns(record, number, dealt_from, turn)
    note(f"asking {manifest.name} the turns of seat {number} ({record.spec.bots[number]})", quiet=quiet)
    if dealt_from is None:
        note(wrapped(f"the seed that {source} was dealt from is not at hand, {_SEEDLESS}"), quiet=quiet)
    try:
        compared = asyncio.run(_ask(manifest, turns, last_turn=turn, every=every))
    except Broken as broken:
        raise Failure("\n    ".join((str(broken), *broken.lines)), ExitCode.FAULTS) from None
    differing = [each for each in compared if not each.is_same]
    shown = compared[-1:] if turn is not None else differing if every else differing[:1]
    if as_json:
        emit_json(
            {
                "bot": manifest.name,
                "seat": number,
                "turn_seeds": dealt_from is not None,
                "asked": len(compared),
                "turns": [_as_json(each) for each in shown],
            }
        )
        return
    for each in shown:
        emit("\n".join(_lines(each, record)) + "\n")
    emit(_summary(manifest, len(compared), len(differing), len(turns)))


def _runnable(bot: Path) -> BotManifest:
    manifest = load_manifest(bot_folder(bot))
    missing = toolchain_missing(manifest)
    if missing is not None:
        raise Failure(f"{manifest.name}: {missing}", ExitCode.UNFIT)
    return manifest


def _turns(record: MatchRecord, seat: int, dealt_from: SeedAtHand | None, wanted: int | None) -> list[RecordedTurn]:
    """Give a seat's turns, with their seeds where the tournament's is at hand; the one wanted is among them."""
    turns = list(
        recorded_turns(
            record, seat, lambda *place: 0 if dealt_from is None else dealt_from.turn_seed(record, *place)
        )
    )
    if wanted is not None and wanted not in [each.decision.turn_number for each in turns]:
        numbers = ", ".join(str(each.decision.turn_number) for each in turns[:8])
        fail(f"--turn {wanted}: seat {seat} had no such turn; it had {numbers} and so on")
    return turns


async def _ask(
    manifest: BotManifest, turns: Sequence[RecordedTurn], *, last_turn: int | None, every: bool
) -> list[Compared]:
    compared: list[Compared] = []
    async with laboratory_of(manifest) as laboratory:
        for turn in turns:
            number = turn.decision.turn_number
            compared.append(Compared(turn, await laboratory.ask(number, turn.question)))
            if number == last_turn or (last_turn is None and not every and not compared[-1].is_same):
                break
    return compared


def _now(compared: Compared) -> str:
    answer = compared.reply.answer
    if isinstance(answer, str):
        return f"{cards_of(compared.reply.cards)}   no decision: {answer}"
    turn = compared.turn
    said = answer.moon_choice or cards_of(answer.cards)
    is_legal = turn.decision.kind is TurnKind.MOON or all(card in turn.legal for card in answer.cards)
    verdict = ("the same" if compared.is_same else "differs") if is_legal else "NOT LEGAL"
    return f"{said}   {verdict}" + (f'   "{printable(answer.note)}"' if answer.note else "")


def _lines(compared: Compared, record: MatchRecord) -> list[str]:
    turn, then = compared.turn, compared.turn.decision
    bot = record.spec.bots[then.seat]
    by = bot if then.decided_by is DecidedBy.BOT else f"the referee ({then.decided_by}) for {bot}"
    lines = [
        f"turn {then.turn_number} · deal {turn.deal_number} · seat {then.seat} · {then.kind}",
        f"  hand   {cards_of(turn.hand)}",
    ]
    if then.kind is TurnKind.PLAY:
        lines.append(f"  trick  {cards_of(turn.trick) if turn.trick else 'none yet: it leads'}")
    if then.kind is not TurnKind.MOON:
        lines.append(f"  legal  {cards_of(turn.legal)}")
    noted = f'   "{printable(then.note)}"' if then.note else ""
    return [
        *lines,
        f"  then   {then.moon_choice or cards_of(then.cards)}   by {by}{noted}",
        f"  now    {_now(compared)}",
    ]


def _summary(manifest: BotManifest, asked: int, differing: int, total: int) -> str:
    if not differing:
        return f"{manifest.name} decides {count_text(asked, 'turn')} of {total} as recorded."
    rest = f"; {total - asked} were not asked (--all goes on)" if asked < total else ""
    return f"{manifest.name} decides {differing} of {count_text(asked, 'turn')} otherwise than recorded{rest}."


def _as_json(compared: Compared) -> dict[str, object]:
    turn, then, answer = compared.turn, compared.turn.decision, compared.reply.answer
    return {
        "turn": then.turn_number,
        "deal": turn.deal_number,
        "kind": then.kind,
        "hand": turn.hand,
        "legal": turn.legal,
        "trick": turn.trick,
        "then": {"cards": then.cards, "moon_choice": then.moon_choice, "decided_by": then.decided_by},
        "now": {
            "cards": compared.reply.cards,
            "moon_choice": None if isinstance(answer, str) else answer.moon_choice,
            "error": answer if isinstance(answer, str) else None,
        },
        "same": compared.is_same,
    }
