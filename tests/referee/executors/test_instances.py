"""Which process plays which seat."""

from dataclasses import replace

from referee.executors.house import instances
from referee.plan import DuelPlan
from referee.schedule.duel import duel
from referee.schedule.pairing import Seating
from tests.referee.schedule.boards import matches_at


def test_each_rotation_of_a_board_set_is_played_by_processes_of_its_own() -> None:
    matches = matches_at(Seating(0, 0, ("a", "b", "c", "d")))

    assert [set(instances(spec, "board-set")) for spec in matches] == [{"r0"}, {"r1"}, {"r2"}, {"r3"}]


def test_copies_at_one_table_are_processes_of_their_own() -> None:
    one, other = matches_at(next(duel("new", "old")), DuelPlan)

    assert instances(one, "board-set") == ("r0", "r0-2", "r0", "r0-2")
    assert instances(other, "board-set") == ("r2", "r2-2", "r2", "r2-2")


def test_in_isolation_each_match_and_each_attempt_at_it_has_processes_of_its_own() -> None:
    matches = matches_at(Seating(0, 3, ("a", "b", "c", "a")))

    assert instances(matches[0], "match") == ("m0.0", "m0.0", "m0.0", "m0.0-2")
    assert instances(replace(matches[1], attempt=1), "match") == ("m1.1", "m1.1-2", "m1.1", "m1.1")
