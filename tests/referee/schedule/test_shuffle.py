"""Seeded pseudo-randomness that never changes."""

from collections import Counter

import pytest

from referee.schedule.shuffle import Shuffler


def test_the_stream_of_a_seed_never_changes() -> None:
    shuffler = Shuffler("cup")

    assert [shuffler.below(100) for _ in range(12)] == [91, 14, 91, 72, 30, 91, 77, 14, 35, 92, 47, 79]
    assert "".join(shuffler.shuffled("abcdefgh")) == "fghecadb"


def test_another_seed_gives_another_stream() -> None:
    assert [Shuffler("cup").word() for _ in range(4)] != [Shuffler("cup2").word() for _ in range(4)]


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 52, 2**31 + 1, 2**32])
def test_numbers_stay_below_the_bound(bound: int) -> None:
    shuffler = Shuffler(f"bound {bound}")

    assert all(0 <= shuffler.below(bound) < bound for _ in range(2000))


def test_every_order_is_about_equally_likely() -> None:
    shuffler = Shuffler("orders")

    orders = Counter("".join(shuffler.shuffled("abcd")) for _ in range(24_000))

    assert len(orders) == 24
    assert all(850 <= count <= 1150 for count in orders.values()), orders  # 1000, five standard deviations


def test_shuffling_leaves_its_input_alone() -> None:
    items = ["a", "b", "c"]

    Shuffler("x").shuffled(items)

    assert items == ["a", "b", "c"]
