"""The rating table: everything that is known about the bots of some results, in one value.

`compute_standings` is a pure function: the same results in any order of arrival give the same table to the
byte.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ratings.arrays import Floats, Ints, ratio
from ratings.autopilot import autopilot_warnings
from ratings.bradley_terry import fit_bradley_terry
from ratings.company import CHANCE, Finding, find_company, find_memory
from ratings.control import Controlled
from ratings.crosstable import Crosstable, crosstable
from ratings.fit import Fit
from ratings.observations import Observations, ResultError
from ratings.online import OnlineElo, fold
from ratings.places import Places, find_places
from ratings.points import fit_points, points_means
from ratings.superiority import Superiority, compare_all, identical_play
from referee.records import BotReport

RankBy = Literal["elo", "points"]
HISTORY_POINTS = 12
EXTRAS_BOARDS_MAX = 20_000  # history and findings of more boards take about as long as the table: ask for them


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """One bot; None stands for a number that does not exist, and `statement` says what is known of its Elo."""

    place: int | None  # shared by equal values; None where the results can't put the bot in order with the others
    bot: str
    elo: float | None
    elo_low: float | None  # 95 % interval; for a bot that never lost, the bound of the statement
    elo_high: float | None
    se: float | None
    statement: str | None  # such as "above +350", "one deal only"
    points: float | None  # points a deal fewer than the mean of the rated bots
    points_low: float | None
    points_high: float | None
    points_se: float | None
    points_mean: float | None  # plain mean of the points taken a deal
    online_elo: float
    deals: int  # different deals
    matches: int
    boards: int
    rank_low: int | None  # best and worst rank that the data allow, by the number that ranks
    rank_high: int | None
    not_separated_from: tuple[str, ...]  # rated bots that the data can't tell from this one
    faults: int | None  # charged to the bot; None without a report


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPoint:
    """The rating after a round, from all results up to it: (Elo, low, high) of each bot that has a number."""

    round_number: int
    boards: int
    elo: Mapping[str, tuple[float, float, float]]
    online_elo: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """A whole rating table. `rows` are in order of place."""

    rows: tuple[StandingsRow, ...]
    los: Mapping[str, Mapping[str, float]]  # likelihood of superiority, by the number that ranks
    crosstable: Crosstable
    warnings: tuple[str, ...]
    labels: tuple[str, ...]  # words of the organiser beside the table, such as "trusted" or "public seed"
    rank_by: RankBy
    anchor: str | None  # the bot at zero Elo; None where zero is the mean of the rated bots
    online_source: str  # which code computed the online Elo; both give the same to 1e-9
    unit: str
    rules: str
    boards: int
    deals: int
    tied_boards: int  # on which bots share a place
    history: tuple[HistoryPoint, ...]
    reports: Mapping[str, BotReport]
    controlled: Controlled | None  # what points are fitted to, where luck of the cards is taken out
    findings: tuple[Finding, ...] | None  # gains by company, and by having seen a deal before; None: not looked for

    @property
    def finding_sentences(self) -> list[str]:
        """What was found, and how often chance alone finds something; nothing where nothing was."""
        return [*map(str, self.findings), CHANCE] if self.findings else []

    def to_json(self) -> dict[str, object]:
        """The machine form of `hearts ratings --json`, whose keys stay: other programs are built on them.

        `low` and `high` of a bot are the ends of its Elo's interval. A bot without a number has null there and a
        key `statement` besides; findings have a key of their own where there are any, and so has the control
        variate where there is one.
        """
        form: dict[str, object] = {
            "bots": [_row_json(row) for row in self.rows],
            "los": {bot: dict(others) for bot, others in self.los.items()},
            "warnings": list(self.warnings),
            "rank_by": self.rank_by,
            "anchor": self.anchor,
            "unit": self.unit,
            "labels": list(self.labels),
        }
        if self.findings:
            form["findings"] = [finding.to_json() for finding in self.findings]
        if self.controlled is not None:
            form["control_variate"] = self.controlled.to_json()
        return form


def compute_standings(
    results: Observations,
    *,
    reports: Iterable[BotReport] = (),
    rank_by: RankBy = "elo",
    anchor: str | None = None,
    labels: Iterable[str] = (),
    history_points: int | None = None,
    with_findings: bool | None = None,
    controlled: Controlled | None = None,
) -> Standings:
    """Rate everything.

    Args:
        results: the boards.
        reports: what the bots did besides scoring, for the faults column.
        rank_by: the number that decides places; both are always shown.
        anchor: the bot that is set to zero Elo; by default zero is the mean of the rated bots.
        labels: words to print beside the table.
        history_points: how many earlier states to rate as well, evenly spread over the rounds;
            by default `HISTORY_POINTS` up to `EXTRAS_BOARDS_MAX` boards, none above.
        with_findings: look also for gains by company and by memory (`ratings.company`);
            by default up to `EXTRAS_BOARDS_MAX` boards.
        controlled: the same boards with points from which luck of the cards is taken out.

    Raises:
        ResultError: there is no result, or the anchor is none of the bots.
    """
    if not results.boards:
        raise ResultError("there is no result to rate yet")
    for_points = results if controlled is None else controlled.results
    elo, points, online = fit_bradley_terry(results, anchor=anchor), fit_points(for_points), fold(results)
    ranking = elo if rank_by == "elo" else points
    compared = compare_all(ranking)
    is_small = results.boards <= EXTRAS_BOARDS_MAX
    if history_points is None:
        history_points = HISTORY_POINTS if is_small else 0
    if with_findings is None:
        with_findings = is_small
    by_bot = {report.bot: report for report in reports}
    table = crosstable(results)
    places = find_places(ranking, compared, _win_shares(table))
    rows = _rows(results, elo, points, online, compared, places, by_bot)
    return Standings(
        rows=tuple(rows[index] for index in places.order),
        los=_los(ranking, compared),
        crosstable=table,
        warnings=tuple(
            dict.fromkeys(
                (*autopilot_warnings(results), *elo.warnings, *points.warnings, *identical_play(elo, points))
            )
        ),
        labels=tuple(labels),
        rank_by=rank_by,
        anchor=elo.anchor,
        online_source=online.source,
        unit=results.unit,
        rules=results.rules,
        boards=results.boards,
        deals=results.deals_played,
        tied_boards=_tied_boards(results),
        history=_history(results, online, anchor, history_points),
        reports=by_bot,
        controlled=controlled,
        findings=find_company(for_points, points) + find_memory(for_points, points) if with_findings else None,
    )


def _rows(
    results: Observations,
    elo: Fit,
    points: Fit,
    online: OnlineElo,
    compared: Superiority,
    places: Places,
    reports: Mapping[str, BotReport],
) -> list[StandingsRow]:
    elo_low, elo_high = elo.interval()
    points_low, points_high = points.interval()
    elo_low = np.where(elo.rated, elo_low, elo.low_bound)
    elo_high = np.where(elo.rated, elo_high, elo.high_bound)
    means, deals, matches, boards = points_means(results), *_amounts(results)
    rows = []
    for index, bot in enumerate(results.bots):
        unclear = ~np.isnan(compared.los[index]) & ~compared.separated[index]
        report = reports.get(bot)
        rows.append(
            StandingsRow(
                place=places.place[index],
                bot=bot,
                elo=_number(elo.value[index]),
                elo_low=_number(elo_low[index]),
                elo_high=_number(elo_high[index]),
                se=_number(elo.se[index]),
                statement=elo.statements.get(bot),
                points=_number(points.value[index]),
                points_low=_number(points_low[index]),
                points_high=_number(points_high[index]),
                points_se=_number(points.se[index]),
                points_mean=_number(means[index]),
                online_elo=float(online.rating[index]),
                deals=int(deals[index]),
                matches=int(matches[index]),
                boards=int(boards[index]),
                rank_low=places.rank_low[index],
                rank_high=places.rank_high[index],
                not_separated_from=tuple(results.bots[i] for i in np.flatnonzero(unclear)),
                faults=None if report is None else sum(report.charged.values()),
            )
        )
    return rows


def _tied_boards(results: Observations) -> int:
    """Boards that all bots played to the end and on which some share a place: the places then sum up to less."""
    places = np.bincount(results.board_of_row, results.place, results.boards)
    seats = results.seats
    return int(((places < seats * (seats + 1) / 2) & ~results.has_autopilot).sum())


def _win_shares(table: Crosstable) -> Floats:
    met = table.met.sum(axis=1)
    won = np.nansum(table.score * table.met, axis=1)
    return ratio(won, met, otherwise=0.0)


def _los(ranking: Fit, compared: Superiority) -> dict[str, dict[str, float]]:
    """The defined entries only: a pair that cannot be compared has none."""
    return {
        bot: {
            other: float(compared.los[i, j])
            for j, other in enumerate(ranking.bots)
            if not math.isnan(compared.los[i, j])
        }
        for i, bot in enumerate(ranking.bots)
    }


def _amounts(results: Observations) -> tuple[Ints, Ints, Ints]:
    """Different deals, matches and boards of each bot."""
    size = len(results.bots)
    entries, board = results.entries, results.board_of_row
    deals = np.bincount(entries.bot, results.deals_of_deal[entries.deal], size).astype(np.int64)
    matches = _distinct(results.match[board], results.bot, size)
    return deals, matches, _distinct(board, results.bot, size)


def _distinct(group: Ints, bot: Ints, size: int) -> Ints:
    couples = np.sort(group.astype(np.int64) * size + bot)
    fresh = np.diff(couples, prepend=-1) > 0
    return np.bincount(couples[fresh] % size, minlength=size)


def _history(results: Observations, online: OnlineElo, anchor: str | None, points: int) -> tuple[HistoryPoint, ...]:
    if points < 1:
        return ()
    last = len(online.rounds) - 1
    chosen = sorted({round(last * step / points) for step in range(1, points + 1)})
    history = []
    for index in chosen:
        round_number, rating = online.rounds[index]
        part = results.until(round_number)
        fit = fit_bradley_terry(part, anchor=anchor)
        low, high = fit.interval()
        history.append(
            HistoryPoint(
                round_number=round_number,
                boards=part.boards,
                elo={
                    bot: (float(fit.value[i]), float(low[i]), float(high[i]))
                    for i, bot in enumerate(fit.bots)
                    if fit.rated[i]
                },
                online_elo={bot: float(rating[i]) for i, bot in enumerate(fit.bots)},
            )
        )
    return tuple(history)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _row_json(row: StandingsRow) -> dict[str, object]:
    fields: dict[str, object] = {
        "bot": row.bot,
        "elo": row.elo,
        "se": row.se,
        "low": row.elo_low,
        "high": row.elo_high,
        "points": row.points,
        "points_se": row.points_se,
        "points_mean": row.points_mean,
        "online_elo": row.online_elo,
        "deals": row.deals,
        "matches": row.matches,
        "place": row.place,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        "not_separated_from": list(row.not_separated_from),
    }
    if row.elo is None:
        fields["statement"] = row.statement
    return fields
