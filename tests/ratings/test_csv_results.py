"""Results from a CSV file: read in any order of rows, and refused with a sentence that says where."""

from pathlib import Path

import numpy as np
import pytest

from ratings.csv_results import read_csv
from ratings.observations import ResultError
from ratings.standings import compute_standings

HEADER = "match_id,deal_id,bot,seat,points,placement"
GOOD = """m1,d1,a,0,0,1
m1,d1,b,1,5,2
m1,d1,c,2,-3.5,3
m2,d1,a,0,4,1
m2,d1,c,1,4,1
m2,d2,b,0,13,2
m2,d2,a,1,0,1
"""


def written(path: Path, text: str) -> Path:
    file = path / "results.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_an_observation_is_one_match_and_deal_with_any_number_of_seats(tmp_path: Path) -> None:
    results = read_csv(written(tmp_path, f"{HEADER}\n{GOOD}"))

    assert results.bots == ("a", "b", "c")
    assert results.deal_ids == ("d1", "d2")
    assert results.seats.tolist() == [3, 2, 2]
    assert results.points.tolist() == [0, 5, -3.5, 4, 4, 0 + 13, 0]
    assert results.place.tolist() == [1, 2, 3, 1, 1, 2, 1]


def test_the_order_of_rows_and_of_columns_changes_no_rating(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = [
        f"m{n},d{n // 4},{bot},{seat},{place * 3},{place}"
        for n in range(80)
        for seat, (bot, place) in enumerate(zip("abcd", rng.permutation(4) + 1, strict=True))
    ]
    straight = compute_standings(read_csv(written(tmp_path, "\n".join([HEADER, *rows])))).to_json()["bots"]
    turned = [
        "placement,points,seat,bot,deal_id,match_id",
        *(",".join(row.split(",")[::-1]) for row in rng.permutation(rows)),
    ]
    mixed = compute_standings(read_csv(written(tmp_path, "\n".join(turned)))).to_json()["bots"]

    for here, there in zip(straight, mixed, strict=True):  # type: ignore[call-overload]
        assert {key: value for key, value in here.items() if key != "online_elo"} == {
            key: value for key, value in there.items() if key != "online_elo"
        }


def test_observations_of_several_deals_enter_by_their_points_a_deal(tmp_path: Path) -> None:
    rows = [
        f"m{n},d{n},{bot},{seat},{points},{1 + (points > other)},4"
        for n in range(10)
        for seat, (bot, points, other) in enumerate([("a", 12 + n % 3, 28), ("b", 28, 12)])
    ]
    standings = compute_standings(read_csv(written(tmp_path, "\n".join([f"{HEADER},deals", *rows]))))

    by_bot = {row.bot: row for row in standings.rows}
    assert by_bot["b"].points_mean == 7.0
    assert by_bot["a"].deals == 40
    assert standings.deals == 40, "the heading counts as the rows do"
    assert by_bot["a"].points == pytest.approx((28 - 12.9) / 4 / 2)


def test_a_byte_order_mark_blank_lines_and_further_columns_do_no_harm(tmp_path: Path) -> None:
    text = f"\ufeff{HEADER},note\n" + GOOD.replace("\n", ",x\n\n")

    assert read_csv(written(tmp_path, text)).boards == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "results.csv: the file is empty; its first line must be match_id,"),
        (HEADER, "results.csv: there is no result below the header"),
        ("match_id,bot\nm,a", "results.csv, line 1: column 'deal_id' is missing"),
        (f"{HEADER},seat\n", "results.csv, line 1: column 'seat' stands there twice"),
        (f"{HEADER}\nm1,d1,a,0,0", "results.csv, line 2: 5 cells, but the header has 6"),
        (f"{HEADER}\nm1,d1,a,0,0,1\nm1,d1,,1,0,1", "results.csv, line 3, column bot: '' is empty, give a name"),
        (f"{HEADER}\nm1,d1,a,0,many,1", "results.csv, line 2, column points: 'many' is no number of points"),
        (f"{HEADER}\nm1,d1,a,0,1_0,1", "results.csv, line 2, column points: '1_0' is no number of points"),
        (f"{HEADER}\nm1,d1,a,0,٣,1", "results.csv, line 2, column points: '٣' is no number of points"),
        (f"{HEADER}\nm1,d1,a,1_0,3,1", "results.csv, line 2, column seat: '1_0' is no seat"),
        (f"{HEADER}\nm1,d1,a,0,nan,1", "results.csv, line 2, column points: 'nan' is no number of points"),
        (f"{HEADER}\nm1,d1,a,0,1e300,1", "results.csv, line 2, column points: '1e300' is no number of points"),
        (f"{HEADER}\n" + "x" * 200_000, "results.csv: is no CSV file (field larger than field limit (131072))"),
        (
            f'{HEADER},note\nm1,d1,a,0,0,1,"two\nlines"\n\nm1,d1,b,1,x,2,',
            "results.csv, line 5, column points: 'x' is no",
        ),
        (f"{HEADER}\nm1,d1,a,-1,0,1", "results.csv, line 2, column seat: '-1' is no seat"),
        (f"{HEADER}\nm1,d1,a,0,0,1.5", "results.csv, line 2, column placement: '1.5' is no whole number from 1"),
        (f"{HEADER},deals\nm1,d1,a,0,0,1,0", "results.csv, line 2, column deals: '0' is no whole number from 1"),
        (f"{HEADER}\nm1,d1,a,0,0,1", "results.csv, line 2, column match_id: 'm1' is the only row of this match"),
        (f"{HEADER}\n{GOOD}m1,d1,d,2,9,4", "results.csv, line 9, column seat: '2' is taken by another row"),
        (f"{HEADER}\nm1,d1,a,0,0,1\nm1,d1,b,1,9,3", "results.csv, line 3, column placement: '3' does not fit"),
        (f"{HEADER}\nm1,d1,a,0,0,1\nm1,d1,b,1,0,1\nm1,d1,c,2,9,2", "line 4, column placement: '2' does not fit"),
        (
            f"{HEADER},deals\nm1,d1,a,0,0,1,4\nm1,d1,b,1,0,1,5",
            "results.csv, line 3, column deals: '5' differs from the other rows of the same match and deal",
        ),
    ],
)
def test_a_bad_file_is_refused_with_line_column_and_value(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(ResultError) as refusal:
        read_csv(written(tmp_path, text))

    assert sentence in str(refusal.value)


def test_a_missing_file_and_a_binary_one_are_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match=r"none\.csv: cannot be read \(No such file"):
        read_csv(tmp_path / "none.csv")
    (tmp_path / "bytes.csv").write_bytes(b"match_id,\xff\xfe")
    with pytest.raises(ResultError, match="byte 9 is not UTF-8"):
        read_csv(tmp_path / "bytes.csv")


