"""Places: a bound alone puts nobody above the others, and whoever has a place has a rank interval that holds it."""

from __future__ import annotations

import numpy as np
import pytest

from ratings.observations import Observations, from_boards
from ratings.standings import Standings, StandingsRow, compute_standings
from tests.ratings.boards import board

ELO = {"a": 200.0, "b": 60.0, "c": 0.0, "d": -60.0}


def with_newcomer(boards: int, performance: float, *, seed: int = 3) -> Observations:
    """Four bots in 300 deals, and `n`, which always performs like this, against b, c and d in some more."""
    rng = np.random.default_rng(seed)

    def chance(bots: str) -> np.ndarray:
        return np.array([performance if bot == "n" else ELO[bot] / 174 + rng.gumbel() for bot in bots])

    return from_boards(
        board(number, bots, -chance(bots), round_number=number)
        for number, bots in enumerate(["abcd"] * 300 + ["nbcd"] * boards)
    )


def rated(results: Observations, anchor: str | None = None) -> Standings:
    return compute_standings(results, anchor=anchor, history_points=0, with_findings=False)


def row_of(standings: Standings, bot: str) -> StandingsRow:
    return next(row for row in standings.rows if row.bot == bot)


@pytest.mark.parametrize(("performance", "statement"), [(99.0, "above"), (-99.0, "below")])
def test_two_boards_without_a_loss_or_a_win_give_no_place(performance: float, statement: str) -> None:
    standings = rated(with_newcomer(2, performance))

    newcomer = row_of(standings, "n")
    assert newcomer.statement is not None
    assert newcomer.statement.startswith(statement)
    assert newcomer.place is None
    assert standings.rows[-1] is newcomer
    assert [row.place for row in standings.rows[:4]] == [1, 2, 3, 4]


def test_a_bot_that_never_lost_in_many_deals_is_placed_above_all_and_counts_in_their_ranks() -> None:
    standings = rated(with_newcomer(40, 99.0))

    assert (standings.rows[0].bot, standings.rows[0].place) == ("n", 1)
    assert (row_of(standings, "a").place, row_of(standings, "a").rank_low, row_of(standings, "a").rank_high) == (
        *(2, 2, 2),
    )


def test_a_bot_that_never_won_in_many_deals_is_placed_below_all_and_leaves_their_ranks() -> None:
    standings = rated(with_newcomer(40, -99.0))

    assert (standings.rows[-1].bot, standings.rows[-1].place) == ("n", 5)
    assert row_of(standings, "a").rank_low == 1
    assert row_of(standings, "d").rank_high == 4


@pytest.mark.parametrize("boards", [2, 12, 14, 16, 40])
def test_the_anchor_moves_nobody(boards: int) -> None:
    results = with_newcomer(boards, 99.0)

    orders = {
        tuple((row.bot, row.place) for row in rated(results, anchor=anchor).rows) for anchor in (None, "a", "d")
    }

    assert len(orders) == 1


def test_a_bot_with_a_place_has_it_within_its_rank_interval() -> None:
    for boards in (0, 2, 40):
        for row in rated(with_newcomer(boards, 99.0)).rows:
            if row.rank_low is not None:
                assert row.rank_high is not None
                assert row.place is not None
                assert row.rank_low <= row.place <= row.rank_high


@pytest.mark.parametrize(("deals", "places"), [(2, [None, None]), (8, [1, 2])])
def test_where_nobody_has_a_number_places_need_a_bound_beyond_even(deals: int, places: list[int | None]) -> None:
    standings = rated(from_boards(board(n, "ab", (0, 1)) for n in range(deals)))

    assert [row.bot for row in standings.rows] == ["a", "b"]
    assert [row.place for row in standings.rows] == places
