"""Writes standings as text, Markdown, CSV, JSON and a static site."""

from __future__ import annotations

import json
from pathlib import Path

from ratings.csv_table import csv_text
from ratings.markdown_table import markdown_text
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
    files = {
        "standings.txt": f"{title}\n\n{render(standings)}",
        "standings.md": f"# {title}\n\n{markdown_text(standings)}",
        "standings.csv": csv_text(standings),
        "standings.json": json.dumps(standings.to_json(), indent=2) + "\n",
    }
    for name, text in files.items():
        (out / name).write_text(text, encoding="utf-8", newline="\n")
    return [out / name for name in files]
