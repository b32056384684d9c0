"""Swiss rounds: near in the standings, and rarely twice."""

from collections import Counter
from itertools import combinations

import pytest

from referee.schedule.pairing import Entrant, ScheduleError, Seating
from referee.schedule.swiss import swiss_round


def bots(count: int) -> list[Entrant]:
    return [Entrant(f"bot-{number:02}") for number in range(count)]


def names(count: int) -> list[str]:
    return [entrant.name for entrant in bots(count)]


def play(count: int, rounds: int, seats: int = 4) -> list[Seating]:
    """Play rounds after which the standings are always the order of the names."""
    played: list[Seating] = []
    for _ in range(rounds):
        played += swiss_round(bots(count), seats, "cup", names(count) if played else [], played)
    return played


def test_neighbours_in_the_standings_meet_when_nobody_has_met() -> None:
    drawn = swiss_round(bots(12), 4, "cup", names(12), [])

    tables = [sorted(seating.bots) for seating in drawn]
    assert sorted(tables) == [names(12)[0:4], names(12)[4:8], names(12)[8:12]]


def test_the_first_round_is_drawn() -> None:
    first = {swiss_round(bots(12), 4, f"cup {number}", [], []) for number in range(5)}

    assert len(first) == 5


@pytest.mark.parametrize(("count", "seats"), [(16, 4), (22, 4), (23, 4), (15, 3), (25, 5), (36, 6)])
def test_pairs_seldom_meet_twice_in_few_rounds_though_they_stand_together(count: int, seats: int) -> None:
    played = play(count, 3, seats)

    met = Counter(frozenset(pair) for seating in played for pair in combinations(seating.bots, 2))
    again = sum(times - 1 for times in met.values())
    assert again <= 0.1 * sum(met.values()), met


def test_the_top_plays_nearer_bots_than_chance_would_give() -> None:
    played = play(32, 5)[8:]  # the first round is drawn

    gaps = [
        abs(int(one[-2:]) - int(other[-2:])) for seating in played for one, other in combinations(seating.bots, 2)
    ]

    assert sum(gaps) / len(gaps) < 0.7 * 11  # two of 32 bots drawn at random are 11 places apart


@pytest.mark.parametrize("count", [10, 13, 15])
def test_byes_go_round(count: int) -> None:
    boards = Counter(bot for seating in play(count, 9) for bot in seating.bots)

    assert max(boards.values()) - min(boards.values()) <= 1


def test_a_newcomer_is_seated_at_once() -> None:
    played = play(12, 3)

    drawn = swiss_round([*bots(12), Entrant("late")], 4, "cup", names(12), played)

    assert "late" in {bot for seating in drawn for bot in seating.bots}
    assert {seating.round_number for seating in drawn} == {3}
    assert [seating.board_set for seating in drawn] == [9, 10, 11]


def test_bots_of_one_owner_are_kept_apart() -> None:
    field = [Entrant(name, owner=f"owner-{number % 6}") for number, name in enumerate(sorted(names(12)))]
    neighbours = sorted(field, key=lambda entrant: entrant.owner)  # two of one owner always stand together

    drawn = swiss_round(field, 4, "cup", [entrant.name for entrant in neighbours], [], owners_apart=True)

    owner_of = {entrant.name: entrant.owner for entrant in field}
    for seating in drawn:
        assert len({owner_of[bot] for bot in seating.bots}) == 4


def test_a_name_that_stands_twice_is_refused() -> None:
    with pytest.raises(ScheduleError, match="'bot-01' is there twice"):
        swiss_round(bots(8), 4, "cup", [*names(8), "bot-01"], [])
