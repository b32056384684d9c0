"""`hearts ratings`: the rating table of one tournament, of several together, or of results from anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ratings.csv_table import csv_text
from ratings.history import history_csv, history_json
from ratings.markdown_table import markdown_text
from ratings.standings import compute_standings
from ratings.text_table import render
from referee.cli.console import JsonOption, QuietOption, emit, emit_json, fail, note
from referee.cli.result_files import pooled, pooled_control, pooled_labels, read_all
from referee.records import BotReport

HISTORY_ROUNDS_MAX = 500  # evenly spread where there are more: each is a fit of its own


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
    as_of: Annotated[
        int | None, typer.Option("--as-of", metavar="ROUND", min=0, help="Rate as the results stood after a round.")
    ] = None,
    with_history: Annotated[
        bool, typer.Option("--history", help="Print each bot's rating after each round instead, for a plot.")
    ] = False,
    with_findings: Annotated[
        bool,
        typer.Option("--findings", help="Look for gains by company and by memory also in more than 20,000 boards."),
    ] = False,
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
    if with_history and as_md:
        fail("--history is printed as CSV, or with --json: leave --md out")
    files = read_all(paths)
    results, controlled = pooled(files), pooled_control(files)
    note(f"rating {results.boards:,} results", quiet=quiet)
    if as_of is not None:
        last = int(results.round_number.max()) if results.boards else 0
        if as_of > last:
            fail(f"--as-of {as_of}: the last round with a result is {last}, counted from 0: give at most that")
        results = results.until(as_of)
        controlled = controlled and controlled.until(as_of)
        if not results.boards:
            fail(f"--as-of {as_of}: there is no result of a round up to it; rounds are counted from 0")
    configured = files[0].config if len(files) == 1 else None
    standings = compute_standings(
        results,
        # What the bots did besides scoring is not told by round.
        reports=() if as_of is not None else combined(report for file in files for report in file.reports),
        rank_by=rank_by.value if rank_by else configured.rank_by if configured else "elo",
        anchor=anchor or (configured.anchor if configured else None),
        labels=[*pooled_labels(files), *([] if as_of is None else [f"as of round {as_of}"])],
        history_points=HISTORY_ROUNDS_MAX if with_history else None,
        with_findings=with_findings or None,
        controlled=controlled,
    )
    note(f"online Elo computed by {standings.online_source}", quiet=quiet)
    if with_history:
        points = standings.history
        emit_json(history_json(points)) if as_json else emit(history_csv(points))
    elif as_json:
        emit_json(standings.to_json())
    else:
        emit((csv_text if as_csv else markdown_text if as_md else render)(standings))


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
