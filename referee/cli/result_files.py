"""Results from folders of tournaments and from CSV files, alone or pooled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ratings.columns import from_columns
from ratings.control import Controlled, merged_controls
from ratings.csv_results import read_csv
from ratings.observations import Observations, merged
from referee.cli.console import fail
from referee.cli.luck import controlled_of
from referee.cli.results import labels_of
from referee.cli.tournament_folder import TournamentFolder
from referee.config import TournamentConfig
from referee.records import BotReport


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFile:
    """The results of one place; a CSV file has neither reports, labels nor a configuration."""

    path: Path
    results: Observations
    reports: Sequence[BotReport] = ()
    config: TournamentConfig | None = None
    controlled: Controlled | None = None
    labels: Sequence[str] = ()


def read_all(paths: Sequence[Path]) -> list[ResultFile]:
    """Read every place given.

    Raises:
        Failure: a place is given twice, or is no folder of a tournament.
        ResultError: a CSV file cannot be used.
        StoreError: a store cannot be read.
    """
    files: list[ResultFile] = []
    for path in paths:
        if any(path == file.path for file in files):
            fail(f"{path}: is given twice, and would count twice: leave one out")
        if path.is_dir():
            folder = TournamentFolder(path)
            config = folder.config()
            with folder.read() as store:
                results = from_columns(store.result_columns())
                controlled = controlled_of(config, store, results)
                files.append(
                    ResultFile(
                        path=path,
                        results=results,
                        reports=store.reports(),
                        config=config,
                        controlled=controlled,
                        labels=labels_of(config, store),
                    )
                )
        else:
            files.append(ResultFile(path=path, results=read_csv(path)))
    return files


def pooled(files: Sequence[ResultFile]) -> Observations:
    """All results, as if one tournament had followed the other.

    Raises:
        ResultError: they differ in unit or rule set, or there is none.
    """
    return files[0].results if len(files) == 1 else merged({str(file.path): file.results for file in files})


def pooled_labels(files: Sequence[ResultFile]) -> list[str]:
    """What a reader must know of them: what holds for all tournaments once, anything else with the place's path."""
    places = [file for file in files if file.config is not None]
    common = [
        label for label in (places[0].labels if places else ()) if all(label in place.labels for place in places)
    ]
    own = [f"{place.path}: {label}" for place in places for label in place.labels if label not in common]
    return [*common, *own]


def pooled_control(files: Sequence[ResultFile]) -> Controlled | None:
    """The correction for luck of the cards; several tournaments are pooled only where it is one and the same.

    Raises:
        Failure: it differs.
    """
    betas = {file.path: None if file.controlled is None else file.controlled.beta for file in files}
    if len(set(betas.values())) > 1:
        said = ", ".join(f"{path}: {'none' if beta is None else f'{beta:g}'}" for path, beta in betas.items())
        fail(f"the control variates differ ({said}), and points of both kinds are not pooled: rate them separately")
    controlled = [file.controlled for file in files if file.controlled is not None]
    if len(controlled) < 2:
        return controlled[0] if controlled else None
    return merged_controls({str(file.path): file.controlled for file in files if file.controlled is not None})
