"""Duels: the same deals twice, the seats exchanged."""

from itertools import islice

import pytest

from referee.plan import DuelPlan
from referee.schedule.duel import duel
from referee.schedule.pairing import ScheduleError, match_key
from tests.referee.schedule.boards import matches_at


def test_a_duel_is_played_as_seated_and_with_the_seats_exchanged() -> None:
    seating = next(duel("new", "old"))

    one, other = matches_at(seating, DuelPlan, first_number=6)

    assert one.bots == ("new", "new", "old", "old")
    assert other.bots == ("old", "old", "new", "new")
    assert (one.board_set, one.attempt) == (other.board_set, other.attempt)  # so the deals are the same
    assert (one.number, other.number) == (6, 7)
    assert [one.key, other.key] == [match_key("test", 0, 0, 0), match_key("test", 0, 0, 2)]


def test_six_seats_give_three_to_each() -> None:
    seating = next(duel("new", "old", seats=6))

    assert [spec.bots for spec in matches_at(seating, DuelPlan)] == [
        ("new", "new", "new", "old", "old", "old"),
        ("old", "old", "old", "new", "new", "new"),
    ]


def test_a_duel_goes_on_until_the_test_has_decided() -> None:
    assert [seating.board_set for seating in islice(duel("new", "old"), 5000)] == list(range(5000))
    assert len(list(duel("new", "old", board_sets=30))) == 30


@pytest.mark.parametrize(
    ("first", "second", "seats", "sentence"),
    [
        ("new", "old", 5, "seats = 5: a duel gives each bot half of the seats: choose an even number"),
        ("new", "new", 4, "'new' against itself"),
        ("new", "old", 2, "seats = 2"),
    ],
)
def test_a_duel_that_cannot_be_is_refused(first: str, second: str, seats: int, sentence: str) -> None:
    with pytest.raises(ScheduleError, match=sentence):
        next(duel(first, second, seats))


def test_in_company_the_two_face_each_other_and_the_company_takes_turns_beside_them() -> None:
    tables = [seating.bots for seating in islice(duel("new", "old", company=("c", "d")), 3)]

    assert tables == [("new", "c", "old", "c"), ("new", "d", "old", "d"), ("new", "c", "old", "c")]
    assert next(duel("new", "old", seats=6, company="cde")).bots == ("new", "c", "d", "old", "c", "d")


def test_with_the_seats_exchanged_the_company_sits_where_it_sat() -> None:
    seating = next(duel("new", "old", seats=6, company=("c", "d")))

    assert [spec.bots for spec in matches_at(seating, DuelPlan)] == [
        ("new", "c", "d", "old", "c", "d"),
        ("old", "c", "d", "new", "c", "d"),
    ]


def test_a_bot_is_no_company_for_itself() -> None:
    with pytest.raises(ScheduleError, match="'new' or 'old' in its own company"):
        next(duel("new", "old", company=("old",)))
