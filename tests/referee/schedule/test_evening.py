"""Fields that change, and owners whose bots are kept apart."""

from collections import Counter
from itertools import combinations

import pytest

from referee.schedule.balance import balance, owner_meetings
from referee.schedule.pairing import Entrant, Seating
from referee.schedule.round_robin import boards_a_cycle, round_robin


def bots(count: int, owners: int = 0) -> list[Entrant]:
    return [Entrant(f"bot-{n}", owner=f"owner-{n % owners}" if owners else "") for n in range(count)]


def half_played(count: int, seats: int = 4) -> list[Seating]:
    seatings = list(round_robin(bots(count), seats, "cup"))
    return seatings[: len(seatings) // 2]


FIELDS = [(8, 9), (8, 12), (16, 17), (20, 24), (9, 8), (12, 8), (10, 11), (4, 5), (5, 4)]


@pytest.mark.parametrize(("before", "after"), FIELDS)
def test_whoever_joins_catches_up_and_everybody_ends_with_a_full_cycle(before: int, after: int) -> None:
    played = half_played(before)
    seatings = [*played, *round_robin(bots(after), 4, "cup", played=played)]

    boards = Counter(bot for seating in seatings for bot in seating.bots)

    here = [boards[entrant.name] for entrant in bots(after)]
    assert max(here) - min(here) <= 1 or max(here) == max(Counter(b for s in played for b in s.bots).values())
    assert min(here) >= boards_a_cycle(after, 4)


@pytest.mark.parametrize(("before", "after"), FIELDS)
def test_rounds_and_board_sets_are_numbered_on(before: int, after: int) -> None:
    played = half_played(before)
    further = list(round_robin(bots(after), 4, "cup", played=played))

    first = played[-1].board_set + 1
    assert [seating.board_set for seating in further] == list(range(first, first + len(further)))
    assert further[0].round_number == played[-1].round_number + 1
    for round_number in {seating.round_number for seating in further}:
        seated = [bot for seating in further if seating.round_number == round_number for bot in seating.bots]
        assert len(set(seated)) == len(seated)


def test_newcomers_play_in_every_round_until_they_have_caught_up() -> None:
    played = half_played(16)
    further = list(round_robin([*bots(16), Entrant("late")], 4, "cup", played=played))

    rounds = [
        {bot for s in further if s.round_number == number for bot in s.bots}
        for number in range(further[0].round_number, further[-1].round_number + 1)
    ]

    assert all("late" in seated for seated in rounds[:7])


def test_whoever_left_is_not_seated_again() -> None:
    further = list(round_robin(bots(7), 4, "cup", played=half_played(9)))

    assert {bot for seating in further for bot in seating.bots} == {entrant.name for entrant in bots(7)}


def test_the_total_is_nearly_as_even_as_if_nobody_had_joined() -> None:
    played = half_played(16)
    seatings = [*played, *round_robin(bots(17), 4, "cup", played=played)]

    pairs = next(spread for spread in balance(seatings, bots(17)).spreads if spread.name == "pairs")

    assert pairs.high - pairs.low <= 3
    assert pairs.variation < 0.25


@pytest.mark.parametrize(("count", "owners", "seats"), [(40, 10, 4), (10, 5, 4), (12, 4, 4), (9, 3, 3), (15, 5, 5)])
def test_bots_of_one_owner_never_meet_where_there_are_owners_enough(count: int, owners: int, seats: int) -> None:
    field = bots(count, owners)

    seatings = list(round_robin(field, seats, "cup", owners_apart=True))

    assert owner_meetings(seatings, field) == ()
    met = {frozenset(pair) for seating in seatings for pair in combinations(seating.bots, 2)}
    strangers = sum(one.owner != other.owner for one, other in combinations(field, 2))
    assert len(met) >= 0.95 * strangers


def test_where_owners_must_meet_themselves_it_is_said() -> None:
    field = bots(8, owners=2)  # four bots each, two tables of four

    seatings = list(round_robin(field, 4, "cup", owners_apart=True))
    meetings = owner_meetings(seatings, field)

    # A table of two and two has two such pairs, which is the least there can be.
    assert sum(len(met.board_sets) for met in meetings) == 2 * len(seatings)


def test_owners_change_nothing_where_everybody_has_one_bot() -> None:
    field = bots(9, owners=9)

    assert list(round_robin(field, 4, "cup", owners_apart=True)) == list(round_robin(field, 4, "cup"))


def test_the_rounds_after_a_change_depend_on_the_arguments_alone() -> None:
    played = half_played(9)

    def further(seed: str) -> list[Seating]:
        return list(round_robin(bots(10), 4, seed, played=played))

    assert further("cup") == further("cup")
    assert further("cup") != further("another")


def test_among_those_who_have_played_as_much_no_owner_gets_more_seats_than_tables() -> None:
    """Six bots at one table a round: two of one owner that both play half of the rounds need not meet more."""
    field = [Entrant(name, "ada" if name in "ab" else name) for name in "abcdef"]

    seatings = list(round_robin(field, 4, "cup", owners_apart=True))

    together = sum({"a", "b"} <= set(seating.bots) for seating in seatings)
    needed = sum(("a" in seating.bots) + ("b" in seating.bots) for seating in seatings) - len(seatings)
    assert together <= needed + 2, (together, needed)
