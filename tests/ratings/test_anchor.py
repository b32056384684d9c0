"""An anchor: every number is a difference from it, and its interval holds as one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import stdtrit

from ratings.bradley_terry import fit_bradley_terry
from ratings.observations import Observations, assemble

SEED = 12
SEATS = 4


def tournament(seed: int, *, often: int, seldom: int) -> Observations:
    """Equal bots in board sets of four: a, b, c, d in `often` deals; a, b, c and the anchor x in `seldom`.

    A bot has good deals and bad ones, so that the rotations of a deal hang together. The truth of each difference
    is zero.
    """
    rng = np.random.default_rng(seed)
    tables = np.array([[0, 1, 2, 3]] * often + [[0, 1, 2, 4]] * seldom)
    deals = len(tables)
    deal = np.repeat(np.arange(deals, dtype=np.int32), SEATS)
    seated = np.stack([np.roll(tables, turn, axis=1) for turn in range(SEATS)], axis=1).reshape(-1, SEATS)
    form = rng.normal(0.0, 1.5, (deals, 5))
    cards = rng.gumbel(size=(deals, SEATS))
    performance = form[deal[:, None], seated] + 0.7 * cards[deal] + 0.3 * rng.gumbel(size=seated.shape)
    ids = tuple(map(str, range(deals)))
    return assemble(
        unit="board",
        rules="r",
        bots=tuple("abcdx"),
        deal_ids=ids,
        match_ids=ids,
        bot=seated.ravel().astype(np.int32),
        points=-performance.ravel(),
        place=(1 + (performance[:, :, None] < performance[:, None, :]).sum(axis=2)).ravel().astype(np.int32),
        autopilot=np.zeros(seated.size, dtype=np.bool_),
        seats=np.full(len(seated), SEATS),
        deal=deal,
        match=deal,
        number=np.arange(len(seated)),
        round_number=np.zeros(len(seated), dtype=np.int32),
        deals=np.ones(len(seated), dtype=np.int32),
    )


def test_an_interval_about_a_seldom_met_anchor_is_that_of_the_difference() -> None:
    fit = fit_bradley_terry(tournament(SEED, often=200, seldom=6), anchor="x")
    x = fit.bots.index("x")
    low, high = fit.interval()

    half = stdtrit(fit.difference_freedom()[:, x], 0.975) * fit.difference_se()[:, x]

    assert fit.freedom.max() < 6
    assert (high - low) / 2 == pytest.approx(half)


def test_an_anchor_leaves_the_differences_of_the_others_as_they_are() -> None:
    results = tournament(SEED, often=100, seldom=6)

    plain, anchored = fit_bradley_terry(results), fit_bradley_terry(results, anchor="x")

    assert anchored.difference_freedom() == pytest.approx(plain.difference_freedom())
    assert anchored.difference_se() == pytest.approx(plain.difference_se())


def test_intervals_about_a_seldom_met_anchor_hold_the_truth() -> None:
    inside = []
    for seed in range(200):
        fit = fit_bradley_terry(tournament(seed, often=80, seldom=4), anchor="x")
        if fit.anchor == "x":
            low, high = fit.interval()
            inside += [bool(low[i] < 0 < high[i]) for i in range(4) if fit.rated[i]]

    assert len(inside) > 700
    # With the degrees of freedom of the frequent bots it is 92 of 100.
    assert np.mean(inside) >= 0.95
