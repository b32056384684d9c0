"""Which tables may run at once."""

from hypothesis import given
from hypothesis import strategies as st

from referee.schedule.packing import pack_rounds


@given(
    st.lists(st.sets(st.integers(0, 15), min_size=3, max_size=3).map(lambda s: tuple(sorted(s))), max_size=40),
    st.integers(1, 5),
)
def test_every_table_is_packed_once_and_no_round_seats_anybody_twice(
    tables: list[tuple[int, ...]], tables_max: int
) -> None:
    rounds = pack_rounds(tables, tables_max)

    assert sorted(table for packed in rounds for table in packed) == sorted(tables)
    for packed in rounds:
        assert 1 <= len(packed) <= tables_max
        seated = [number for table in packed for number in table]
        assert len(set(seated)) == len(seated)


def test_a_table_goes_into_the_first_round_where_its_entrants_are_free() -> None:
    assert pack_rounds([(1, 2), (2, 3), (3, 4), (5, 6), (7, 8)], tables_max=2) == [
        ((1, 2), (3, 4)),
        ((2, 3), (5, 6)),
        ((7, 8),),
    ]
