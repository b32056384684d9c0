"""`hearts tournament enter` and `leave`: the field of a stopped round robin changed, from its next round on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.admission import candidates_of
from referee.cli.console import (
    BotNameArgument,
    FolderArgument,
    JsonOption,
    QuietOption,
    emit,
    emit_json,
    fail,
    note,
    quoted,
)
from referee.cli.correction_commands import ByOption, WhyOption
from referee.cli.errors import Failure
from referee.cli.tournament_folder import TournamentFolder
from referee.config import TournamentConfig
from referee.draws import now_utc
from referee.field import changes_of, entry, field_after, leaving
from referee.plan import Plan, admitted_in, attempts_of, plan_of, revealed_seed
from referee.schedule.pairing import field_of
from referee.store import Event, Store


def enter(
    folder: FolderArgument,
    bot: Annotated[
        Path | None, typer.Argument(metavar="[BOT_FOLDER]", help="The folder with the bot's bot.toml.")
    ] = None,
    remote: Annotated[
        str | None, typer.Option("--remote", metavar="NAME", help="Enter a bot of this name that dials in instead.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Its name here; default: the one in bot.toml.")
    ] = None,
    owner: Annotated[
        str | None, typer.Option("--owner", metavar="OWNER", help="Who enters it; default: the owner in bot.toml.")
    ] = None,
    by: ByOption = "",
    why: WhyOption = "",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let a bot join a stopped round robin: it plays most of the next rounds until it has caught up."""
    if (bot is None) == (remote is None):
        fail("give the folder of a bot that is to join, or --remote NAME for one that dials in")
    path = None if bot is None else bot.resolve()
    candidate = candidates_of([(path, name or remote, owner)])[0][0]
    place = TournamentFolder(folder)
    config = place.config()
    with place.open(config) as store:
        plan = _open_plan(place, config, store, by, why)
        known = _everybody(store)
        if candidate.name in known:
            fail(f"{candidate.name}: is or was in this tournament: give another name by --name")
        board_set = _next_round(plan, store)
        event = entry(
            candidate.entrant,
            board_set,
            is_remote=candidate.is_remote,
            origin=candidate.origin,
            by=by.strip(),
            why=why.strip(),
            at=now_utc(),
        )
        if path is not None:
            place.note_entry(candidate.name, path)
        store.add_event(event)
    _told(place, event, as_json=as_json, quiet=quiet)


def leave(
    folder: FolderArgument,
    bot: BotNameArgument,
    by: ByOption,
    why: WhyOption,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let a bot leave a stopped round robin: its results stay, and the next rounds are played without it."""
    place = TournamentFolder(folder)
    config = place.config()
    with place.open(config) as store:
        plan = _open_plan(place, config, store, by, why)
        present = field_after(plan.entrants, plan.changes)
        names = [entrant.name for entrant in present]
        if bot not in names:
            fail(f"{bot}: is not playing here: the bots are {', '.join(names)}")
        field_of([entrant for entrant in present if entrant.name != bot], config.rules.seats)  # a table is left
        event = leaving(bot, _next_round(plan, store), by=by.strip(), why=why.strip(), at=now_utc())
        store.add_event(event)
    _told(place, event, as_json=as_json, quiet=quiet)


def _open_plan(place: TournamentFolder, config: TournamentConfig, store: Store, by: str, why: str) -> Plan:
    """What is being played, if its field may be changed."""
    if not by.strip() or not why.strip():
        fail("--by and --why: say who decides and why: both are kept and published")
    if config.schedule != "round-robin":
        fail(f"{place.path}: only the field of a round robin may change, and this is a {config.schedule}")
    if revealed_seed(store) is not None:
        fail(f"{place.path}: the tournament is over and its seed is revealed")
    plan = plan_of(config, store)
    if plan is None:
        raise Failure(f"{place.path}: nothing was begun: change the bots in the tournament file, and run that")
    return plan


def _everybody(store: Store) -> set[str]:
    """The names of all who are or were in a tournament."""
    began = [entrant.name for entrant, _ in admitted_in(store.events(kind="started")[0])]
    return {*began, *(change.entered.name for change in changes_of(store) if change.entered is not None)}


def _next_round(plan: Plan, store: Store) -> int:
    """The first board set of the first round of which nothing was played."""
    finished, attempts = store.finished_keys(), attempts_of(store)
    last_round, next_board_set = -1, 0
    for spec in plan.drawn_specs(attempts):
        if spec.key in finished or attempts.get(spec.board_set):
            last_round = spec.round_number
        if spec.round_number <= last_round:
            next_board_set = spec.board_set + 1
    return max([next_board_set, *(change.board_set for change in plan.changes)])


def _told(place: TournamentFolder, event: Event, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        emit_json({"kind": event.kind, "bot": event.data["bot"], "board_set": event.data["board_set"]})
        return
    emit(event.message)
    note(f"`hearts tournament resume {quoted(place.path)}` goes on", quiet=quiet)
