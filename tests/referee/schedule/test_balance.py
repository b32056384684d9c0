"""The figures that are published with a schedule."""

import json

from referee.schedule.balance import balance, owner_meetings
from referee.schedule.pairing import Entrant, Seating
from referee.schedule.round_robin import round_robin

TWO_TABLES = [Seating(0, 0, ("a", "b", "c", "d")), Seating(1, 1, ("a", "c", "b", "e"))]


def test_each_count_is_taken_over_everybody_it_concerns() -> None:
    report = balance(TWO_TABLES)

    found = {spread.name: (spread.low, spread.high, round(spread.mean, 3)) for spread in report.spreads}
    assert found == {
        "boards": (1, 2, 1.6),
        "seats": (1, 2, 1.6),
        "pairs": (0, 2, 1.2),
        "left": (0, 1, 0.4),
        "across": (0, 1, 0.4),
    }
    assert (report.entrants, report.rounds, report.board_sets, report.matches) == (5, 2, 2, 8)


def test_variation_is_the_standard_deviation_as_a_share_of_the_mean() -> None:
    boards = balance(TWO_TABLES).spreads[0]

    assert abs(boards.variation - (0.24**0.5) / 1.6) < 1e-12  # boards 2, 2, 2, 1, 1


def test_whoever_never_played_counts_as_zero() -> None:
    report = balance(TWO_TABLES, [Entrant(name) for name in "abcdef"])

    assert report.spreads[0].low == 0


def test_without_rotations_the_seats_are_those_of_the_tables() -> None:
    report = balance(TWO_TABLES, rotations=1)

    seats = next(spread for spread in report.spreads if spread.name == "seats")
    assert (seats.low, seats.high) == (0, 2)
    assert report.matches == 2


def test_tables_of_odd_size_have_nobody_across() -> None:
    report = balance([Seating(0, 0, ("a", "b", "c"))])

    assert [spread.name for spread in report.spreads] == ["boards", "seats", "pairs", "left"]


def test_an_empty_schedule_has_a_report() -> None:
    report = balance([])

    assert report.board_sets == 0
    assert "0 entrants, 0 rounds" in report.to_text()


def test_bots_of_one_owner_at_one_table_are_named() -> None:
    entrants = [Entrant("a", "ann"), Entrant("b", "ann"), Entrant("c"), Entrant("d"), Entrant("e", "eva")]

    (met,) = owner_meetings(TWO_TABLES, entrants)

    assert (met.owner, met.bots, met.board_sets) == ("ann", ("a", "b"), (0, 1))
    assert "  ann: a and b, 2 board sets" in balance(TWO_TABLES, entrants, owners_apart=True).to_text()
    assert "had to meet" not in balance(TWO_TABLES, entrants).to_text()


def test_pairs_that_were_not_to_meet_can_be_left_out() -> None:
    entrants = [Entrant("d", "dan"), Entrant("e", "dan"), Entrant("a"), Entrant("b"), Entrant("c")]

    pairs = next(s for s in balance(TWO_TABLES, entrants, owners_apart=True).spreads if s.name == "pairs")

    assert (pairs.low, round(pairs.mean, 3)) == (1, round(12 / 9, 3))  # d and e are the only pair that never met


def test_the_text_fits_a_terminal_and_the_plain_form_is_json() -> None:
    entrants = [Entrant(f"a-rather-long-name-of-a-bot-{n}", owner="an owner with a long name") for n in range(8)]
    report = balance(round_robin(entrants, 4, "cup"), entrants, owners_apart=True)

    text = report.to_text()

    assert max(map(len, text.splitlines())) <= 80
    assert "boards  board sets an entrant               7      7      7.00         0%" in text
    assert json.loads(json.dumps(report.to_dict())) == report.to_dict()
