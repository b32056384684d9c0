"""TOML as people and their editors write it; the parser's own bounds become sentences."""

from __future__ import annotations

import tomllib
from pathlib import Path

DEPTH_MAX = 50  # tables and lists in each other; ours go four deep


class TomlError(ValueError):
    """A text that cannot be used as TOML; the message follows the name of the file."""


def read_toml(file: Path) -> dict[str, object]:
    """Read a file; a byte order mark, which some editors put in front, is no part of it.

    Raises:
        TomlError: it is no TOML in UTF-8, or is nested too deeply.
        OSError: it cannot be read.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise TomlError(f"is not UTF-8 text (byte {error.start}); save it as UTF-8") from error
    return parse_toml(text)


def parse_toml(text: str) -> dict[str, object]:
    """Parse a text.

    Raises:
        TomlError: it is no TOML, or is nested too deeply.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"is not TOML: {error}") from error
    except RecursionError:
        raise TomlError("its tables or lists are nested too deeply") from None
    except ValueError as error:  # int() refuses thousands of digits
        raise TomlError("is not TOML: a whole number in it does not fit 64 bits") from error
    _refuse_nesting(content)
    return content


def _refuse_nesting(content: object) -> None:
    """Refuse depths that dotted keys reach without the parser's notice, but that nobody can write out again."""
    level = [content]
    for _ in range(DEPTH_MAX):
        deeper: list[object] = []
        for value in level:
            if isinstance(value, dict):
                deeper += value.values()
            elif isinstance(value, list):
                deeper += value
        level = deeper
    if level:
        raise TomlError("its tables or lists are nested too deeply")
