"""What every bot did besides scoring, and the faults with their evidence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
from sqlalchemy import Connection, Select, func, select

from referee.record_json import fault_from_json
from referee.records import BotReport
from referee.store import thinking
from referee.store.corrections import left_out, standing
from referee.store.joined import coded, joined, whole_numbers
from referee.store.model import CorrectionKind, StoredFault, StoreError
from referee.store.schema import faults, matches, seats
from referee.store.schema import thinking as thinking_table


def reports(connection: Connection) -> list[BotReport]:
    """One report a bot, by name: matches, decisions and faults that count, and the times of all its matches."""
    skipped = left_out(connection)
    overruled = _overruled(connection)
    faults_of: dict[str, Counter[str]] = defaultdict(Counter)
    for row in connection.execute(select(faults).where(faults.c.match_id.not_in(skipped))):
        if (row.key, row.position) not in overruled:
            faults_of[row.bot][f"{row.kind}/{row.blame}"] += 1
    times_of: dict[str, dict[int, int]] = defaultdict(dict)
    for bot, bucket, decisions in connection.execute(select(thinking_table)):
        times_of[bot][bucket] = decisions
    return [
        BotReport(
            bot=bot,
            matches=count,
            decisions=decisions,
            faults=dict(sorted(faults_of[bot].items())),
            p50_us=min(thinking.quantile(times_of[bot], 0.5), max_us),
            p99_us=min(thinking.quantile(times_of[bot], 0.99), max_us),
            max_us=max_us,
        )
        for bot, count, decisions, max_us in _seat_totals(connection, skipped)
    ]


def tournament_report(connection: Connection, each: Iterable[BotReport]) -> BotReport:
    """The same of all bots together, from what `reports` gave; its `bot` is empty."""
    each = list(each)
    times: Counter[int] = Counter()
    for bucket, decisions in connection.execute(select(thinking_table.c.bucket, thinking_table.c.decisions)):
        times[bucket] += decisions
    faults_of: Counter[str] = Counter()
    for report in each:
        faults_of.update(report.faults)
    max_us = max((report.max_us for report in each), default=0)
    counted = select(func.count()).select_from(matches).where(matches.c.id.not_in(left_out(connection)))
    return BotReport(
        bot="",
        matches=connection.execute(counted).scalar_one(),
        decisions=sum(report.decisions for report in each),
        faults=dict(sorted(faults_of.items())),
        p50_us=min(thinking.quantile(times, 0.5), max_us),
        p99_us=min(thinking.quantile(times, 0.99), max_us),
        max_us=max_us,
    )


def versions(connection: Connection) -> dict[str, tuple[str, ...]]:
    """The versions that each bot's hello gave in the matches that count, in schedule order."""
    found: dict[str, tuple[str, ...]] = {}
    query = (
        select(seats.c.bot, seats.c.version)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(matches.c.id.not_in(left_out(connection)))
        .group_by(seats.c.bot, seats.c.version)
        .order_by(func.min(matches.c.number), seats.c.bot, seats.c.version)
    )
    for bot, version in connection.execute(query):
        found[bot] = (*found.get(bot, ()), version)
    return found


def _seat_totals(connection: Connection, skipped: Select[tuple[int]]) -> list[tuple[str, int, int, int]]:
    """Bot, matches, decisions and longest thought, of the matches that count."""
    ids, names, decisions, longest = joined(
        connection, (seats.c.match_id, ","), (seats.c.bot, "\n"), (seats.c.decisions, ","), (seats.c.max_us, ",")
    )
    known, bot = coded(names.split("\n") if ids else [])
    match_id = whole_numbers(ids)
    if len(match_id) != len(bot):
        raise StoreError("the store is damaged: its seats lack values")
    counts = ~np.isin(match_id, connection.scalars(skipped).all())
    match_id, bot = match_id[counts], bot[counts]
    couples = np.sort(match_id * len(known) + bot)
    is_first = np.diff(couples, prepend=-1) > 0  # a bot may hold several seats of a table
    matches_of = np.bincount(couples[is_first] % max(len(known), 1), minlength=len(known))
    decisions_of = np.bincount(bot, whole_numbers(decisions)[counts], len(known))
    longest_of = np.zeros(len(known), dtype=np.int64)
    np.maximum.at(longest_of, bot, whole_numbers(longest)[counts])
    return sorted(
        (name, int(matches_of[code]), int(decisions_of[code]), int(longest_of[code]))
        for name, code in known.items()
        if matches_of[code]
    )


def stored_faults(connection: Connection, *, bot: str | None) -> list[StoredFault]:
    """Every fault, of one bot or of all, in schedule order; corrections mark and hide nothing.

    Not in the order of storing: which match ends first is chance, and what is published must not follow it.
    """
    query = (
        select(faults)
        .join(matches, matches.c.id == faults.c.match_id)
        .order_by(matches.c.number, faults.c.key, faults.c.position)
    )
    if bot is not None:
        query = query.where(faults.c.bot == bot)
    overruled = _overruled(connection)
    return [
        StoredFault(
            key=row.key,
            position=row.position,
            bot=row.bot,
            fault=fault_from_json(row.detail.encode("utf-8")),
            overruled=(row.key, row.position) in overruled,
        )
        for row in connection.execute(query)
    ]


def _overruled(connection: Connection) -> set[tuple[str | None, int | None]]:
    made = standing(connection)
    return {(each.key, each.fault) for each in made if each.kind is CorrectionKind.OVERRULE}
