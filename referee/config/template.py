"""The commented configuration that `hearts tournament init` writes: every key with its default."""

from __future__ import annotations

import json
from dataclasses import replace
from textwrap import wrap

from referee.config.keys import SECTIONS, Key

_WIDTH = 78
_INTROS = {
    "": "Hearts Arena tournament: enter bots at the end, then `hearts tournament run` this file.\n"
    "Every key is here with its default; what you do not change may be deleted.\n"
    "A key behind a # has no default: its line shows an example. Paths start from this file's folder.",
    "clock": "Times are in milliseconds (docs/configuration.md says how they are measured).",
    "house": 'Sample bots go by name, such as ["low"].',
    "listen": "Used when a bot below has `remote = true`.",
    "bot": "One [[bot]] for each entrant. A bot elsewhere: remote = true, name and no path.",
}


def config_template(bots: tuple[str, ...] = (), *, name: str | None = None) -> str:
    """Write a whole configuration.

    Args:
        bots: folders to enter. Without one, an example stands there behind a #, and the file is refused until
            bots are entered.
        name: of the tournament; None for the default.
    """
    lines: list[str] = []
    for section, keys in SECTIONS.items():
        if section == "bot":
            continue
        lines += _comment(_INTROS.get(section, ""))
        lines += [f"[{section}]"] if section else [""]
        for key in keys:
            is_name = name is not None and (section, key.name) == ("", "name")
            lines += _key(replace(key, default=name) if is_name else key)
        lines.append("")
    lines += _comment(_INTROS["bot"])
    for key in SECTIONS["bot"]:
        lines += _comment(f"{key.name}: {key.help}")
    entries = [("", folder) for folder in bots] or [("# ", "bots/mine")]
    for mark, folder in entries:
        lines += [f"{mark}[[bot]]", f"{mark}path = {_toml(folder)}"]
    return "\n".join(lines).rstrip() + "\n"


def _key(key: Key) -> list[str]:
    mark, value = ("# ", key.example) if key.default is None else ("", key.default)
    return [*_comment(key.help), f"{mark}{key.name} = {_toml(value)}"]


def _comment(text: str) -> list[str]:
    return [f"# {line}" for part in text.splitlines() for line in wrap(part, _WIDTH - 2)]


def _toml(value: object) -> str:
    """A value as TOML writes it; for those that occur here JSON writes the same."""
    return json.dumps(value, ensure_ascii=False)
