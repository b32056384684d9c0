"""Results from anywhere: the CSV file that `hearts ratings FILE.csv` reads.

Columns `match_id,deal_id,bot,seat,points,placement` and optionally `deals`, in any order, other columns
ignored; one row per bot and rated observation, rows in any order. An observation is one (match_id, deal_id).
The order in which observations first appear is taken as schedule order.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import numpy as np

from ratings.arrays import Flags, Floats, Ints
from ratings.observations import Observations, ResultError, assemble

if TYPE_CHECKING:
    import _csv  # the type of what csv.reader returns lives there

REQUIRED = ("match_id", "deal_id", "bot", "seat", "points", "placement")
OPTIONAL = ("deals",)
# What a number may be: least, most, whole or not, and what to say of another. The bounds are far beyond any deal
# and keep sums of squares of a million results far from the end of the scale.
_NUMBERS = {
    "points": (-1e9, 1e9, False, "is no number of points"),
    "seat": (0, 1e6, True, "is no seat (0, 1, 2, …)"),
    "placement": (1, 1e6, True, "is no whole number from 1"),
    "deals": (1, 1e6, True, "is no whole number from 1"),
}
_CHUNK = 100_000  # rows parsed at a time: bounds the memory that text takes


def read_csv(path: Path) -> Observations:
    """Read results from a CSV file.

    Raises:
        ResultError: a sentence naming file, line, column and value, for the first thing wrong.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return _Table(path.name).read(file)
    except OSError as error:
        raise ResultError(f"{path}: cannot be read ({error.strerror or error})") from error
    except csv.Error as error:
        raise ResultError(f"{path.name}: is no CSV file ({error})") from error
    except UnicodeDecodeError as error:
        raise ResultError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error


class _Table:
    """The columns read so far, and where in the file each row came from."""

    def __init__(self, file_name: str) -> None:
        self.file_name = file_name
        self.codes: dict[str, dict[str, int]] = {name: {} for name in ("match_id", "deal_id", "bot")}
        self.chunks: dict[str, list[Floats]] = {name: [] for name in (*REQUIRED, *OPTIONAL)}
        self.lines: list[Ints] = []

    def read(self, file: TextIO) -> Observations:
        reader = csv.reader(file)
        header = next(reader, None)
        if header is None:
            raise ResultError(f"{self.file_name}: the file is empty; its first line must be {','.join(REQUIRED)}")
        index = self._column_indices([name.strip() for name in header])
        for lines, rows in _chunks(reader):
            self._take(lines, rows, index, len(header))
        if not self.lines:
            raise ResultError(f"{self.file_name}: there is no result below the header")
        return self._assemble()

    def _column_indices(self, header: Sequence[str]) -> dict[str, int]:
        for name in REQUIRED:
            if name not in header:
                raise ResultError(
                    f"{self.file_name}, line 1: column {name!r} is missing; "
                    f"the columns are {','.join(REQUIRED)} and optionally deals, found {','.join(header)!r}"
                )
        for name in (*REQUIRED, *OPTIONAL):
            if header.count(name) > 1:
                raise ResultError(f"{self.file_name}, line 1: column {name!r} stands there twice")
        return {name: header.index(name) for name in (*REQUIRED, *OPTIONAL) if name in header}

    def _take(self, lines: Ints, rows: list[list[str]], index: dict[str, int], width: int) -> None:
        if set(map(len, rows)) != {width}:
            line, row = next((line, row) for line, row in zip(lines, rows, strict=True) if len(row) != width)
            raise ResultError(f"{self.file_name}, line {line}: {len(row)} cells, but the header has {width}")
        columns = list(zip(*rows, strict=True))
        self.lines.append(lines)
        for name, codes in self.codes.items():
            column = columns[index[name]]
            if not all(column):
                line = lines[column.index("")]
                raise ResultError(f"{self.file_name}, line {line}, column {name}: '' is empty, give a name")
            numbered = [codes.setdefault(cell, len(codes)) for cell in column]
            self.chunks[name].append(np.array(numbered, dtype=np.float64))
        for name in ("points", "seat", "placement", "deals"):
            cells = columns[index[name]] if name in index else ("1",) * len(rows)
            self._take_numbers(name, cells, lines)

    def _take_numbers(self, name: str, cells: Sequence[str], lines: Ints) -> None:
        try:
            values = np.array(list(map(float, cells)))
        except ValueError:
            values = np.array([_number(cell) for cell in cells])
        low, high, is_whole, fault = _NUMBERS[name]
        good = (values >= low) & (values <= high)  # false for what is no number
        if is_whole:
            good &= values == np.floor(values)
        if not good.all():
            bad = int(np.argmin(good))
            raise ResultError(f"{self.file_name}, line {lines[bad]}, column {name}: {cells[bad]!r} {fault}")
        self.chunks[name].append(values)

    def _assemble(self) -> Observations:
        column = {name: np.concatenate(chunks) for name, chunks in self.chunks.items()}
        line = np.concatenate(self.lines)
        board, count = _boards(column["match_id"], column["deal_id"])
        order = np.lexsort((column["seat"], board))
        board, line = board[order], line[order]
        column = {name: values[order] for name, values in column.items()}
        seats = np.bincount(board, minlength=count).astype(np.int64)
        start = np.concatenate(([0], np.cumsum(seats)))[:-1]
        self._check(column, line, seats, start, board)
        boards = np.arange(count)
        return assemble(
            unit="board",
            rules="",
            bots=tuple(self.codes["bot"]),
            deal_ids=tuple(self.codes["deal_id"]),
            match_ids=tuple(self.codes["match_id"]),
            bot=column["bot"].astype(np.int32),
            points=column["points"],
            place=column["placement"].astype(np.int32),
            autopilot=np.zeros(len(board), dtype=np.bool_),
            seats=seats,
            deal=column["deal_id"][start].astype(np.int32),
            match=column["match_id"][start].astype(np.int32),
            number=boards.astype(np.int64),
            round_number=np.zeros(count, dtype=np.int32),
            deals=column["deals"][start].astype(np.int32),
        )

    def _check(self, column: dict[str, Floats], line: Ints, seats: Ints, start: Ints, board: Ints) -> None:
        lonely = seats[board] < 2
        self._refuse(
            lonely,
            column,
            line,
            "match_id",
            "is the only row of this match and deal; two bots or more are needed",
        )
        same = np.zeros(len(board), dtype=np.bool_)
        same[1:] = (board[1:] == board[:-1]) & (column["seat"][1:] == column["seat"][:-1])
        self._refuse(same, column, line, "seat", "is taken by another row of the same match and deal")
        uneven = column["deals"] != column["deals"][start[board]]
        self._refuse(uneven, column, line, "deals", "differs from the other rows of the same match and deal")
        better = _better_seats(column["placement"], board)
        wrong = column["placement"] != 1 + better
        self._refuse(
            wrong,
            column,
            line,
            "placement",
            "does not fit the others at the table; bots that tie share a place: 1,1,3,4",
        )

    def _refuse(self, bad: Flags, column: dict[str, Floats], line: Ints, name: str, fault: str) -> None:
        if bad.any():
            row = int(np.flatnonzero(bad)[np.argmin(line[bad])])
            value = column[name][row]
            text = list(self.codes[name])[int(value)] if name in self.codes else f"{value:g}"
            raise ResultError(f"{self.file_name}, line {line[row]}, column {name}: {text!r} {fault}")


