"""Very many results at once: from a store's columns to those that a fit reads."""

from __future__ import annotations

import numpy as np

from ratings.observations import Observations, assemble
from referee.records import BoardColumns


def from_columns(columns: BoardColumns) -> Observations:
    """Take over results as columns; the same as `from_boards` on the same results, several times faster."""
    return assemble(
        unit=columns.unit,
        rules=columns.rules,
        bots=columns.bots,
        deal_ids=columns.deal_ids,
        match_ids=columns.match_ids,
        bot=np.array(columns.bot, dtype=np.int32),
        points=np.array(columns.points, dtype=np.float64),
        place=np.array(columns.place, dtype=np.int32),
        autopilot=np.array(columns.autopilot, dtype=np.bool_),
        seats=np.array(columns.seats, dtype=np.int64),
        deal=np.array(columns.deal, dtype=np.int32),
        match=np.array(columns.match, dtype=np.int32),
        number=np.array(columns.number, dtype=np.int64),
        round_number=np.array(columns.round_number, dtype=np.int32),
        deals=np.array(columns.deals, dtype=np.int32),
    )
