"""From a store to what is printed and published."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ratings.observations import from_boards
from ratings.standings import Standings, compute_standings
from ratings.text_table import render
from referee.cli.tournament_folder import TournamentFolder
from referee.config.tournament import TournamentConfig
from referee.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """A tournament's table and where it was written."""

    standings: Standings
    text: str
    files: tuple[Path, ...]
    faults: int
    root: str
    replay_key: str

    def to_json(self) -> dict[str, Any]:
        """Give the results as JSON values."""
        return {
            "standings": self.standings.to_json(),
            "files": [str(path) for path in self.files],
            "faults": self.faults,
            "root": self.root,
        }


def standings_of(config: TournamentConfig, store: Store) -> Standings:
    """Rate what is in the store.

    Raises:
        ResultError: nothing is finished yet.
    """
    return compute_standings(
        from_boards(store.results()),
        reports=store.reports(),
        rank_by=config.rank_by,
        anchor=config.anchor,
        labels=labels_of(config),
    )


def labels_of(config: TournamentConfig) -> list[str]:
    """Say what a reader must know before believing the table."""
    labels = [f"rules: {config.rules.name}", f"ruling: {config.faults.ruling.value}"]
    if config.seed is not None:
        labels.append(f"public seed {config.seed}, unrated")
    labels.append("trusted: bots run unsandboxed on the organiser's machine")
    return labels


def publish_results(place: TournamentFolder, config: TournamentConfig, store: Store) -> Results:
    """Rate the store, and write the table as text, Markdown, CSV, JSON and a site beside it."""
    from ratings.publish import publish

    standings = standings_of(config, store)
    files = publish(standings, place.path, title=config.name)
    reports = store.reports()
    faults = sum(count for report in reports for kind, count in report.faults.items() if kind.endswith("/bot"))
    return Results(
        standings=standings,
        text=render(standings),
        files=tuple(files),
        faults=faults,
        root=store.root(),
        replay_key=next(iter(sorted(store.finished_keys())), "")[:8],
    )
