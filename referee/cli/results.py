"""From a store to what is printed and published."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ratings.columns import from_columns
from ratings.observations import ResultError
from ratings.standings import EXTRAS_BOARDS_MAX, Standings, compute_standings
from ratings.text_table import render
from referee.cli.fault_report import fault_lines, void_lines
from referee.cli.luck import controlled_of
from referee.cli.report_table import report_json
from referee.cli.site_details import REPLAYS, details_of, replays_of
from referee.cli.site_records import write_evidence
from referee.cli.tournament_folder import TournamentFolder
from referee.config.tournament import TournamentConfig
from referee.plan import plan_of
from referee.records import BotReport
from referee.schedule.balance import owner_meetings
from referee.store.corrections import in_force
from referee.store.model import CorrectionKind
from referee.store.store import Store
from referee.tournament import Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """A tournament's table and where it was written."""

    standings: Standings
    text: str
    files: tuple[Path, ...]
    faults: int
    fault_lines: tuple[str, ...]  # one for each bot with faults
    reports: tuple[BotReport, ...]
    report_of_all: BotReport
    void_lines: tuple[str, ...]  # one where matches were void
    root: str
    replay_key: str

    def to_json(self) -> dict[str, Any]:
        """Give the results as JSON values."""
        return {
            "standings": self.standings.to_json(),
            "files": [str(path) for path in self.files],
            "faults": self.faults,
            "fault_lines": list(self.fault_lines),
            "void_lines": list(self.void_lines),
            "reports": report_json(self.reports, self.report_of_all),
            "root": self.root,
        }


class NoResultError(ResultError):
    """There is no rating table, and the files that were written in its place say so."""

    def __init__(self, why: str, files: Iterable[Path]) -> None:
        super().__init__(f"no result: {why}; the table and the site say so")
        self.files = tuple(files)


_SERVED = {"board-set": "each rotation", "match": "each match"}
_HISTORY_POINTS = 24
_PAIRS_SHOWN_MAX = 3
_FINDINGS_BOARDS_MAX = 500_000  # of a table that is published: two seconds more with 20 bots


def standings_of(
    config: TournamentConfig, store: Store, *, history_points: int = 0, findings_boards_max: int = EXTRAS_BOARDS_MAX
) -> Standings:
    """Rate what is in the store.

    Args:
        config: the tournament.
        store: its matches.
        history_points: how many earlier states to rate as well.
        findings_boards_max: with more boards nobody looks for gains by company and by memory.

    Raises:
        ResultError: nothing is finished yet.
    """
    results = from_columns(store.result_columns())
    return compute_standings(
        results,
        reports=store.reports(),
        rank_by=config.rank_by,
        anchor=config.anchor,
        labels=labels_of(config, store),
        history_points=history_points,
        with_findings=results.boards <= findings_boards_max,
        controlled=controlled_of(config, store, results),
    )


def labels_of(config: TournamentConfig, store: Store) -> list[str]:
    """Say what a reader must know before believing the table."""
    labels = [f"rules: {config.rules.name}", f"ruling: {config.faults.ruling.value}"]
    if config.seed is not None:
        labels.append(f"public seed {config.seed}, unrated")
    labels += stop_labels(config, store)
    if trust := trust_of(config):
        labels.append(f"trusted: {trust}")
    return [*labels, *owner_labels(config, store), *correction_labels(store)]


def stop_labels(config: TournamentConfig, store: Store) -> list[str]:
    """Say whether its own results ended it, or may: its intervals are meant for a fixed number of deals."""
    goal = None if config.until is None else f"until {config.until}"
    asked = store.events(kind="question")[-1:]
    question = asked[0].data["question"] if asked else None
    if isinstance(question, dict) and question["kind"] == "sequential":
        goal = "the sequential test of a comparison"
    if goal is None:
        return []
    finished = store.events(kind="finished")[-1:]
    if not finished:
        return [f"may stop by its own results: {goal}"]
    if finished[0].data.get("ending") == Ending.CLOSED.value:
        return [f"stopped by its own results, intervals a little too narrow: {goal}"]
    return [f"not stopped by its own results, but played to its end: {goal}"]


