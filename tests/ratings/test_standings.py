"""The rating table as others see it: rows, places, the machine form, the text."""

import json

import numpy as np
import pytest

from ratings.observations import ResultError, from_boards
from ratings.simulation import simulate
from ratings.standings import compute_standings
from ratings.text_table import WIDTH, render
from referee.records import BoardResult, BotReport
from tests.ratings.boards import board

POOL = {"counter": 120.0, "duck": 60.0, "low": 55.0, "random": -200.0, "shooter": 0.0}
SEED = 4


def test_the_rows_come_in_order_of_place_with_both_numbers_and_their_intervals() -> None:
    standings = compute_standings(simulate(POOL, 300, np.random.default_rng(SEED)))

    assert [row.place for row in standings.rows] == [1, 2, 3, 4, 5]
    assert standings.rows[0].bot == "counter"
    assert standings.rows[-1].bot == "random"
    for row in standings.rows:
        assert row.elo is not None
        assert row.elo_low is not None
        assert row.elo_high is not None
        assert row.elo_low < row.elo < row.elo_high
        assert row.points is not None


def test_close_bots_are_marked_as_not_separated_and_far_ones_are_not() -> None:
    standings = compute_standings(simulate(POOL, 300, np.random.default_rng(SEED)))
    by_bot = {row.bot: row for row in standings.rows}

    assert "low" in by_bot["duck"].not_separated_from
    assert by_bot["random"].not_separated_from == ()
    assert (by_bot["random"].rank_low, by_bot["random"].rank_high) == (5, 5)


def test_the_los_of_two_bots_add_up_to_one() -> None:
    los = compute_standings(simulate(POOL, 100, np.random.default_rng(SEED))).los

    assert all(los[a][b] + los[b][a] == pytest.approx(1.0) for a in POOL for b in POOL if a != b)


def test_ranking_by_points_orders_by_points() -> None:
    standings = compute_standings(simulate(POOL, 100, np.random.default_rng(SEED)), rank_by="points")

    points = [row.points for row in standings.rows if row.points is not None]
    assert len(points) == 5
    assert points == sorted(points, reverse=True)


def test_the_machine_form_has_exactly_the_keys_that_other_programs_read() -> None:
    form = compute_standings(simulate(POOL, 60, np.random.default_rng(SEED))).to_json()

    assert set(form) == {"bots", "los", "warnings", "rank_by", "anchor", "unit", "labels"}
    bots = json.loads(json.dumps(form))["bots"]
    assert set(bots[0]) == {
        *(
            "bot",
            "elo",
            "se",
            "low",
            "high",
            "points",
            "points_se",
            "points_mean",
            "online_elo",
            "deals",
            "matches",
        ),
        *("place", "rank_low", "rank_high", "not_separated_from"),
    }
    assert sum(bot["elo"] for bot in bots) == pytest.approx(0.0, abs=1e-9)


def test_the_machine_form_says_what_the_table_says() -> None:
    results = simulate(POOL, 60, np.random.default_rng(SEED))

    standings = compute_standings(results, rank_by="points", anchor="duck", labels=["public seed 7, unrated"])
    form = json.loads(json.dumps(standings.to_json()))

    assert (form["rank_by"], form["anchor"], form["unit"]) == ("points", "duck", "board")
    assert form["labels"] == ["public seed 7, unrated"]
    for bot, row in zip(form["bots"], standings.rows, strict=True):
        assert (bot["place"], bot["rank_low"], bot["rank_high"]) == (row.place, row.rank_low, row.rank_high)
        assert bot["not_separated_from"] == list(row.not_separated_from)
    assert [bot["place"] for bot in form["bots"]] == [1, 2, 3, 4, 5]
    assert any(bot["not_separated_from"] for bot in form["bots"])


def test_the_history_ends_at_the_table() -> None:
    standings = compute_standings(simulate(POOL, 200, np.random.default_rng(SEED)), history_points=4)

    assert [point.round_number for point in standings.history] == [5, 10, 14, 19]
    for row in standings.rows:
        assert standings.history[-1].elo[row.bot][0] == row.elo
        assert standings.history[-1].online_elo[row.bot] == row.online_elo


def test_the_text_table_fits_eighty_columns_and_explains_itself() -> None:
    reports = [BotReport(bot="duck", matches=9, decisions=99, faults={"timeout/bot": 2, "exit/host": 1})]
    text = render(
        compute_standings(simulate(POOL, 300, np.random.default_rng(SEED)), reports=reports, labels=["trusted"])
    )

    assert max(map(len, text.splitlines())) <= WIDTH
    assert "trusted" in text
    assert "      ≈  not separated by these results: duck ≈ low" in text
    assert next(line for line in text.splitlines() if "duck" in line).endswith(" 2")


def test_no_results_are_refused_in_a_sentence() -> None:
    with pytest.raises(ResultError, match="no result to rate yet"):
        compute_standings(from_boards([]))


def one(number: int, bots: str, places: tuple[int, ...], autopilot: bool = False) -> BoardResult:
    return board(number, bots, places, (autopilot,) * len(bots))


@pytest.mark.parametrize(
    ("boards", "statements"),
    [
        ([one(0, "ab", (1, 2))], {"a": "one deal only", "b": "one deal only"}),
        ([one(n, "aa", (1, 2)) for n in range(3)], {"a": "no results"}),
        ([one(n, "ab", (1, 1), autopilot=True) for n in range(3)], {"a": "no results", "b": "no results"}),
        ([one(n, "ab" if n % 2 else "cd", (1, 2)) for n in range(20)], dict.fromkeys("abcd", "pool")),
        ([one(n, "abc", (1, 2, 3)) for n in range(20)], {"a": "above", "b": "not comparable", "c": "below"}),
    ],
)
def test_where_there_is_no_number_there_is_a_statement(
    boards: list[BoardResult], statements: dict[str, str]
) -> None:
    standings = compute_standings(from_boards(boards), history_points=2)

    for row in standings.rows:
        assert row.elo is None
        assert row.statement is not None
        assert row.statement.startswith(statements[row.bot])
        assert row.statement in render(standings)
    assert {row.place for row in standings.rows} <= {None, 1, 2}
    assert all(bot["statement"] for bot in json.loads(json.dumps(standings.to_json()))["bots"])


def test_bots_of_pools_that_never_met_have_no_place() -> None:
    standings = compute_standings(from_boards([one(n, "ab" if n % 2 else "cd", (1, 2)) for n in range(20)]))

    assert [row.place for row in standings.rows] == [None] * 4
    assert [row.elo_low for row in standings.rows] == [None] * 4
