"""Thinking times in buckets: in order, close to the value, and right about quantiles."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.store.thinking import bucket_of, count, middle_of, quantile

times = st.integers(0, 2**45)


@given(times, times)
def test_a_longer_time_is_never_in_a_lower_bucket(first: int, second: int) -> None:
    low, high = sorted((first, second))

    assert bucket_of(low) <= bucket_of(high)


@given(times)
def test_the_middle_of_a_bucket_is_in_it_and_close_to_every_time_in_it(elapsed_us: int) -> None:
    middle = middle_of(bucket_of(elapsed_us))

    assert bucket_of(middle) == bucket_of(elapsed_us)
    assert abs(middle - elapsed_us) <= elapsed_us / 32


@given(st.lists(times, min_size=1), st.floats(0.01, 1))
def test_a_quantile_is_within_a_bucket_of_the_true_one(elapsed_us: list[int], share: float) -> None:
    true = next(time for index, time in enumerate(sorted(elapsed_us), 1) if index >= share * len(elapsed_us))

    assert bucket_of(quantile(count(elapsed_us), share)) == bucket_of(true)


def test_nothing_thought_is_no_time_and_a_clock_that_ran_backwards_is_zero() -> None:
    assert quantile({}, 0.5) == 0
    assert count([-5]) == {0: 1}
