"""The standings as CSV and Markdown."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import fields
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from markdown_it import MarkdownIt
from rich.cells import cell_len

from ratings.csv_results import read_csv
from ratings.csv_table import COLUMNS, csv_text
from ratings.history import history_csv
from ratings.markdown_table import markdown_text
from ratings.publish.crosstable_csv import crosstable_text
from ratings.simulation import simulate
from ratings.standings import HistoryPoint, Standings, StandingsRow, compute_standings
from ratings.text_table import render

ORDERS = ("abcd", "bacd", "abdc", "cabd", "dabc", "abcd")


def standings_of(tmp_path: Path, names: dict[str, str], orders: tuple[str, ...] = ORDERS) -> Standings:
    file = tmp_path / "results.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["match_id", "deal_id", "bot", "seat", "points", "placement"])
        for deal, order in enumerate(orders):
            for seat, bot in enumerate(order):
                writer.writerow([f"m{deal}", f"d{deal}", names.get(bot, bot), seat, 5 * seat, seat + 1])
    return compute_standings(read_csv(file))


@pytest.fixture
def standings(tmp_path: Path) -> Standings:
    return standings_of(tmp_path, {"a": 'say "hi", a|b_c'})


def test_csv_gives_every_number_back_exactly(standings: Standings) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(standings))))

    assert [row["bot"] for row in rows] == [row.bot for row in standings.rows]
    assert [float(row["elo"]) for row in rows] == [row.elo for row in standings.rows]
    assert [row["faults"] for row in rows] == [""] * 4, "nobody knows the faults of a CSV file"


def test_csv_has_every_field_but_the_list_of_others() -> None:
    assert set(COLUMNS) == {field.name for field in fields(StandingsRow)} - {"not_separated_from"}


def test_markdown_is_one_table_with_a_row_a_bot(standings: Standings) -> None:
    table = [line for line in markdown_text(standings).splitlines() if line.startswith("|")]

    assert len(table) == 2 + len(standings.rows)
    assert {line.replace(r"\|", "").count("|") for line in table} == {10}


def test_a_name_is_no_markup(standings: Standings) -> None:
    assert r'say "hi", a\|b\_c' in markdown_text(standings)


@pytest.mark.parametrize(
    "name",
    ["&lt;b&gt;x", "https://evil.example", "see www.evil.example", "@octocat", "me@evil.example", "#12", ":tada:x"],
)
def test_a_name_in_markdown_is_no_entity_and_neither_link_nor_mention(tmp_path: Path, name: str) -> None:
    text = markdown_text(standings_of(tmp_path, {"a": name}))
    html = MarkdownIt("commonmark").enable("table").render(text)
    shown = unescape(re.sub(r"<[^>]*>", " ", html))

    assert name in shown.replace("\u2060", ""), "it reads as it is"
    assert not re.search(r"://|www\.|[@#:]\w", shown), "what is shown is what links are made of"


def test_a_wide_name_keeps_the_columns_of_the_text_table_below_each_other(tmp_path: Path) -> None:
    lines = render(standings_of(tmp_path, {"a": "日本語" * 7, "b": "n" * 40})).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("─"))

    assert {cell_len(line) for line in lines[start - 1 : start + 5]} == {cell_len(lines[start])}


@pytest.mark.parametrize("name", ["=1+1", "+cmd|x", "-2+3", "@sum(a1)"])
def test_a_name_in_a_csv_file_is_no_formula(tmp_path: Path, name: str) -> None:
    standings = standings_of(tmp_path, {"a": name})
    point = HistoryPoint(round_number=0, boards=1, elo={name: (-1.0, -2.0, 3.0)}, online_elo={name: 1200.0})

    for text in (csv_text(standings), crosstable_text(standings), history_csv([point])):
        (cell,) = {row["bot"] for row in csv.DictReader(io.StringIO(text)) if name in row["bot"]}
        assert cell == f"'{name}"
    assert history_csv([point]).endswith(",-1.00,-2.00,3.00,1200.00\n"), "numbers stay numbers"


def test_a_bot_that_cannot_be_numbered_has_its_statement(tmp_path: Path) -> None:
    standings = standings_of(tmp_path, {}, ("abcd", "acbd", "abdc", "adbc"))
    statements = [row.statement for row in standings.rows if row.statement]

    assert statements
    for statement in statements:
        assert statement in markdown_text(standings)
        assert statement in csv_text(standings)


def test_a_long_run_of_bots_that_are_not_separated_is_known_by_its_ends() -> None:
    equal = {f"bot-{number:02}": 0.0 for number in range(10)}
    standings = compute_standings(simulate(equal, 60, np.random.default_rng(3)), with_findings=False)

    text = " ".join(render(standings).split())

    first, last = standings.rows[0].bot, standings.rows[-1].bot
    assert f"≈ not separated by these results: the 10 bots from {first} down to {last} " in text
