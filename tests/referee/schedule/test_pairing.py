"""Tables and the matches they stand for."""

from collections import Counter

import pytest

from referee.schedule.pairing import Entrant, ScheduleError, Seating, field_of, match_key
from tests.referee.schedule.boards import matches_at

TABLE = Seating(round_number=3, board_set=17, bots=("ann", "bob", "cas", "dee"))


def test_each_rotation_moves_every_bot_one_seat_clockwise() -> None:
    specs = matches_at(TABLE)

    assert [spec.bots for spec in specs] == [
        ("ann", "bob", "cas", "dee"),
        ("dee", "ann", "bob", "cas"),
        ("cas", "dee", "ann", "bob"),
        ("bob", "cas", "dee", "ann"),
    ]


def test_a_full_set_of_rotations_gives_every_bot_every_seat_once() -> None:
    specs = matches_at(TABLE)

    seats = Counter((bot, seat) for spec in specs for seat, bot in enumerate(spec.bots))

    assert set(seats.values()) == {1}
    assert len(seats) == 16


def test_specs_carry_schedule_order_round_and_attempt() -> None:
    specs = matches_at(TABLE, tournament="cup", deals=0, attempt=1, first_number=68)[:2]

    assert [(s.number, s.round_number, s.board_set, s.attempt, s.rotation, s.deals) for s in specs] == [
        (68, 3, 17, 1, 0, 0),
        (69, 3, 17, 1, 1, 0),
    ]
    assert [s.key for s in specs] == [match_key("cup", 17, 1, 0), match_key("cup", 17, 1, 1)]


def test_a_match_key_never_changes() -> None:
    assert match_key("cup", 17, 0, 2) == "67eba3497fa303a5ac9cfd77"


def test_keys_differ_in_every_part_of_the_identity() -> None:
    keys = {
        match_key(cup, board_set, attempt, rotation)
        for cup in ("cup", "cup,1", 'c"')
        for board_set in range(30)
        for attempt in range(3)
        for rotation in range(4)
    }

    assert len(keys) == 3 * 30 * 3 * 4


def test_house_bots_sit_only_where_seats_would_be_empty() -> None:
    house = [Entrant(f"house-{number}", is_house=True) for number in range(3)]
    guests = [Entrant(name) for name in "abcde"]

    assert [e.name for e in field_of([*house, *guests[:2]], seats=4)] == ["a", "b", "house-0", "house-1"]
    assert [e.name for e in field_of([*house, *guests], seats=4)] == list("abcde")


@pytest.mark.parametrize(
    ("entrants", "seats", "sentence"),
    [
        ([], 4, "none besides house bots"),
        ([Entrant("h", is_house=True)], 4, "none besides house bots"),
        ([Entrant("a"), Entrant("a")], 4, "'a' is there 2 times"),
        (
            [Entrant("a"), Entrant("h", is_house=True)],
            4,
            "1 bot and 1 house bot for a table of 4: enter 2 more bots",
        ),
        ([Entrant("a")], 2, "seats = 2: Hearts is scheduled for 3 to 11 seats"),
        ([Entrant("a")], 12, "seats = 12"),
    ],
)
def test_a_field_that_fills_no_table_is_refused_in_one_sentence(
    entrants: list[Entrant], seats: int, sentence: str
) -> None:
    with pytest.raises(ScheduleError, match=sentence):
        field_of(entrants, seats)
