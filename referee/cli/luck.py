"""The control variate of a tournament: luck of the cards, from its own records and the reference player."""

from __future__ import annotations

import numpy as np

from ratings.control import Controlled, with_control_variate
from ratings.observations import Observations
from referee.config import TournamentConfig
from referee.rules.reference import reference_scores
from referee.store.store import Store


def controlled_of(
    config: TournamentConfig, store: Store, results: Observations, known: dict[str, list[float]] | None = None
) -> Controlled | None:
    """Take luck of the cards out of a tournament's points, where that was ordered before it began.

    A record is read for each deal that was not played in every seat, which takes about a millisecond; where it was
    the correction cancels, and nothing is read.

    Args:
        config: the tournament.
        store: its records.
        results: its results, or some of them.
        known: what the reference player took, by deal, of earlier calls; added to, so that no record is read twice.

    Raises:
        StoreError: a record cannot be read.
    """
    if config.control_variate is None:
        return None
    seats, whole = config.rules.seats, np.bincount(results.deal, minlength=len(results.deal_ids))
    baseline = {} if known is None else known
    for deal, first in zip(*np.unique(results.deal, return_index=True), strict=True):
        deal_id = results.deal_ids[deal]
        if deal_id in baseline:
            continue
        if whole[deal] == seats:
            baseline[deal_id] = [0.0] * seats
            continue
        record = store.record(results.match_ids[results.match[first]])
        cluster = deal_id.rpartition(".")[0]
        for played in record.deals:
            scores = reference_scores(config.rules, played.deal_number, played.dealer, played.hands, played.widow)
            baseline[f"{cluster}.{played.deal_number}"] = list(map(float, scores))
    return with_control_variate(results, baseline, config.control_variate)
