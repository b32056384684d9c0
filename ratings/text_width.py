"""Texts in the columns of a terminal, where a character may take two cells, or none."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size


def width_of(texts: Iterable[str], *, low: int, high: int) -> int:
    """Cells that the widest of the texts takes, within bounds."""
    return min(max((low, *map(cell_len, texts))), high)


def cut(text: str, width: int) -> str:
    """The text in at most so many cells, ending in `…` where something is missing."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…" if width > 0 else ""


def fitted(text: str, width: int) -> str:
    """The text in exactly so many cells: cut, or filled up with blanks."""
    return set_cell_size(cut(text, width), width)
