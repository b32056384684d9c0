"""Values in messages."""

from __future__ import annotations

import json
from typing import Final

SHOWN_MAX: Final = 80  # characters of a value in a message


def shown(value: object) -> str:
    """How a value appears in a message: as JSON, shortened, on one line."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # a whole number of thousands of digits
        text = f"a {type(value).__name__} too large to be shown"
    return shortened(text)


def shortened(text: str) -> str:
    """The text, or its beginning where it is too long for a message."""
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 3] + "..."
