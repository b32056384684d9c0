"""Thinking times as counts in buckets: small to keep, exact to add, good to a few per cent.

Buckets are those of an HDR histogram: values below 32 µs have one each, and every power of two above is cut into
16 equal parts, so a bucket is at most 1/16 of its value wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_PARTS_BITS = 4


def bucket_of(elapsed_us: int) -> int:
    """The bucket that a thinking time falls in; greater times never fall in a lower bucket."""
    value = max(0, elapsed_us)
    shift = max(0, value.bit_length() - _PARTS_BITS - 1)
    return (shift << _PARTS_BITS) + (value >> shift)


def middle_of(bucket: int) -> int:
    """The time in microseconds in the middle of a bucket."""
    shift = max(0, (bucket >> _PARTS_BITS) - 1)
    low = (bucket - (shift << _PARTS_BITS)) << shift
    return low + ((1 << shift) - 1) // 2


def count(times_us: Iterable[int]) -> dict[int, int]:
    """How many of these times fall in each bucket."""
    counts: dict[int, int] = {}
    for elapsed_us in times_us:
        bucket = bucket_of(elapsed_us)
        counts[bucket] = counts.get(bucket, 0) + 1
    return counts


def quantile(counts: Mapping[int, int], share: float) -> int:
    """The time in microseconds that `share` (0 to 1) of the decisions did not exceed; 0 where there are none."""
    total = sum(counts.values())
    below = 0
    for bucket in sorted(counts):
        below += counts[bucket]
        if below >= share * total:
            return middle_of(bucket)
    return 0
