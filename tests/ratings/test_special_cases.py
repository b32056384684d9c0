"""Results that no formula fits: each is read from a file, and the table says what it is in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest

from ratings.csv_results import read_csv
from ratings.standings import Standings, compute_standings
from ratings.text_table import render

Board = tuple[str, Sequence[float]]
"""Bots by seat, one letter each, and their points."""


def rated(tmp_path: Path, boards: Iterable[Board]) -> tuple[Standings, str]:
    """The standings of these boards, a deal each, and their table as one line."""
    rows = ["match_id,deal_id,bot,seat,points,placement"]
    for number, (bots, points) in enumerate(boards):
        for seat, (bot, own) in enumerate(zip(bots, points, strict=True)):
            place = 1 + sum(other < own for other in points)
            rows.append(f"m{number},d{number},{bot},{seat},{own},{place}")
    file = tmp_path / "results.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    standings = compute_standings(read_csv(file))
    return standings, " ".join(render(standings).split())


def by_chance(bots: str, boards: int, *, seed: int = 1) -> list[Board]:
    rng = np.random.default_rng(seed)
    return [(bots, rng.permutation(len(bots)).tolist()) for _ in range(boards)]


def test_ties_are_half_a_win_each(tmp_path: Path) -> None:
    standings, text = rated(tmp_path, [*by_chance("abcd", 30), *[("abcd", (0, 0, 13, 13))] * 10])

    assert "= a place is shared on 10 of 40 boards: half a win each" in text
    assert all(row.elo is not None for row in standings.rows)
    assert "shared" not in rated(tmp_path, by_chance("abcd", 30))[1]


def test_a_winless_bot_is_below_a_bound(tmp_path: Path) -> None:
    boards = [(f"{bots}x", (*points, 26)) for bots, points in by_chance("abc", 40)]

    standings, text = rated(tmp_path, boards)

    statement = next(row.statement for row in standings.rows if row.bot == "x")
    assert statement is not None
    assert statement.startswith("below -")
    assert f"x never won against the rated bots in 40 deals: its Elo is {statement} (95 %), no number" in text


def test_a_bot_that_never_lost_is_above_a_bound(tmp_path: Path) -> None:
    boards = [(f"{bots}x", (*points, -1)) for bots, points in by_chance("abc", 40)]

    standings, text = rated(tmp_path, boards)

    assert standings.rows[0].bot == "x"
    assert (
        f"x never lost against the rated bots in 40 deals: its Elo is {standings.rows[0].statement} (95 %)" in text
    )


def test_two_pools_get_no_common_list(tmp_path: Path) -> None:
    standings, text = rated(tmp_path, [*by_chance("abcd", 30), *by_chance("efgh", 30)])

    assert (
        "2 pools of bots never met (a, b, c, d | e, f, g, h): no single list exists, rate each pool by itself"
        in text
    )
    assert [row.place for row in standings.rows] == [None] * 8


def test_one_deal_is_no_sample(tmp_path: Path) -> None:
    standings, text = rated(tmp_path, [*by_chance("abcd", 30), ("abcx", (1, 2, 3, 0))])

    assert "no Elo for bots seen in one deal only, which is no sample: x" in text
    assert standings.rows[-1].statement == "one deal only"


def test_bots_that_every_deal_left_even_are_said_to_play_identically(tmp_path: Path) -> None:
    boards = [("abcd", (first, first, second, third)) for _, (first, second, third) in by_chance("acd", 30)]

    standings, text = rated(tmp_path, boards)

    assert "identical play: a, b came out even on every deal, so that their difference has no interval" in text
    assert standings.los["a"]["b"] == pytest.approx(0.5)
    assert "identical" not in rated(tmp_path, by_chance("abcd", 30))[1]


def test_negative_scores_are_fewer_points(tmp_path: Path) -> None:
    boards = [
        (bots, [own - 26 if bot == "a" else own for bot, own in zip(bots, points, strict=True)])
        for bots, points in by_chance("abcd", 30)
    ]

    standings, text = rated(tmp_path, boards)

    best = standings.rows[0]
    assert (best.bot, best.statement is not None) == ("a", True)
    assert best.points == pytest.approx(19.5, abs=1)
    assert best.points_mean == pytest.approx(-24.5, abs=1)
    assert "points fewer points a deal than the mean bot" in text


@pytest.mark.parametrize("seats", [3, 6])
def test_tables_of_other_sizes_are_rated_alike(seats: int, tmp_path: Path) -> None:
    standings, text = rated(tmp_path, by_chance("abcdef"[:seats], 60))

    assert text.startswith(f"Standings · {seats} bots · 60 boards of 60 different deals")
    assert sum(row.elo or 0 for row in standings.rows) == pytest.approx(0, abs=1e-9)
    assert {row.deals for row in standings.rows} == {60}
    assert all(row.elo_low is not None and row.elo_low < (row.elo or 0) for row in standings.rows)
