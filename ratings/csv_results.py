"""Results from anywhere: the CSV file that `hearts ratings FILE.csv` reads.

Columns `match_id,deal_id,bot,seat,points,placement` and optionally `deals`, in any order, other columns
ignored; one row per bot and rated observation, rows in any order. An observation is one (match_id, deal_id).
The order in which observations first appear is taken as schedule order.
"""

from __future__ import annotations

import csv
import math
import reprlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from ratings.arrays import Flags, Floats, Ints
from ratings.csv_cells import (
    Block,
    NotPlainError,
    RaggedError,
    Texts,
    csv_blocks,
    csv_reader,
    plain_blocks,
    plain_header,
)
from ratings.observations import Observations, ResultError, assemble

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
_NAMES = ("match_id", "deal_id", "bot")


def read_csv(path: Path) -> Observations:
    """Read results from a CSV file.

    Raises:
        ResultError: a sentence naming file, line, column and value, for the first thing wrong.
    """
    try:
        try:
            with path.open("rb") as plain:
                return _Table(path.name).read(plain_header(plain), lambda texts: plain_blocks(plain, texts))
        except NotPlainError:
            with path.open(encoding="utf-8-sig", newline="") as file:
                reader = csv_reader(file)
                header = next(reader, [])
                return _Table(path.name).read(header, lambda texts: csv_blocks(reader, texts, len(header)))
    except OSError as error:
        raise ResultError(f"{path}: cannot be read ({error.strerror or error})") from error
    except RaggedError as error:
        raise ResultError(f"{path.name}, {error}") from error
    except csv.Error as error:
        raise ResultError(f"{path.name}: is no CSV file ({error})") from error
    except UnicodeDecodeError as error:
        raise ResultError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error


