"""`hearts compare`: is the new version better? A duel that stops as soon as its results say so."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ratings.answer import Answer, Fixed, Question
from ratings.sequential import Hypotheses, Unit
from referee.cli.comparison import Comparison, begun, default_folder, open_store, ordered
from referee.cli.console import (
    JsonOption,
    QuietOption,
    StrictOption,
    count_text,
    emit,
    emit_json,
    fail,
    note,
    quoted,
    wrapped,
)
from referee.cli.duel_watch import DuelWatch
from referee.cli.errors import ExitCode
from referee.cli.rules_option import RulesOption, SetOption, rules_with
from referee.cli.tournament_folder import TournamentFolder
from referee.cli.tournament_host import Host
from referee.cli.tournament_run import StoreOption, WorkersOption, with_store
from referee.records import TimeControl
from referee.store.model import UnreachableError
from referee.store.store import Store
from referee.tournament import Ending

DEALS_MAX = 10_000_000  # that a comparison may ask for
BOUNDS = {"elo": "0,10", "points": "0,0.5"}
_OF_A_SEQUENTIAL_TEST = ("sprt", "alpha", "beta", "deals_max")
_OF_A_SETTING = ("field", "rules", "settings", "seed", "store_url", "turn_ms", "bank_ms")
_ORDERS = (*_OF_A_SEQUENTIAL_TEST, *_OF_A_SETTING, "in_points", "fixed")


def compare(
    ctx: typer.Context,
    bots: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="NEW OLD",
            help="Folders with a bot.toml, or names of sample bots: the bot asked about, and its rival.",
        ),
    ] = None,
    field: Annotated[
        list[Path] | None,
        typer.Option("--field", metavar="BOT", help="Seat this bot between the two; may be given several times."),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="LOW,HIGH", help="Is NEW better by HIGH rather than by LOW? Default: 0,10."),
    ] = None,
    in_points: Annotated[
        bool, typer.Option("--points", help="Ask in points a deal instead of Elo; LOW,HIGH is then 0,0.5.")
    ] = False,
    alpha: Annotated[float, typer.Option(help='Chance to say "better" when LOW is true.')] = 0.05,
    beta: Annotated[float, typer.Option(help='Chance to say "not better" when HIGH is true.')] = 0.05,
    fixed: Annotated[
        int | None,
        typer.Option("--fixed", metavar="N", min=2, max=DEALS_MAX, help="Play N deals instead, then answer."),
    ] = None,
    deals_max: Annotated[int, typer.Option(min=30, max=DEALS_MAX, help="Give up after so many deals.")] = 20_000,
    rules: RulesOption = "american",
    settings: SetOption = None,
    folder: Annotated[
        Path | None,
        typer.Option("--dir", help="Where to keep the comparison, or to go on with one; default: NEW-against-OLD."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Deal from this number; default: a secret seed.")] = None,
    store_url: StoreOption = None,
    turn_ms: Annotated[int, typer.Option(min=1, help="Time for a turn, in milliseconds.")] = 1000,
    bank_ms: Annotated[int, typer.Option(min=0, help="Time beyond that for a whole match.")] = 5000,
    workers: WorkersOption = None,
    strict: StrictOption = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Say whether NEW is better than OLD, after as few deals as it takes.

    Each deal is played twice at a table NEW, NEW, OLD, OLD, the second time with the seats exchanged; with --field
    at tables of NEW and OLD with copies of a field bot between them. A sequential test looks after each board set
    and stops when it has decided, so watching does no harm. The same command again, or `hearts compare --dir DIR`,
    goes on with a comparison that was stopped or killed.
    """
    _check_usage(ctx, bots or (), folder)
    if bots:
        comparison = ordered(
            bots,
            field or (),
            rules_with(rules, settings),
            _question(sprt, alpha, beta, fixed, unit="points" if in_points else "elo"),
            deals_max=deals_max,
            seed=seed,
            clock=TimeControl(turn_ms=turn_ms, bank_ms=bank_ms),
        )
        comparison = replace(comparison, config=with_store(comparison.config, store_url))
        place = TournamentFolder(folder or default_folder(comparison))
    elif folder is None:
        fail("no bots given: name two, NEW and OLD, or --dir DIR to go on with a comparison")
    else:
        place = TournamentFolder(folder)
        comparison = begun(place)
    with open_store(place, comparison) as store:
        host = _Duel(place, comparison, store, workers or os.cpu_count() or 1, quiet=quiet)
        host.run(strict=strict, as_json=as_json)


