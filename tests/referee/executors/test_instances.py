"""Which process plays which seat."""

from referee.executors.house import instances
from referee.schedule.duel import duel, duel_specs
from referee.schedule.pairing import Seating, match_specs


def test_each_rotation_of_a_board_set_is_played_by_processes_of_its_own() -> None:
    matches = match_specs("test", Seating(0, 0, ("a", "b", "c", "d")), rotations=4, deals=4)

    assert [set(instances(spec)) for spec in matches] == [{"r0"}, {"r1"}, {"r2"}, {"r3"}]


def test_copies_at_one_table_are_processes_of_their_own() -> None:
    one, other = duel_specs("test", next(duel("new", "old")), deals=4)

    assert instances(one) == ("r0", "r0-2", "r0", "r0-2")
    assert instances(other) == ("r2", "r2-2", "r2", "r2-2")
