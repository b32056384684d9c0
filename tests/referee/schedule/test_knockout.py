"""Knockouts of groups: seeded, and always down to one full table."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.schedule.balance import balance
from referee.schedule.knockout import KnockoutRound, knockout_round, knockout_seatings
from referee.schedule.pairing import Entrant, ScheduleError


def ranked(count: int) -> list[str]:
    return [f"bot-{number + 1}" for number in range(count)]


def test_groups_are_seeded_like_a_snake() -> None:
    drawn = knockout_round(ranked(8), 4)

    assert drawn.groups == (("bot-1", "bot-4", "bot-5", "bot-8"), ("bot-2", "bot-3", "bot-6", "bot-7"))
    assert drawn.byes == ()
    assert drawn.advance == 2


def test_the_best_ranked_have_the_byes() -> None:
    assert knockout_round(ranked(10), 4).byes == ("bot-1", "bot-2")


@given(count=st.integers(3, 200), seats=st.integers(3, 11), advance=st.integers(1, 10))
def test_every_round_is_smaller_until_one_table_is_the_final(count: int, seats: int, advance: int) -> None:
    if count < seats or advance >= seats:
        return
    left = ranked(count)
    for _ in range(count):
        drawn = knockout_round(left, seats, advance)
        assert sorted([*drawn.byes, *(bot for group in drawn.groups for bot in group)]) == sorted(left)
        if drawn.is_final:
            break
        left, before = list(drawn.survivors(drawn.groups)), left
        assert seats <= len(left) < len(before)
    assert drawn.is_final
    assert len(drawn.survivors(drawn.groups)) == 1
    assert drawn.survivors(drawn.groups) == ("bot-1",)  # the best ranked wins if all goes by rank


def test_winners_go_on_before_seconds() -> None:
    drawn = KnockoutRound(groups=(("a", "b", "c"), ("d", "e", "f")), byes=("x",), advance=2)

    assert drawn.survivors([("c", "a", "b"), ("d", "f", "e")]) == ("x", "c", "d", "a", "f")


def test_a_placing_of_other_bots_is_refused() -> None:
    drawn = KnockoutRound(groups=(("a", "b", "c"),), byes=(), advance=1)

    with pytest.raises(ScheduleError, match="name each bot once"):
        drawn.survivors([("a", "b", "d")])


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_neighbours_change_evenly_within_a_group(seats: int) -> None:
    drawn = knockout_round(ranked(2 * seats), seats)

    seatings = list(knockout_seatings(drawn, "cup", board_sets=2 * (seats - 1), first_board_set=40, round_number=7))

    assert [seating.board_set for seating in seatings] == list(range(40, 40 + len(seatings)))
    assert Counter(seating.round_number for seating in seatings) == {7 + n: 2 for n in range(2 * (seats - 1))}
    for group in drawn.groups:
        own = [seating for seating in seatings if set(seating.bots) == set(group)]
        spreads = {spread.name: spread for spread in balance(own, [Entrant(name) for name in group]).spreads}
        assert spreads["left"].high - spreads["left"].low <= 2
        if seats != 6:
            assert spreads["left"].low >= 1


@pytest.mark.parametrize(
    ("count", "seats", "advance", "sentence"),
    [
        (3, 4, 2, "3 bots for a table of 4: enter 4 or more"),
        (8, 4, 4, r"advance = 4 of groups of 4: give a number in 1\.\.3"),
        (8, 4, 0, "advance = 0"),
    ],
)
def test_a_knockout_that_cannot_be_is_refused(count: int, seats: int, advance: int, sentence: str) -> None:
    with pytest.raises(ScheduleError, match=sentence):
        knockout_round(ranked(count), seats, advance)
