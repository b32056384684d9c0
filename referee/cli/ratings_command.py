"""`hearts ratings`: the rating table of one tournament, of several together, or of results from anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ratings.columns import from_columns
from ratings.csv_results import read_csv
from ratings.csv_table import csv_text
from ratings.markdown_table import markdown_text
from ratings.observations import Observations, merged
from ratings.standings import compute_standings
from ratings.text_table import render
from referee.cli.console import JsonOption, QuietOption, emit, emit_json, fail, note
from referee.cli.results import labels_of
from referee.cli.tournament_folder import TournamentFolder
from referee.config import TournamentConfig
from referee.records import BotReport
from referee.store import Store


class RankBy(StrEnum):
    """The number that decides places."""

    ELO = "elo"
    POINTS = "points"


def ratings(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Folders of tournaments, or CSV files of results.")
    ],
    rank_by: Annotated[
        RankBy | None,
        typer.Option("--rank-by", help="The number that decides places; default: as configured, else elo."),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option("--anchor", metavar="BOT", help="The bot at zero Elo; default: as configured, else the mean."),
    ] = None,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the table as CSV on stdout.")] = False,
    as_md: Annotated[bool, typer.Option("--md", help="Print the table as Markdown on stdout.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Rate bots from all the results given, as if one tournament had followed the other.

    A CSV file has the columns match_id,deal_id,bot,seat,points,placement and optionally deals: one row per bot and
    rated observation, placements 1,1,3,4 where bots tie. Results of different rules are never pooled.
    """
    if as_json + as_csv + as_md > 1:
        fail("--json, --csv and --md exclude each other: give one")
    parts: dict[str, Observations] = {}
    reports: list[BotReport] = []
    configs: list[TournamentConfig] = []
    for path in paths:
        if str(path) in parts:
            fail(f"{path}: is given twice, and would count twice: leave one out")
        if path.is_dir():
            folder = TournamentFolder(path)
            configs.append(folder.config())
            with Store.open(folder.store_file, read_only=True) as store:
                parts[str(path)] = from_columns(store.result_columns())
                reports += store.reports()
        else:
            parts[str(path)] = read_csv(path)
    note(f"rating {sum(part.boards for part in parts.values()):,} results", quiet=quiet)
    configured = configs[0] if len(paths) == 1 and configs else None
    standings = compute_standings(
        next(iter(parts.values())) if len(parts) == 1 else merged(parts),
        reports=combined(reports),
        rank_by=rank_by.value if rank_by else configured.rank_by if configured else "elo",
        anchor=anchor or (configured.anchor if configured else None),
        labels=dict.fromkeys(label for config in configs for label in labels_of(config)),
    )
    if as_json:
        emit_json(standings.to_json())
    elif as_csv:
        emit(csv_text(standings))
    elif as_md:
        emit(markdown_text(standings))
    else:
        emit(render(standings))


def combined(reports: Iterable[BotReport]) -> list[BotReport]:
    """One report for each bot; of several, counts are added, and quantiles are lost (zero) except the maximum."""
    by_bot: dict[str, BotReport] = {}
    for report in reports:
        other = by_bot.get(report.bot)
        if other is None:
            by_bot[report.bot] = report
            continue
        kinds = sorted(other.faults.keys() | report.faults.keys())
        by_bot[report.bot] = BotReport(
            bot=report.bot,
            matches=other.matches + report.matches,
            decisions=other.decisions + report.decisions,
            faults={kind: other.faults.get(kind, 0) + report.faults.get(kind, 0) for kind in kinds},
            max_us=max(other.max_us, report.max_us),
        )
    return list(by_bot.values())
