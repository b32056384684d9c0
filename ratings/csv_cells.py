"""The cells of a CSV file as numbered texts: a column with few different texts is understood once a text.

Most files are plain: no quotes, the same number of cells in each line. Those are cut up by numpy, several times
faster than by the module `csv`; any other file is left to that.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, TextIO

import numpy as np
import numpy.typing as npt

from ratings.arrays import Ints

if TYPE_CHECKING:
    import _csv  # the type of what csv.reader returns lives there

_BLOCK_BYTES = 1 << 22  # cut up at a time: bounds the memory that it takes
_ROWS = 100_000  # parsed at a time where the module csv does it
_CELL_BYTES_MAX = 64  # longer cells waste the room of all the others
_COMMA, _NEWLINE = b",\n"

_Bytes = npt.NDArray[np.uint8]


class NotPlainError(ValueError):
    """The file needs the module `csv`, or is wrong in a way that only that can tell."""


class Texts(dict[str, int]):
    """Numbers texts as they come."""

    def __missing__(self, text: str) -> int:
        code = self[text] = len(self)
        return code


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some rows: the number of each one's last line, and of the text in each column."""

    lines: Ints
    codes: Sequence[Ints]  # by column of the file; empty for those that nobody wants


def plain_header(file: BinaryIO) -> list[str]:
    """Read the first line of a plain file.

    Raises:
        NotPlainError: it is none.
    """
    line = file.readline(_BLOCK_BYTES).removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n")
    _refuse_special(line)
    try:
        return line.decode().split(",") if line else []
    except UnicodeDecodeError:
        raise NotPlainError from None


def plain_blocks(file: BinaryIO, texts: Sequence[Texts | None]) -> Iterator[Block]:
    """Cut up what follows the header of a plain file.

    Args:
        file: after the header.
        texts: for each column where its texts are numbered, None for a column that nobody wants.

    Raises:
        NotPlainError: it is none.
    """
    rest, line = b"", 2
    while block := file.read(_BLOCK_BYTES):
        block = rest + block
        end = block.rfind(b"\n") + 1
        block, rest = block[:end], block[end:]
        if len(rest) > _BLOCK_BYTES:
            raise NotPlainError
        if block:
            found = _cut(block, texts, line)
            yield found
            line += len(found.lines)
    if rest:
        yield _cut(rest + b"\n", texts, line)


def csv_blocks(reader: _csv.Reader, texts: Sequence[Texts | None], width: int) -> Iterator[Block]:
    """Read what follows the header of any CSV file; blank lines are no rows.

    Raises:
        RaggedError: a row has another number of cells than the header.
        csv.Error: it is no CSV file.
    """
    while True:
        before = reader.line_num
        rows = list(islice(reader, _ROWS))
        if not rows:
            return
        heights = np.ones(len(rows), dtype=np.int64)
        if reader.line_num - before != len(rows):  # a quoted cell runs over several lines
            heights += [sum(cell.count("\n") for cell in row) for row in rows]
        lines = before + np.cumsum(heights)
        if not all(rows):
            lines, rows = lines[np.array(list(map(bool, rows)))], [row for row in rows if row]
        for row, line in zip(rows, lines, strict=True):
            if len(row) != width:
                raise RaggedError(f"line {line}: {len(row)} cells, but the header has {width}")
        columns = zip(*rows, strict=True)
        if rows:
            yield Block(lines, [_codes(of, column) for of, column in zip(texts, columns, strict=True)])


class RaggedError(ValueError):
    """A row with another number of cells than the header."""


def csv_reader(file: TextIO) -> _csv.Reader:
    """A reader of any CSV file."""
    return csv.reader(file)


def _codes(texts: Texts | None, cells: Sequence[str]) -> Ints:
    return np.array([] if texts is None else list(map(texts.__getitem__, cells)), dtype=np.int32)


def _refuse_special(text: bytes) -> None:
    if b'"' in text or b"\0" in text or b"\r" in text:
        raise NotPlainError


def _cut(block: bytes, texts: Sequence[Texts | None], line: int) -> Block:
    """Cut whole lines up."""
    block = block.replace(b"\r\n", b"\n")
    _refuse_special(block)
    # Room behind the last cell, so that as many bytes can be taken of it as of the longest.
    text = np.frombuffer(block + bytes(_CELL_BYTES_MAX), dtype=np.uint8)
    end = np.flatnonzero((text == _COMMA) | (text == _NEWLINE))
    width = len(texts)
    rows = block.count(b"\n")
    if len(end) != rows * width or not (text[end[width - 1 :: width]] == _NEWLINE).all():
        raise NotPlainError
    start = np.concatenate(([0], end[:-1] + 1))
    codes = [
        np.empty(0, dtype=np.int32) if of is None else _numbered(text, start[at::width], end[at::width], of)
        for at, of in enumerate(texts)
    ]
    return Block(np.arange(line, line + rows), codes)


def _numbered(text: _Bytes, start: Ints, end: Ints, texts: Texts) -> Ints:
    """The codes of one column of a block."""
    size = end - start
    longest = max(int(size.max()), 1)
    if longest > _CELL_BYTES_MAX:
        raise NotPlainError
    window = np.lib.stride_tricks.sliding_window_view(text, longest)[start]
    window[np.arange(longest, dtype=np.uint8) >= size.astype(np.uint8)[:, None]] = 0
    if longest <= 2:
        return _short(window, texts)
    column = window.view(f"S{longest}").ravel()
    fresh = np.ones(len(column), dtype=np.bool_)  # rows of one board often follow each other
    fresh[1:] = column[1:] != column[:-1]
    codes: Ints = np.array([texts[cell] for cell in _decoded(column[fresh].tolist())], dtype=np.int32)
    return np.asarray(codes[np.cumsum(fresh) - 1])


def _short(window: _Bytes, texts: Texts) -> Ints:
    """Codes of cells of one or two bytes: there are so few that a table holds them all."""
    key = window[:, 0].astype(np.uint16)
    if window.shape[1] == 2:
        key |= window[:, 1].astype(np.uint16) << 8
    seen = np.zeros(1 << 16, dtype=np.bool_)
    seen[key] = True
    table = np.zeros(1 << 16, dtype=np.int32)
    values = np.flatnonzero(seen).tolist()
    cells = _decoded([value.to_bytes(2, "little").rstrip(b"\0") for value in values])
    table[values] = [texts[cell] for cell in cells]
    return table[key]


def _decoded(cells: Sequence[bytes]) -> list[str]:
    """Cells as texts, all at once: a cell of a plain file holds no newline."""
    try:
        return b"\n".join(cells).decode().split("\n")
    except UnicodeDecodeError:
        raise NotPlainError from None