class _Table:
    """The columns of a file, as codes of texts, and where in the file each row came from."""

    def __init__(self, file_name: str) -> None:
        self.file_name = file_name
        self.texts: dict[str, Texts] = {}
        self.codes: dict[str, Ints] = {}
        self.lines: Ints = np.empty(0, dtype=np.int64)

    def read(self, header: Sequence[str], blocks: Callable[[list[Texts | None]], Iterable[Block]]) -> Observations:
        """Read the blocks of a file with this header."""
        if not header:
            raise ResultError(f"{self.file_name}: the file is empty; its first line must be {','.join(REQUIRED)}")
        index = self._column_indices([name.strip() for name in header])
        self.texts = {name: Texts() for name in index}
        wanted: list[Texts | None] = [None] * len(header)
        for name, at in index.items():
            wanted[at] = self.texts[name]
        read = list(blocks(wanted))
        if not read:
            raise ResultError(f"{self.file_name}: there is no result below the header")
        self.lines = np.concatenate([block.lines for block in read])
        self.codes = {name: np.concatenate([block.codes[at] for block in read]) for name, at in index.items()}
        del read
        if "deals" not in index:
            self.texts["deals"], self.codes["deals"] = Texts({"1": 0}), np.zeros_like(self.codes["bot"])
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

    def _check_names(self) -> None:
        for name in _NAMES:
            if "" in self.texts[name]:
                line = self.lines[np.argmax(self.codes[name] == self.texts[name][""])]
                raise ResultError(f"{self.file_name}, line {line}, column {name}: '' is empty, give a name")
            if "".join(self.texts[name]).isprintable():
                continue
            text, code = next(item for item in self.texts[name].items() if not item[0].isprintable())
            line = self.lines[np.argmax(self.codes[name] == code)]
            raise ResultError(
                f"{self.file_name}, line {line}, column {name}: {reprlib.repr(text)} holds characters that cannot "
                "be printed as they are, such as a line break, a control character or one that turns the direction "
                "of writing: take them out"
            )

    def _numbers(self, name: str) -> Floats:
        """The numbers of a column; a text is understood once, however often it stands there."""
        texts = list(self.texts[name])
        values = np.array([_number(text) for text in texts])
        low, high, is_whole, fault = _NUMBERS[name]
        good = (values >= low) & (values <= high)  # false for what is no number
        if is_whole:
            good &= values == np.floor(values)
        if not good.all():
            row = int(np.argmin(good[self.codes[name]]))
            text = texts[self.codes[name][row]]
            raise ResultError(f"{self.file_name}, line {self.lines[row]}, column {name}: {text!r} {fault}")
        return values[self.codes[name]]

    def _assemble(self) -> Observations:
        self._check_names()
        column = {name: self._numbers(name) for name in ("points", "seat", "placement", "deals")}
        codes, line = self.codes, self.lines
        board, count = _boards(codes["match_id"], codes["deal_id"])
        if not _is_sorted(board, column["seat"]):
            order = np.lexsort((column["seat"], board))
            board, line = board[order], line[order]
            column = {name: values[order] for name, values in column.items()}
            codes = {name: codes[name][order] for name in _NAMES}
        seats = np.bincount(board, minlength=count).astype(np.int64)
        start = np.concatenate(([0], np.cumsum(seats)))[:-1]
        self._check(column, codes["match_id"], line, seats, start, board)
        return assemble(
            unit="board",
            rules="",
            bots=tuple(self.texts["bot"]),
            deal_ids=tuple(self.texts["deal_id"]),
            match_ids=tuple(self.texts["match_id"]),
            bot=codes["bot"],
            points=column["points"],
            place=column["placement"].astype(np.int32),
            autopilot=np.zeros(len(board), dtype=np.bool_),
            seats=seats,
            deal=codes["deal_id"][start],
            match=codes["match_id"][start],
            number=np.arange(count, dtype=np.int64),
            round_number=np.zeros(count, dtype=np.int32),
            deals=column["deals"][start].astype(np.int32),
        )

    def _check(
        self, column: dict[str, Floats], match: Ints, line: Ints, seats: Ints, start: Ints, board: Ints
    ) -> None:
        def refuse(bad: Flags, name: str, fault: str) -> None:
            if bad.any():
                row = int(np.flatnonzero(bad)[np.argmin(line[bad])])
                text = list(self.texts[name])[match[row]] if name == "match_id" else f"{column[name][row]:g}"
                raise ResultError(f"{self.file_name}, line {line[row]}, column {name}: {text!r} {fault}")

        refuse(seats[board] < 2, "match_id", "is the only row of this match and deal; two bots or more are needed")
        same = np.zeros(len(board), dtype=np.bool_)
        same[1:] = (board[1:] == board[:-1]) & (column["seat"][1:] == column["seat"][:-1])
        refuse(same, "seat", "is taken by another row of the same match and deal")
        uneven = column["deals"] != column["deals"][start[board]]
        refuse(uneven, "deals", "differs from the other rows of the same match and deal")
        wrong = column["placement"] != 1 + _better_seats(column["placement"], seats, start)
        refuse(wrong, "placement", "does not fit the others at the table; bots that tie share a place: 1,1,3,4")


def _number(cell: str) -> float:
    if "_" in cell or not cell.isascii():  # what Python alone takes for a number
        return math.nan
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _boards(match: Ints, deal: Ints) -> tuple[Ints, int]:
    """The observation of each row, numbered by first appearance, and their count."""
    fresh = np.ones(len(match), dtype=np.bool_)  # rows of one observation mostly follow each other
    fresh[1:] = (match[1:] != match[:-1]) | (deal[1:] != deal[:-1])
    key = match[fresh].astype(np.int64) * (int(deal.max()) + 1) + deal[fresh]
    _, first, board = np.unique(key, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[board][np.cumsum(fresh) - 1], len(first)


def _is_sorted(board: Ints, seat: Floats) -> bool:
    later = (board[1:] > board[:-1]) | ((board[1:] == board[:-1]) & (seat[1:] >= seat[:-1]))
    return bool(later.all())


def _better_seats(placement: Floats, seats: Ints, start: Ints) -> Ints:
    """For each row, how many rows of its board have a better place."""
    better = np.empty(len(placement), dtype=np.int64)
    for size in np.unique(seats).tolist():
        rows = start[seats == size][:, None] + np.arange(size)
        here = placement[rows]
        better[rows] = sum((here[:, other, None] < here for other in range(size)), start=np.zeros_like(rows))
    return better
