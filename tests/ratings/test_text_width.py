"""Texts in the columns of a terminal."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from ratings.text_width import cut, fitted, width_of

WIDE = "日本語" * 5  # two cells a character
COMBINED = "e\u0301" * 5  # two characters a cell


@pytest.mark.parametrize("text", ["", "duck", "a" * 40, WIDE, COMBINED, "👍 thumb", "日a" * 9])
@pytest.mark.parametrize("width", [1, 4, 7, 8, 22])
def test_a_text_takes_exactly_the_cells_it_is_given(text: str, width: int) -> None:
    assert cell_len(fitted(text, width)) == width
    assert fitted(text, width).startswith(cut(text, width))


def test_what_is_cut_says_so_and_what_fits_is_whole() -> None:
    assert cut("counter", 7) == "counter"
    assert cut("counter", 5) == "coun…"
    assert cut(WIDE, 6) == "日本…", "half a character is none"
    assert cut(COMBINED, 5) == COMBINED
    assert cut("counter", 0) == ""


def test_the_widest_text_counts_within_bounds() -> None:
    assert [width_of(texts, low=4, high=22) for texts in ([], ["duck", "counter"], [WIDE, "a"])] == [4, 7, 22]