def _check_usage(ctx: typer.Context, bots: Sequence[Path], folder: Path | None) -> None:
    """Refuse a wrong number of bots, and options that would do nothing."""
    if ctx.params["fixed"] is not None and (useless := _given(ctx, _OF_A_SEQUENTIAL_TEST)):
        fail(f"{useless[0]} and --fixed exclude each other: give one")
    if bots and len(bots) != 2:
        fail(f"{count_text(len(bots), 'bot')} given: name two, NEW and OLD; others go behind --field")
    if not bots and folder is not None and (useless := _given(ctx, _ORDERS)):
        fail(
            f"{', '.join(useless)}: the comparison in {folder} goes on as it was begun: leave this out, "
            "or name NEW and OLD and another --dir for another question"
        )


def _given(ctx: typer.Context, parameters: Collection[str]) -> list[str]:
    """The options that stand on the command line, of some parameters: a default is nobody's wish."""
    found = []
    for parameter in ctx.command.params:
        source = ctx.get_parameter_source(parameter.name or "")
        if parameter.name in parameters and source is not None and source.name == "COMMANDLINE":
            found.append(parameter.opts[0])
    return found


def _question(sprt: str | None, alpha: float, beta: float, fixed: int | None, *, unit: Unit) -> Question:
    if fixed is not None:
        return Fixed(deals=fixed, unit=unit)
    text = sprt or BOUNDS[unit]
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        fail(f"--sprt {text}: write two numbers such as --sprt {BOUNDS[unit]}")
    return Hypotheses(low=low, high=high, unit=unit, alpha=alpha, beta=beta)


class _Duel:
    """One run of a comparison, from its store to its answer."""

    def __init__(
        self, place: TournamentFolder, comparison: Comparison, store: Store, workers: int, *, quiet: bool
    ) -> None:
        self._place = place
        self._comparison = comparison
        self._store = store
        self._quiet = quiet
        self._watch = DuelWatch(store, comparison.a, comparison.b, comparison.question)
        self._host = Host(place, comparison.config, store, workers, watch=lambda _: self._watch, quiet=quiet)

    def run(self, *, strict: bool, as_json: bool) -> None:
        """Play what is missing and print the answer."""
        goes_on = f"`hearts compare --dir {quoted(self._place.path)}` goes on"
        ending: Ending | None = Ending.CLOSED
        if not self._store.events(kind="finished"):
            note(f"asked: {self._comparison.question}", quiet=self._quiet)
            try:
                ending = asyncio.run(self._host.run())
            except KeyboardInterrupt:
                note(f"stopped at once; {goes_on}", quiet=self._quiet)
                raise typer.Exit(ExitCode.STOPPED) from None
            except UnreachableError as error:
                raise UnreachableError(f"{error}; all that was committed is safe: {goes_on}") from error
        answer = self._watch.answer()
        faults = self._faults()
        if as_json:
            emit_json({**answer.to_json(), "folder": str(self._place.path), "faults": faults})
        else:
            emit(self._text(answer, faults))
        if answer.is_final and (behind := self._watch.deals_behind(answer)):
            note(
                wrapped(f"{count_text(behind, 'deal')} more were under way by then: kept, but not in the answer"),
                quiet=self._quiet,
            )
        if ending in (None, Ending.STOPPED) and not answer.is_final:
            note(f"stopped as asked; {goes_on}", quiet=self._quiet)
            raise typer.Exit(ExitCode.INTERRUPTED)
        if strict and any(faults.values()):
            raise typer.Exit(ExitCode.FAULTS)

    def _faults(self) -> dict[str, int]:
        return {report.bot: sum(report.charged.values()) for report in self._store.reports()}

    def _text(self, answer: Answer, faults: dict[str, int]) -> str:
        lines = [wrapped(str(answer)), wrapped(f"asked: {answer.question}{_evidence(answer)}")]
        company = [bot.shown for bot in self._comparison.config.bots[2:]]
        if company:
            lines.append(f"company: {', '.join(company)}")
        lines += [f"{bot}: {count_text(count, 'fault')} charged" for bot, count in faults.items() if count]
        return "\n".join(lines)


def _evidence(answer: Answer) -> str:
    if answer.llr is None or not isinstance(answer.question, Hypotheses):
        return ""
    bounds = f"{answer.question.lower:+.2f} and {answer.question.upper:+.2f}"
    return f"; log-likelihood ratio {answer.llr:+.2f}, bounds {bounds}"