def _chunks(reader: _csv.Reader) -> Iterator[tuple[Ints, list[list[str]]]]:
    """Rows with the number of their last line, some at a time; blank lines are no rows."""
    while True:
        before = reader.line_num
        rows = list(islice(reader, _CHUNK))
        if not rows:
            return
        heights = np.ones(len(rows), dtype=np.int64)
        if reader.line_num - before != len(rows):  # a quoted cell runs over several lines
            heights += [sum(cell.count("\n") for cell in row) for row in rows]
        lines = before + np.cumsum(heights)
        if not all(rows):
            lines, rows = lines[np.array(list(map(bool, rows)))], [row for row in rows if row]
        if rows:
            yield lines, rows


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _boards(match: Floats, deal: Floats) -> tuple[Ints, int]:
    """The observation of each row, numbered by first appearance, and their count."""
    key = match * (deal.max() + 1) + deal  # exact: both are counts far below 2**26
    _, first, board = np.unique(key, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[board], len(first)


def _better_seats(placement: Floats, board: Ints) -> Ints:
    """For each row, how many rows of its board have a better place."""
    order = np.lexsort((placement, board))
    sorted_board, sorted_place = board[order], placement[order]
    fresh_board = np.ones(len(board), dtype=np.bool_)
    fresh_board[1:] = sorted_board[1:] != sorted_board[:-1]
    fresh_place = fresh_board.copy()
    fresh_place[1:] |= sorted_place[1:] != sorted_place[:-1]
    position = np.arange(len(board))
    board_start = np.maximum.accumulate(np.where(fresh_board, position, 0))
    place_start = np.maximum.accumulate(np.where(fresh_place, position, 0))
    better = np.empty(len(board), dtype=np.int64)
    better[order] = place_start - board_start
    return better
