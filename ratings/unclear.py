"""Which neighbours in the table the results do not tell apart, in words."""

from __future__ import annotations

from ratings.standings import Standings

_NAMED_MAX = 6  # bots of a run; a longer one is known by its ends


def unclear_runs(standings: Standings) -> list[str]:
    """Runs of neighbours in the table whose order the results do not settle, in words."""
    runs: list[list[str]] = []
    for above, row in zip((None, *standings.rows), standings.rows, strict=False):
        if above is not None and row.bot in above.not_separated_from:
            runs[-1].append(row.bot)
        else:
            runs.append([row.bot])
    return [
        " ≈ ".join(run) if len(run) <= _NAMED_MAX else f"the {len(run)} bots from {run[0]} down to {run[-1]}"
        for run in runs
        if len(run) > 1
    ]
