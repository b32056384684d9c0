"""Whole columns of a table, as arrays.

Rows are what costs time where there are hundreds of thousands: a Python object for each value. So the database puts
each column together to one text, which is understood as a whole, several times faster. All columns of one statement
come in the same order, whichever it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Column, Connection, Text, cast, func, select

from referee.store.model import StoreError

Ints = npt.NDArray[np.int64]


def joined(connection: Connection, *wanted: tuple[Column[Any], str]) -> list[str]:
    """Each column of a table as one text, its values with a separator between them."""
    texts = (func.aggregate_strings(cast(column, Text), separator) for column, separator in wanted)
    return [text or "" for text in connection.execute(select(*texts)).one()]


def coded(names: Sequence[str]) -> tuple[dict[str, int], Ints]:
    """Number names by first appearance; give the number of each, and all as numbers."""
    known = {name: code for code, name in enumerate(dict.fromkeys(names))}
    return known, np.fromiter(map(known.__getitem__, names), dtype=np.int64, count=len(names))


def whole_numbers(text: str) -> Ints:
    """The whole numbers between the commas of a text.

    Raises:
        StoreError: there is something else.
    """
    return _read(text, np.int64)


def numbers(text: str) -> npt.NDArray[np.float64]:
    """The numbers between the commas of a text.

    Raises:
        StoreError: there is something else.
    """
    return _read(text, np.float64)


def _read(text: str, kind: type[Any]) -> npt.NDArray[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numpy only warns of what it cannot read
        try:
            return np.fromstring(text, dtype=kind, sep=",")
        except (DeprecationWarning, ValueError) as error:
            raise StoreError(f"the store is damaged: a number in it cannot be read: {error}") from error