@pytest.mark.parametrize(
    ("mark", "sign"),
    [(mark, sign) for mark in ("", '"') for sign in ("\x1b[31m", "\0", "\u202e", "\x07")] + [('"', "\n")],
)
@pytest.mark.parametrize("column", ["match_id", "deal_id", "bot"])
def test_a_name_that_would_change_the_terminal_is_refused_by_line_and_column(
    tmp_path: Path, mark: str, sign: str, column: str
) -> None:
    cells = {"match_id": "m3", "deal_id": "d3", "bot": "a"}
    cells[column] = f"{mark}x{sign}y{mark}"
    rows = f"{','.join(cells.values())},0,1,1\nm3,d3,b,1,2,2\n"

    with pytest.raises(ResultError) as caught:
        read_csv(written(tmp_path, f"{HEADER}\n{GOOD}{rows}"))

    assert f", column {column}: 'x" in str(caught.value)
    assert ("results.csv, line 10," if sign == "\n" else "results.csv, line 9,") in str(caught.value)
    assert str(caught.value).isprintable()


def test_blanks_around_a_number_do_no_harm(tmp_path: Path) -> None:
    assert read_csv(written(tmp_path, f"{HEADER}\nm1,d1,a,0, 3 ,1\nm1,d1,b, 1,+4.5e0\t,2")).points.tolist() == [
        3,
        4.5,
    ]
