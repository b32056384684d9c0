"""Seeded pseudo-randomness that is the same on every machine, in every Python, for ever.

`random` gives no such promise for its methods, and a schedule must be recomputed exactly when a tournament is
resumed or verified. So numbers come from SHA-256 in counter mode.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

_WORDS = struct.Struct(">8I")
_WORD_RANGE = 1 << 32


class Shuffler:
    """A stream of unbiased pseudo-random numbers that depends on `seed` alone."""

    __slots__ = ("_counter", "_key", "_words")

    def __init__(self, seed: str) -> None:
        self._key = hashlib.sha256(b"hearts/v1/schedule" + seed.encode()).digest()
        self._counter = 0
        self._words: list[int] = []

    def word(self) -> int:
        """Draw a number of 32 bits."""
        if not self._words:
            block = hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()
            self._words = list(_WORDS.unpack(block))
            self._counter += 1
        return self._words.pop()

    def below(self, bound: int) -> int:
        """Draw a number in 0..bound-1, each equally likely; `bound` is 1..2**32."""
        fair = _WORD_RANGE - _WORD_RANGE % bound
        while (word := self.word()) >= fair:
            pass  # rejected, or the low numbers would come a little more often
        return word % bound

    def accepts(self, loss: int, heat: float) -> bool:
        """Decide whether a search takes a step that makes things worse by `loss`: with 2^-ceil(loss / heat).

        That is the Metropolis rule from the leading zeros of a random word: `math.exp` may differ between machines
        in its last bit, and then the schedules would.
        """
        return loss <= 0 or (heat > 0 and loss <= heat * (32 - self.word().bit_length()))

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return the items in a random order (Fisher-Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order
