"""`hearts tournament pause` and `continue`: hold a running tournament from another terminal.

The run holds its store, so the wish is a file in the tournament's folder, which the run looks at every half second.
A paused tournament that is stopped or killed resumes paused.
"""

from __future__ import annotations

from pathlib import Path

from referee.cli.console import FolderArgument, JsonOption, QuietOption, emit, emit_json, quoted, wrapped
from referee.cli.tournament_folder import TournamentFolder


def pause(
    folder: FolderArgument,
    as_json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """Let a running tournament finish what is in flight and begin nothing more, until told to continue."""
    place = TournamentFolder(folder)
    place.config()
    place.pause_file.touch()
    _say(folder, is_paused=True, as_json=as_json)


def continue_(
    folder: FolderArgument,
    as_json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001  there is no progress to be silent about
) -> None:
    """Let a paused tournament go on."""
    place = TournamentFolder(folder)
    place.config()
    place.pause_file.unlink(missing_ok=True)
    _say(folder, is_paused=False, as_json=as_json)


def _say(folder: Path, *, is_paused: bool, as_json: bool) -> None:
    if as_json:
        emit_json({"paused": is_paused})
    elif is_paused:
        emit(
            wrapped(f"paused: what is in flight is finished; `hearts tournament continue {quoted(folder)}` goes on")
        )
    else:
        emit(
            wrapped(
                "continued: the tournament plays on; "
                f"a stopped one needs `hearts tournament resume {quoted(folder)}`"
            )
        )
