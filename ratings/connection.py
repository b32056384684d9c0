"""Who can be compared with whom: the check before any fit.

A difference of two ratings exists only where results lead from one bot to the other: for points in any way,
for Bradley-Terry in both directions (Ford, Amer. Math. Monthly 64, 1957), since a bot that always won may be
any amount better. Bots outside get a statement, never an infinity.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse.csgraph import connected_components

from ratings.arrays import Flags, Floats


def pools(met: Floats) -> list[Flags]:
    """Groups of bots that met, directly or through others, largest first; who met nobody is in none."""
    return _groups(met + met.T, directed=False)


def strong_groups(score: Floats) -> list[Flags]:
    """Groups within which everyone scored against everyone, directly or through others.

    `score[i, j]` is what bot i scored against bot j, a tie counting for both. Largest first.
    """
    return _groups(score, directed=True)


def _groups(edges: Floats, *, directed: bool) -> list[Flags]:
    here = (edges.sum(axis=0) + edges.sum(axis=1)) > 0
    count, label = connected_components((edges > 0).astype(np.int8), directed=directed, connection="strong")
    groups = [(label == index) & here for index in range(count)]
    # Equal sizes are told apart by the amount of results, then by the first name, so that no order is by chance.
    return sorted(
        (group for group in groups if group.any()),
        key=lambda group: (-group.sum(), -edges[group][:, group].sum(), int(np.argmax(group))),
    )


def main_pool(found: Sequence[Flags]) -> Flags | None:
    """The pool that holds more than half of all bots, if one does: the only one a list can honestly show."""
    if found and 2 * found[0].sum() > sum(group.sum() for group in found):
        return found[0]
    return None


def named(bots: Sequence[str], group: Flags, limit: int = 6) -> str:
    """The names of a group for a sentence, shortened when there are many."""
    names = [bot for bot, inside in zip(bots, group, strict=True) if inside]
    if len(names) > limit:
        return f"{', '.join(names[:limit])} and {len(names) - limit} more"
    return ", ".join(names)
