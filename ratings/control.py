"""The control variate: take out the luck of the cards where seats could not be rotated.

Some cards at some seat cost any bot many points. Where reference bots have played the deal among themselves, what
each seat cost them is known, and `beta` times the seat's share is taken off the points: the baseline of AIVAT
(Burch et al., arXiv 1612.06915) and of DIVAT (Billings & Kan 2006). In a full rotation it cancels exactly.

`beta` and the reference must be fixed before the results are seen: a correction chosen afterwards can be chosen to
please (arXiv 2605.14261). Hence `beta_of_pilot` is for other deals than those it is then used on. Only points are
corrected; places are what they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ratings.arrays import Floats, sums
from ratings.observations import Observations, ResultError, merged


@dataclass(frozen=True, slots=True, eq=False)
class Controlled:
    """Corrected results, and what to print beside the table."""

    results: Observations
    beta: float
    spread_before: float  # standard deviation of a seat's points about its table's mean
    spread_after: float

    def until(self, round_number: int) -> Controlled:
        """The correction as it stood when round `round_number` had ended; its spreads are those of all results."""
        return replace(self, results=self.results.until(round_number))

    def to_json(self) -> dict[str, float]:
        """Give it as JSON values."""
        return {"beta": self.beta, "spread_before": self.spread_before, "spread_after": self.spread_after}

    def __str__(self) -> str:
        return (
            f"points corrected for the luck of the cards, beta {self.beta:g} fixed beforehand: "
            f"spread of a seat {self.spread_before:.2f} before, {self.spread_after:.2f} after"
        )


def with_control_variate(results: Observations, baseline: Mapping[str, Sequence[float]], beta: float) -> Controlled:
    """Take `beta` times the seat's luck off the points of every board.

    Args:
        results: boards; row order within a board is seat order.
        baseline: by deal id, the points that the reference bots took at each seat.
        beta: fixed beforehand, on other deals.

    Raises:
        ResultError: a deal without a baseline, or with another number of seats.
    """
    corrected = results.points - beta * _luck(results, baseline)
    return Controlled(
        results=replace(results, points=corrected),
        beta=beta,
        spread_before=float(_about_table(results, results.points).std()),
        spread_after=float(_about_table(results, corrected).std()),
    )


def merged_controls(parts: Mapping[str, Controlled]) -> Controlled:
    """Pool several tournaments, given by name, all corrected with the same `beta`.

    Raises:
        ResultError: the tournaments differ in unit or rule set.
    """
    controls = [control for control in parts.values() if control.results.boards]
    rows = [len(control.results.points) for control in controls]
    before, after = (
        float(np.sqrt(np.average([getattr(control, name) ** 2 for control in controls], weights=rows)))
        for name in ("spread_before", "spread_after")
    )
    results = merged({name: control.results for name, control in parts.items()})
    return Controlled(results=results, beta=controls[0].beta, spread_before=before, spread_after=after)


def beta_of_pilot(pilot: Observations, baseline: Mapping[str, Sequence[float]]) -> float:
    """The `beta` that narrows the spread most on pilot deals, to be used on others: a regression through zero."""
    luck = _luck(pilot, baseline)
    return float((luck * _about_table(pilot, pilot.points)).sum() / (luck**2).sum()) if luck.any() else 0.0


def _luck(results: Observations, baseline: Mapping[str, Sequence[float]]) -> Floats:
    """Each seat's baseline less the table's mean."""
    parts = []
    for board, deal in enumerate(results.deal):
        name = results.deal_ids[deal]
        seats = baseline.get(name, ())
        if len(seats) != results.seats[board]:
            raise ResultError(
                f"deal {name} has a baseline of {len(seats)} seats but was played by {results.seats[board]}: "
                f"give the reference points of every seat of every deal, or leave the control variate off"
            )
        parts.append(np.asarray(seats, dtype=np.float64))
    return _about_table(results, np.concatenate(parts) if parts else np.empty(0))


def _about_table(results: Observations, points: Floats) -> Floats:
    mean = sums(results.board_of_row, points, results.boards) / results.seats
    about: Floats = points - mean[results.board_of_row]
    return about
