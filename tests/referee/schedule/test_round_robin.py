"""Round robins: complete, balanced, seeded and lazy."""

from collections import Counter
from itertools import islice

import pytest

from referee.schedule.pairing import Entrant, ScheduleError, Seating
from referee.schedule.round_robin import round_robin


def bots(count: int) -> list[Entrant]:
    return [Entrant(f"bot-{number}") for number in range(count)]


@pytest.mark.parametrize(
    ("seats", "surplus"), [(3, 0), (3, 1), (3, 2), (4, 1), (4, 10), (4, 30), (5, 3), (6, 2), (11, 1)]
)
def test_no_entrant_sits_twice_in_a_round(seats: int, surplus: int) -> None:
    seen: set[tuple[int, str]] = set()
    for seating in round_robin(bots(seats + surplus), seats, "cup"):
        assert len(seating.bots) == seats
        for bot in seating.bots:
            assert (seating.round_number, bot) not in seen
            seen.add((seating.round_number, bot))


@pytest.mark.parametrize("count", range(4, 24))
def test_every_entrant_plays_equally_often_in_a_cycle(count: int) -> None:
    boards = Counter(bot for seating in round_robin(bots(count), 4, "cup") for bot in seating.bots)

    assert len(boards) == count
    assert len(set(boards.values())) == 1


def test_board_sets_are_numbered_in_order_and_rounds_never_fall() -> None:
    seatings = list(round_robin(bots(10), 4, "cup", cycles=2))

    assert [seating.board_set for seating in seatings] == list(range(len(seatings)))
    rounds = [seating.round_number for seating in seatings]
    assert rounds == sorted(rounds)
    assert set(rounds) == set(range(rounds[-1] + 1))


def test_the_same_seed_gives_the_same_schedule_and_another_another() -> None:
    def schedule(seed: str) -> list[Seating]:
        return list(round_robin(bots(9), 4, seed, cycles=2))

    assert schedule("cup") == schedule("cup")
    assert schedule("cup") != schedule("cup 2")


def test_an_endless_schedule_can_be_read_in_part() -> None:
    endless = list(islice(round_robin(bots(9), 4, "cup", cycles=None), 200))

    assert endless[:50] == list(islice(round_robin(bots(9), 4, "cup", cycles=5), 50))
    assert len(endless) == 200


def test_one_entrant_is_seated_with_house_bots() -> None:
    house = [Entrant(f"house-{number}", is_house=True) for number in range(3)]

    seatings = list(round_robin([Entrant("solo"), *house], 4, "cup"))

    assert all(set(seating.bots) == {"solo", "house-0", "house-1", "house-2"} for seating in seatings)


def test_a_field_too_small_is_refused() -> None:
    with pytest.raises(ScheduleError, match="enter 1 more bot, or"):
        next(round_robin(bots(3), 4, "cup"))
