"""Intervals that know which results hang together: the deal is the cluster.

Both fits (Bradley-Terry, points) solve sum over pairs of (e_i - e_j) u = 0, where u is the pair's residual,
and have the information matrix H = sum over pairs of w (e_i - e_j)(e_i - e_j)'. The pairs of a table, and
the tables of a deal, are dependent, so the variance is not the inverse of H but

    V = (D - 1)/D  H+ [sum over deals of z_d z_d'] H+,     z_d = (I - H_d H+)^-1 g_d,

with g_d and H_d the parts of deal d in the sums: the sandwich of Liang & Zeger (Biometrika 73, 1986) with
the leverage correction CR3, equal to leaving one deal out at a time to first order (Bell & McCaffrey, Survey
Methodology 28, 2002; Cameron & Miller, J. Human Resources 50, 2015; MacKinnon, Nielsen & Webb, J.
Econometrics 232, 2023).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from ratings.arrays import Floats, Ints, ratio, sums
from ratings.observations import Entries
from ratings.pairs import Pairs

_BLOCK_MAX = 4_000_000  # numbers held in the deals' information blocks at a time (32 MB)
_SERIES_BELOW = 1e-3  # leverage under which three terms of the series are exact to 1e-12
_SOLE_WITHIN = 1e-9  # a leverage this near 1 means that the deal alone informs about something


@dataclass(frozen=True, slots=True, eq=False)
class Sandwich:
    """The clustered covariance of one fit, over all bots; zero where a bot is not in it."""

    covariance: Floats
    deals_effective: Floats  # Kish's effective number of deals behind each bot
    sole_deals: tuple[int, ...]  # deals that alone inform about some difference: no interval exists with them


def laplacian(met: Floats) -> Floats:
    """The information matrix of pair weights `met[i, j]`, given once for each ordered or unordered pair."""
    both = met + met.T
    matrix: Floats = np.diag(both.sum(axis=1)) - both
    return matrix


def laplacian_inverse(matrix: Floats) -> Floats:
    """The pseudo-inverse of a connected Laplacian; its null space is the common shift of all ratings."""
    size = len(matrix)
    shift = np.trace(matrix) / size**2  # any positive number would do; this one keeps the scale
    inverse: Floats = np.linalg.inv(matrix + shift) - 1.0 / (shift * size**2)
    return inverse


def clustered_covariance(pairs: Pairs, weight: Floats, residual: Floats, inverse: Floats) -> Sandwich:
    """Sum the sandwich over deals; `inverse` is H+ over all bots, zero outside the fit."""
    entries = pairs.source.entries
    first, second = entries.of_row[pairs.first], entries.of_row[pairs.second]
    size = len(entries.bot)
    diagonal = sums(first, weight, size) + sums(second, weight, size)
    gradient = sums(first, residual, size) - sums(second, residual, size)
    corrected = np.zeros(size)
    sole: list[int] = []
    pair_start = np.searchsorted(pairs.deal, np.arange(len(entries.deal_start)))
    for low, high in _chunks(np.diff(entries.deal_start)):
        some = slice(int(pair_start[low]), int(pair_start[high]))
        chunk = _Chunk(entries, low, high, first[some], second[some], weight[some], diagonal)
        sole += chunk.correct(gradient, inverse, corrected)
    active = np.diff(np.concatenate(([0.0], np.cumsum(diagonal)))[entries.deal_start]) > 0
    count = max(int(active.sum()), 1)
    scores = csr_array(
        (corrected, entries.bot, entries.deal_start), shape=(len(entries.deal_start) - 1, len(inverse))
    )
    meat = (scores.T @ scores).toarray() * (count - 1) / count
    return Sandwich(
        covariance=inverse @ meat @ inverse,
        deals_effective=_effective(entries, diagonal, len(inverse)),
        sole_deals=tuple(sole),
    )


def _effective(entries: Entries, diagonal: Floats, bots: int) -> Floats:
    """(sum h)^2 / sum h^2 over deals, h the information that a deal holds about the bot (Kish 1965)."""
    total = sums(entries.bot, diagonal, bots)
    squares = sums(entries.bot, diagonal**2, bots)
    return ratio(total**2, squares, otherwise=0.0)


def _chunks(sizes: Ints) -> list[tuple[int, int]]:
    """Ranges of deals whose information blocks fit into memory together."""
    filled = np.cumsum(sizes.astype(np.int64) ** 2)
    ranges, low = [], 0
    while low < len(sizes):
        before = int(filled[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(filled, before + _BLOCK_MAX, side="right")))
        ranges.append((low, high))
        low = high
    return ranges


class _Chunk:
    """The information blocks H_d of a range of deals, each over the bots of its deal only."""

    def __init__(
        self,
        entries: Entries,
        low: int,
        high: int,
        first: Ints,
        second: Ints,
        weight: Floats,
        diagonal: Floats,
    ) -> None:
        self.entries, self.low = entries, low
        self.entry_start = entries.deal_start[low : high + 1]
        self.sizes = np.diff(self.entry_start)
        self.base = np.concatenate(([0], np.cumsum(self.sizes**2)))
        begin = int(self.entry_start[0])
        column = np.arange(int(self.entry_start[-1]) - begin) + begin - np.repeat(self.entry_start[:-1], self.sizes)
        # Where each couple's row of its block begins, and its column there: there are several pairs to a couple.
        row = np.repeat(self.base[:-1], self.sizes) + column * np.repeat(self.sizes, self.sizes)
        length = int(self.base[-1])
        first, second = first - begin, second - begin
        self.blocks = -sums(row[first] + column[second], weight, length)
        self.blocks -= sums(row[second] + column[first], weight, length)
        self.blocks[row + column] += diagonal[begin : begin + len(column)]

    def correct(self, gradient: Floats, inverse: Floats, corrected: Floats) -> list[int]:
        """Write z_d of these deals into `corrected`; return the deals for which there is none."""
        sole: list[int] = []
        for size in np.unique(self.sizes):
            deals = np.flatnonzero(self.sizes == size)
            places = self.entry_start[deals][:, None] + np.arange(size)
            bots = self.entries.bot[places]
            information = self.blocks[self.base[deals][:, None] + np.arange(size * size)].reshape(-1, size, size)
            inner = inverse[bots[:, :, None], bots[:, None, :]]
            z, lonely = _leave_out(information, inner, gradient[places])
            corrected[places] = z
            sole += [self.low + int(deals[index]) for index in lonely]
        return sole


def _leave_out(information: Floats, inner: Floats, gradient: Floats) -> tuple[Floats, Ints]:
    """(I - H_d H+)^-1 g_d for a stack of deals, and the indices where the matrix has no inverse."""
    leverage = np.einsum("dij,dji->d", information, inner)  # the trace: an upper bound of the largest
    z = gradient.copy()
    term = gradient
    for _ in range(3):
        term = np.einsum("dij,dj->di", information, np.einsum("dij,dj->di", inner, term))
        z += term
    large = np.flatnonzero(leverage >= _SERIES_BELOW)
    lonely = np.empty(0, dtype=np.int64)
    if len(large):
        matrix = np.eye(information.shape[1]) - information[large] @ inner[large]
        doubtful = np.flatnonzero(leverage[large] > 1 - _SOLE_WITHIN)
        smallest = np.abs(np.linalg.eigvals(matrix[doubtful])).min(axis=1)
        bad = doubtful[smallest < _SOLE_WITHIN]
        matrix[bad] = np.eye(information.shape[1])
        z[large] = np.linalg.solve(matrix, gradient[large][:, :, None])[:, :, 0]
        lonely = large[bad]
    return z, lonely
