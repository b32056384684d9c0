"""Tables as CSV that a spreadsheet may open."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d+(\.\d+)?$)")  # a number with its sign is none


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A header line and a line a row; None is an empty cell.

    A text that a spreadsheet would take for a formula gets a `'` in front, which says there that it is none: the
    name of a bot comes from anybody. Numbers stay as they are.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value
