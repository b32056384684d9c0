"""The static site: pages that need no server, no script and no other site.

Everything is computed first and rendered through the templates beside this file; bots' names and messages are
strangers' text and pass through escaping like everything else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ratings.csv_table import csv_text
from ratings.publish import words
from ratings.publish.charts import bar_of, elo_axis, history_chart
from ratings.publish.crosstable_csv import crosstable_text
from ratings.publish.details import FAULTS_SHOWN, Details
from ratings.publish.matrices import cells_by_bot
from ratings.publish.replay_view import ReplayView, replay_view
from ratings.standings import Standings
from ratings.unclear import unclear_runs
from referee.records import MatchRecord

GENERATOR = '<meta name="generator" content="Hearts Arena">'
"""Stands in every page, and tells ours from others."""

_BAR_LENGTH = 180.0
_HISTORY_SIZE = (560.0, 300.0)
_ASSETS = ("style.css", "tables.js", "icon.svg")
# What moves a cursor, ends a string or turns the direction of the text around it, as its escape.
_CONTROLS = [*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_ESCAPES = {code: repr(chr(code))[1:-1] for code in _CONTROLS}
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")


def render_site(
    standings: Standings, *, title: str, details: Details, replays: Iterable[MatchRecord] = ()
) -> dict[str, str]:
    """Every file of the site by its path in it.

    Args:
        standings: the rating table.
        title: the tournament's name.
        details: where the numbers come from.
        replays: matches to show card by card.
    """
    environment = _environment()
    matches = [replay_view(record, details.card_values) for record in replays]
    common = _common(standings, title, details, matches)
    pages = {"index.html": environment.get_template("index.html").render(common, root="")}
    for row in standings.rows:
        page = environment.get_template("bot.html")
        pages[f"bots/{page_of(row.bot)}"] = page.render(common, root="../", row=row)
    for before, match, after in zip([None, *matches], matches, [*matches[1:], None], strict=False):
        page = environment.get_template("match.html")
        pages[f"matches/{match.page}"] = page.render(common, root="../", match=match, before=before, after=after)
    return (
        pages
        | _assets()
        | {
            "data/standings.json": json.dumps(standings.to_json(), indent=2, allow_nan=False) + "\n",
            "data/standings.csv": csv_text(standings),
            "data/crosstable.csv": crosstable_text(standings),
        }
    )


def render_nothing(*, title: str, details: Details, why: str) -> dict[str, str]:
    """Every file of a site without a result, by its path in it; `why` there is none is no whole sentence."""
    common = {"title": title, "details": details, "standings": None, "facts": words.facts(None, details)}
    page = _environment().get_template("nothing.html").render(common, root="", why=why)
    return _assets() | {
        "index.html": page,
        "data/standings.json": nothing_json(why),
        "data/standings.csv": csv_text(None),
        "data/crosstable.csv": crosstable_text(None),
    }


def nothing_json(why: str) -> str:
    """What stands in `standings.json` where there is no result."""
    return json.dumps({"bots": [], "los": {}, "warnings": [f"no result: {why}"]}, indent=2) + "\n"


def page_of(bot: str) -> str:
    """The file name of a bot's page: its name where that is harmless, else with a piece of its digest."""
    if _PLAIN_NAME.fullmatch(bot):
        return f"{bot}.html"
    plain = re.sub(r"[^a-z0-9]+", "-", bot.lower()).strip("-")[:40]
    return f"{plain or 'bot'}.{sha256(bot.encode()).hexdigest()[:8]}.html"


def _assets() -> dict[str, str]:
    folder = files("ratings.publish") / "assets"
    return {name: (folder / name).read_text(encoding="utf-8") for name in _ASSETS}


def _common(standings: Standings, title: str, details: Details, matches: list[ReplayView]) -> Mapping[str, Any]:
    axis = elo_axis(standings.rows, _BAR_LENGTH)
    bots = [row.bot for row in standings.rows]
    width, height = _HISTORY_SIZE
    return {
        "title": title,
        "standings": standings,
        "details": details,
        "matches": matches,
        "matches_of": {bot: [match for match in matches if bot in match.record.spec.bots] for bot in bots},
        "axis": axis,
        "bars": {row.bot: bar_of(row, axis) for row in standings.rows},
        "cells": cells_by_bot(standings),
        "runs": unclear_runs(standings),
        "history": history_chart(standings.history, bots, width=width, height=height),
        "lead": words.lead(standings),
        "meta": words.meta(standings, details),
        "facts": words.facts(standings, details),
    }


@cache
def _environment() -> Environment:
    """The templates, read once: compiling them takes longer than filling them."""
    environment = Environment(
        loader=PackageLoader("ratings.publish"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "signed": words.signed,
        "stated": words.stated,
        "percent": words.percent,
        "likelihood": words.likelihood,
        "count": words.count,
        "moment": words.moment,
        "ms": words.milliseconds,
        "value": words.rule_value,
        "page": page_of,
        "listed": words.listed,
    }
    environment.globals["faults_shown"] = FAULTS_SHOWN
    return environment


def _printable(value: object) -> object:
    return value.translate(_ESCAPES) if isinstance(value, str) else value
