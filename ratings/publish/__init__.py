"""Writes standings as text, Markdown, CSV, JSON and a static site."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from ratings.csv_table import csv_text
from ratings.markdown_table import escaped, markdown_text
from ratings.publish.crosstable_csv import crosstable_text
from ratings.publish.details import BotNote, Details, FaultNote
from ratings.publish.files import remove_stale, write_files
from ratings.publish.site import GENERATOR, nothing_json, render_nothing, render_site
from ratings.standings import Standings
from ratings.text_table import render
from referee.records import MatchRecord

__all__ = ["BotNote", "Details", "FaultNote", "publish", "publish_nothing"]


def publish(
    standings: Standings,
    out: Path,
    *,
    title: str,
    details: Details | None = None,
    replays: Iterable[MatchRecord] = (),
) -> list[Path]:
    """Write everything a reader may want of a rating table into a folder.

    All of it is written, or nothing of it is changed. Pages that an earlier publication left in `site` and that are
    no longer part of it are removed.

    Args:
        standings: what is published.
        out: the folder; made if it is not there.
        title: the tournament's name.
        details: where the numbers come from.
        replays: matches that the site shows card by card; hand in no deal that somebody has still to play.

    Returns:
        The files a reader starts from: the tables, and the site's first page.

    Raises:
        OSError: it cannot be written; `filename` says which file.
    """
    files = {
        "standings.txt": f"{title}\n\n{render(standings)}",
        "standings.md": f"# {escaped(title)}\n\n{markdown_text(standings)}",
        "standings.csv": csv_text(standings),
        "standings.json": json.dumps(standings.to_json(), indent=2, allow_nan=False) + "\n",
        "crosstable.csv": crosstable_text(standings),
    }
    return _write(out, files, render_site(standings, title=title, details=details or Details(), replays=replays))


def publish_nothing(out: Path, *, title: str, details: Details, why: str) -> list[Path]:
    """Write into the place of a rating table that there is none, so that no file tells what counts no more.

    Args:
        out: the folder, as of `publish`.
        title: the tournament's name.
        details: where the table would come from.
        why: there is no result; no whole sentence.

    Returns:
        The same files as of `publish`.

    Raises:
        OSError: it cannot be written; `filename` says which file.
    """
    files = {
        "standings.txt": f"{title}\n\nNo result: {why}.\n",
        "standings.md": f"# {escaped(title)}\n\nNo result: {escaped(why)}.\n",
        "standings.csv": csv_text(None),
        "standings.json": nothing_json(why),
        "crosstable.csv": crosstable_text(None),
    }
    return _write(out, files, render_nothing(title=title, details=details, why=why))


def _write(out: Path, files: Mapping[str, str], site: Mapping[str, str]) -> list[Path]:
    """Write the tables and the site below them, and remove what an earlier site had besides."""
    write_files(out, {**files} | {f"site/{name}": text for name, text in site.items()})
    for folder in ("bots", "matches"):
        pages = {name.removeprefix(f"{folder}/") for name in site if name.startswith(f"{folder}/")}
        remove_stale(out / "site" / folder, keep=pages, sign=GENERATOR)
    return [out / name for name in (*files, "site/index.html")]
