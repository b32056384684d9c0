"""A plain file cut up by numpy is read as the module `csv` reads it, and no other file is cut up."""

import io
import random
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from ratings import csv_cells
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
from ratings.csv_results import read_csv

HEADER = "match_id,deal_id,bot,seat,points,placement"


def cells(blocks: Sequence[Block], texts: Sequence[Texts]) -> list[list[str]]:
    """Every row with the number of its line in front."""
    columns = [[list(of)[code] for block in blocks for code in block.codes[at]] for at, of in enumerate(texts)]
    lines = [str(line) for block in blocks for line in block.lines]
    return list(map(list, zip(lines, *columns, strict=True)))


def plain(content: bytes) -> list[list[str]]:
    file = io.BytesIO(content)
    texts = [Texts() for _ in plain_header(file)]
    return cells(list(plain_blocks(file, texts)), texts)


def by_module(content: bytes) -> list[list[str]]:
    reader = csv_reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    texts = [Texts() for _ in next(reader)]
    return cells(list(csv_blocks(reader, texts, len(texts))), texts)


@pytest.mark.parametrize("seed", range(20))
def test_a_plain_file_is_read_as_the_module_reads_it(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    monkeypatch.setattr(csv_cells, "_BLOCK_BYTES", rng.choice((64, 1000, 1 << 22)))
    words = ["", "a", "bc", "Zoë", "duck-12", "-3.5", "12", " 7", "ein langer Name", "7"]
    width = rng.randint(1, 6)
    rows = [[rng.choice(words[width == 1 :]) for _ in range(width)] for _ in range(rng.randint(1, 200))]
    end = rng.choice(("\n", "\r\n"))
    text = end.join(",".join(row) for row in [["x"] * width, *rows]) + rng.choice(("", end))

    content = rng.choice((b"", b"\xef\xbb\xbf")) + text.encode()

    assert plain(content) == by_module(content)


@pytest.mark.parametrize(
    "content",
    [
        b'a,b\n1,"2"\n',
        b'"a",b\n1,2\n',
        b"a,b\n1,2\n\n3,4\n",
        b"a,b\n1,2,3\n4\n",
        b"a,b\n1\n",
        b"a,b\r1,2\r",
        b"a,b\n1,2\0\n",
        b"a,b\n1,\xff\n",
        b"a\xff,b\n1,2\n",
        b"a,b\n1," + b"x" * 65 + b"\n",
    ],
)
def test_any_other_file_is_left_to_the_module(content: bytes) -> None:
    with pytest.raises(NotPlainError):
        plain(content)


def test_a_row_with_another_number_of_cells_is_named_by_its_line() -> None:
    with pytest.raises(RaggedError, match="line 3: 1 cells, but the header has 2"):
        by_module(b"a,b\n1,2\n3\n")


def test_a_file_gives_the_same_results_with_quotes_as_without(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    rows = [
        f"m{n},d{n // 4},{bot},{seat},{place * 3},{place}"
        for n in range(200)
        for seat, (bot, place) in enumerate(zip("abcd", rng.permutation(4) + 1, strict=True))
    ]
    rng.shuffle(rows)
    (tmp_path / "plain.csv").write_text("\n".join([HEADER, *rows]))
    (tmp_path / "quoted.csv").write_text("\n".join([HEADER, *rows]).replace(",a,", ',"a",'))

    one, other = read_csv(tmp_path / "plain.csv"), read_csv(tmp_path / "quoted.csv")

    for column in ("bot", "points", "place", "start", "deal", "match", "number", "deals"):
        assert getattr(one, column).tolist() == getattr(other, column).tolist(), column
    assert (one.bots, one.deal_ids, one.match_ids) == (other.bots, other.deal_ids, other.match_ids)


def test_four_hundred_thousand_rows_are_read_in_a_second(tmp_path: Path) -> None:
    file = tmp_path / "big.csv"
    with file.open("w") as out:
        out.write(HEADER + "\n")
        for board in range(100_000):
            for seat in range(4):
                out.write(f"m{board},d{board},bot{(board * 7 + seat * 13) % 100},{seat},{3 * seat},{seat + 1}\n")

    # Time of this process, not of the wall: other tests run beside this one.
    start = time.process_time()
    results = read_csv(file)
    seconds = time.process_time() - start

    print(f"{seconds:.2f} s")
    assert results.boards == 100_000
    assert seconds < 1.5
