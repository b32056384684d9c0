"""Writes standings as text, Markdown, CSV, JSON and a static site."""

from __future__ import annotations

import json
from pathlib import Path

from ratings.standings import Standings
from ratings.text_table import render


def publish(standings: Standings, out: Path, *, title: str) -> list[Path]:
    """Write everything a reader may want of a rating table into a folder, and return the files.

    Args:
        standings: what is published.
        out: the folder; made if it is not there.
        title: the tournament's name.
    """
    out.mkdir(parents=True, exist_ok=True)
    files = {"standings.txt": render(standings), "standings.json": json.dumps(standings.to_json(), indent=2)}
    for name, text in files.items():
        (out / name).write_text(f"{title}\n\n{text}\n" if name.endswith(".txt") else text, encoding="utf-8")
    return [out / name for name in files]
