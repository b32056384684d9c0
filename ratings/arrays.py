"""The kinds of numpy columns, and the one piece of arithmetic that everybody needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]  # 32 bits where a million boards make it worth while
Flags = npt.NDArray[np.bool_]


def ratio(part: Floats, whole: Floats | Ints, *, otherwise: float) -> Floats:
    """`part / whole` where `whole` is positive, else `otherwise`."""
    result = np.full(part.shape, otherwise)
    np.divide(part, whole, out=result, where=whole > 0)
    return result


def sums(index: Ints, amount: Floats | Ints, size: int) -> Floats:
    """The sum of `amount` at each index from 0 to `size`; zeros where there is nothing."""
    result: Floats = np.bincount(index, amount, size).astype(np.float64)
    return result
