"""Bots that the referee played for so often that the table lacks what they should have told."""

from __future__ import annotations

import numpy as np

from ratings.arrays import Flags
from ratings.observations import Observations

SHARE_MIN = 0.1  # of a bot's boards; below it a table loses little


def autopilot_warnings(results: Observations) -> tuple[str, ...]:
    """Say of each bot that was often on autopilot what that costs: such boards tell nothing about the others."""
    if not results.autopilot.any():
        return ()
    size = len(results.bots)
    # Only the bots concerned are counted: to sort all rows of 100,000 matches takes as long as their rating.
    is_concerned = np.zeros(size, dtype=np.bool_)
    is_concerned[results.bot[results.autopilot]] = True
    boards = _boards_of(results, is_concerned[results.bot], size)
    on_autopilot = _boards_of(results, results.autopilot, size)
    unit = "boards" if results.unit == "board" else "matches"
    return tuple(
        f"{bot} was on autopilot on {lost:,} of its {all_boards:,} {unit}, which say nothing about the others: "
        "withdraw it and play again without it"
        for bot, lost, all_boards in zip(results.bots, on_autopilot, boards, strict=True)
        if lost and lost >= SHARE_MIN * all_boards
    )


def _boards_of(results: Observations, rows: Flags, size: int) -> list[int]:
    """How many different boards of each bot the rows name."""
    keys = results.board_of_row[rows].astype(np.int64) * size + results.bot[rows]
    keys.sort()  # np.unique of numpy 2.3 takes ten times as long
    is_first = np.diff(keys, prepend=-1) != 0
    return [int(amount) for amount in np.bincount(keys[is_first] % size, minlength=size)]
