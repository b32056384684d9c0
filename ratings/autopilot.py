"""Bots that the referee played for so often that the table lacks what they should have told."""

from __future__ import annotations

import numpy as np

from ratings.arrays import Flags
from ratings.observations import Observations

SHARE_MIN = 0.1  # of a bot's boards; below it a table loses little


def autopilot_warnings(results: Observations) -> tuple[str, ...]:
    """Say of each bot that was often on autopilot what that costs: such boards tell nothing about the others."""
    size = len(results.bots)
    boards = _boards_of(results, np.ones(len(results.bot), dtype=np.bool_), size)
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
    keys = np.unique(results.board_of_row[rows].astype(np.int64) * size + results.bot[rows])
    return [int(amount) for amount in np.bincount(keys % size, minlength=size)]