def owner_labels(config: TournamentConfig, store: Store) -> list[str]:
    """Say that bots of one owner were kept apart, and where they could not be."""
    plan = plan_of(config, store) if config.owners_apart else None
    if plan is None:
        return []
    entered = [change.entered for change in plan.changes if change.entered is not None]
    met = owner_meetings(plan.drawn_seatings(), [*plan.entrants, *entered])
    if not met:
        return ["bots of one owner kept apart"]
    pairs = ", ".join(f"{' and '.join(each.bots)} ({len(each.board_sets)})" for each in met[:_PAIRS_SHOWN_MAX])
    more = f", and {len(met) - _PAIRS_SHOWN_MAX} pairs more" if len(met) > _PAIRS_SHOWN_MAX else ""
    return [f"bots of one owner kept apart, but for some board sets: {pairs}{more}"]


def correction_labels(store: Store) -> list[str]:
    """Say which bots are withdrawn, how many matches annulled, and how many of the finished ones count then."""
    made = in_force(store.corrections())
    bots = sorted({each.bot for each in made if each.kind is CorrectionKind.WITHDRAW and each.bot is not None})
    annulled = len({each.key for each in made if each.kind is CorrectionKind.ANNUL})
    labels = [f"withdrawn: {', '.join(bots)}"] if bots else []
    labels += [f"annulled: {annulled:,} match{'' if annulled == 1 else 'es'}"] if annulled else []
    if labels:
        counted = len(set(store.result_columns().match))
        labels.append(f"{counted:,} of {store.finished_count():,} finished matches count")
    return labels


def trust_of(config: TournamentConfig) -> str:
    """Whom one has to believe: bots side by side on one machine could tell each other what they see."""
    if config.house or not all(bot.remote for bot in config.bots):
        served = _SERVED[config.isolation]
        return f"bots run unsandboxed on the organiser's machine, in a process for {served}"
    return ""


def publish_results(
    place: TournamentFolder,
    config: TournamentConfig,
    store: Store,
    *,
    out: Path | None = None,
    replays: int = REPLAYS,
) -> Results:
    """Rate the store, and write the table as text, Markdown, CSV, JSON and a site.

    Args:
        place: the tournament's folder.
        config: the tournament.
        store: its matches.
        out: where to write; the tournament's folder by default.
        replays: how many matches the site shows card by card at most.

    Raises:
        NoResultError: matches are finished, but none counts: the files say so now.
        ResultError: nothing is finished yet.
        OSError: it cannot be written; nothing was changed then.
    """
    from ratings.publish import publish

    try:
        standings = standings_of(
            config, store, history_points=_HISTORY_POINTS, findings_boards_max=_FINDINGS_BOARDS_MAX
        )
    except ResultError as error:
        if not store.finished_count():
            raise
        raise _nothing_published(config, store, out or place.path, error, replays) from error
    details = details_of(config, store, trust=trust_of(config))
    files = publish(
        standings, out or place.path, title=config.name, details=details, replays=replays_of(store, replays)
    )
    files += write_evidence(store, config, (out or place.path) / "site", replays=replays)
    return Results(
        standings=standings,
        text=render(standings),
        files=tuple(files),
        faults=sum(row.faults or 0 for row in standings.rows),
        fault_lines=tuple(fault_lines(store, place.path)),
        void_lines=tuple(void_lines(store, place.path)),
        reports=tuple(store.reports()),
        report_of_all=store.tournament_report(standings.reports.values()),
        root=details.root,
        replay_key=next(iter(sorted(store.finished_keys())), "")[:8],
    )


def published_files(
    place: TournamentFolder,
    config: TournamentConfig,
    store: Store,
    *,
    out: Path | None = None,
    replays: int = REPLAYS,
) -> tuple[tuple[Path, ...], str]:
    """The same as `publish_results`, for those who need no table: the files, and why they hold none where so.

    Raises:
        ResultError: nothing is finished yet.
        OSError: it cannot be written; nothing was changed then.
    """
    try:
        return publish_results(place, config, store, out=out, replays=replays).files, ""
    except NoResultError as error:
        return error.files, str(error)


def _nothing_published(
    config: TournamentConfig, store: Store, out: Path, error: ResultError, replays: int
) -> NoResultError:
    from ratings.publish import publish_nothing

    labels = correction_labels(store)
    is_empty = not store.result_columns().number
    why = "; ".join(labels if labels and is_empty else [str(error), *labels])
    details = details_of(config, store, trust=trust_of(config))
    files = publish_nothing(out, title=config.name, details=details, why=why)
    return NoResultError(why, [*files, *write_evidence(store, config, out / "site", replays=replays)])
