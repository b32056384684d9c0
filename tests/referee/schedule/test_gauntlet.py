"""Gauntlets: every challenger meets the same companies."""

from collections import Counter, defaultdict

import pytest

from referee.schedule.balance import balance
from referee.schedule.gauntlet import gauntlet
from referee.schedule.pairing import Entrant, ScheduleError, Seating

CHALLENGERS = [Entrant(name) for name in ("new-1", "new-2", "new-3")]
SHAPES = [(3, 2), (3, 7), (4, 3), (4, 4), (4, 8), (4, 13), (5, 6), (6, 9)]  # seats, bots of the field


def field(count: int) -> list[Entrant]:
    return [Entrant(f"field-{number}") for number in range(count)]


@pytest.mark.parametrize(("seats", "count"), SHAPES)
def test_each_challenger_has_each_bot_of_the_field_once_in_each_place_beside_it(seats: int, count: int) -> None:
    places: Counter[tuple[str, str, int]] = Counter()
    for seating in gauntlet(CHALLENGERS, field(count), seats, "cup"):
        challenger, *company = seating.bots
        places.update((challenger, bot, place) for place, bot in enumerate(company))

    assert set(places.values()) == {1}
    assert len(places) == len(CHALLENGERS) * count * (seats - 1)


@pytest.mark.parametrize(("seats", "count"), SHAPES)
def test_all_challengers_play_the_same_companies(seats: int, count: int) -> None:
    companies: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for seating in gauntlet(CHALLENGERS, field(count), seats, "cup", cycles=2):
        companies[seating.bots[0]].add(seating.bots[1:])

    assert set(companies) == {challenger.name for challenger in CHALLENGERS}
    assert companies["new-1"] == companies["new-2"] == companies["new-3"]


@pytest.mark.parametrize(("seats", "count"), SHAPES)
def test_nobody_sits_twice_in_a_round(seats: int, count: int) -> None:
    seen: set[tuple[int, str]] = set()
    for seating in gauntlet(CHALLENGERS, field(count), seats, "cup"):
        for bot in seating.bots:
            assert (seating.round_number, bot) not in seen
            seen.add((seating.round_number, bot))


def test_meetings_within_the_field_even_out_over_cycles() -> None:
    seatings = list(gauntlet(CHALLENGERS[:1], field(9), 4, "cup", cycles=4))

    within = [Seating(s.round_number, s.board_set, s.bots[1:]) for s in seatings]
    pairs = next(spread for spread in balance(within, field(9)).spreads if spread.name == "pairs")

    assert (pairs.low, pairs.high) == (3, 3)


def test_the_same_seed_gives_the_same_gauntlet() -> None:
    assert list(gauntlet(CHALLENGERS, field(8), 4, "cup")) == list(gauntlet(CHALLENGERS, field(8), 4, "cup"))
    assert list(gauntlet(CHALLENGERS, field(8), 4, "cup")) != list(gauntlet(CHALLENGERS, field(8), 4, "cup 2"))


@pytest.mark.parametrize(
    ("challengers", "others", "sentence"),
    [
        ([], field(8), "there is no challenger"),
        (CHALLENGERS, field(2), "a field of 2 for 4 seats: enter 3 bots or more"),
        (CHALLENGERS, [*field(8), Entrant("new-1")], "'new-1' is there 2 times"),
    ],
)
def test_a_gauntlet_that_cannot_be_is_refused(
    challengers: list[Entrant], others: list[Entrant], sentence: str
) -> None:
    with pytest.raises(ScheduleError, match=sentence):
        next(gauntlet(challengers, others, 4, "cup"))
