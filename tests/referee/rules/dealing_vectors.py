"""Makes proto/vectors/dealing.json by its own means: nothing here is shared with `referee.rules.dealing`.

Run as a script it writes the file; `test_dealing_vectors` proves that it is fresh and the referee deals the same.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[3] / "proto/vectors/dealing.json"
PRESETS = Path(__file__).parents[3] / "referee/rules/presets.json"

# preset, seed as a number or in hexadecimal, salt, board set, attempt, deal number
CASES: list[tuple[str, int | str, str, int, int, int]] = [
    ("american", 7, "", 0, 0, 1),
    ("american", 7, "", 0, 0, 2),
    ("american", 7, "", 0, 1, 1),
    ("american", 7, "", 1, 0, 1),
    ("american", "00" * 32, "", 0, 0, 1),
    ("american", "ff" * 32, "6 11 19 24 35 42", 2**64 - 1, 2**32 - 1, 2**32 - 1),
    ("american", "0123456789abcdef" * 4, "Zürich ♠", 41, 3, 4),
    ("three", 7, "", 0, 0, 1),
    ("three-000", 7, "", 0, 0, 1),
    ("five", 7, "", 0, 0, 1),
    ("six", 7, "", 0, 0, 1),
    ("seven", 7, "", 0, 0, 1),
    *((f"cancellation-{seats}", 7, "", 0, 0, 1) for seats in range(6, 12)),
]


def vectors() -> dict[str, Any]:
    """The whole file as JSON has it."""
    presets = json.loads(PRESETS.read_text(encoding="utf-8"))
    return {
        "about": "Worked examples of docs/dealing.md; bytes in hexadecimal, rejected bytes as numbers in order",
        "deals": [_vector(presets[case[0]]["rules"], *case) for case in CASES],
    }


def _vector(
    rules: dict[str, Any], preset: str, seed: int | str, salt: str, board_set: int, attempt: int, deal_number: int
) -> dict[str, Any]:
    if isinstance(seed, int):
        tournament_seed = hashlib.sha256(b"hearts/v1/integer" + seed.to_bytes(8, "big")).digest()
    else:
        tournament_seed = bytes.fromhex(seed)
    fields = hashlib.sha256(salt.encode("utf-8")).digest() + board_set.to_bytes(8, "big")
    fields += attempt.to_bytes(4, "big") + deal_number.to_bytes(4, "big")
    deal_seed = hmac.new(tournament_seed, b"hearts/v1/deal" + fields, hashlib.sha256).digest()
    cards = [r + s for s in "CDHS" for r in "23456789TJQKA" if r + s not in rules["removed"]] * rules["packs"]
    drawn = b"".join(hashlib.sha256(deal_seed + i.to_bytes(4, "big")).digest() for i in range(16))
    used, rejected = 0, []
    for size in range(len(cards), 1, -1):
        while drawn[used] >= 256 // size * size:
            rejected.append({"position": size - 1, "byte": drawn[used]})
            used += 1
        other = drawn[used] % size
        used += 1
        cards[size - 1], cards[other] = cards[other], cards[size - 1]
    seats = rules["seats"]
    dealt = len(cards) // seats * seats
    turn_key = hmac.new(tournament_seed, b"hearts/v1/turn" + fields, hashlib.sha256).digest()
    turns = [(seat, index) for seat in (0, seats - 1) for index in (0, 1, 13)]
    return {
        "preset": preset,
        "integer_seed": seed if isinstance(seed, int) else None,
        "tournament_seed": tournament_seed.hex(),
        "commitment": hashlib.sha256(b"hearts/v1/commit" + tournament_seed).hexdigest(),
        "salt": salt,
        "board_set": board_set,
        "attempt": attempt,
        "deal_number": deal_number,
        "deal_seed": deal_seed.hex(),
        "bytes_used": used,
        "rejected": rejected,
        "shuffled": cards,
        "hands": [cards[seat:dealt:seats] for seat in range(seats)],
        "widow": cards[dealt:],
        "turn_key": turn_key.hex(),
        "turn_seeds": [
            {"seat": seat, "index": index, "turn_seed": _turn_seed(turn_key, seat, index)} for seat, index in turns
        ],
    }


def _turn_seed(turn_key: bytes, seat: int, index: int) -> int:
    return int(hashlib.sha256(turn_key + seat.to_bytes(4, "big") + index.to_bytes(4, "big")).hexdigest()[:8], 16)


def text() -> str:
    """The file's text: one line for each deal's lists, so that a difference is readable."""
    content = vectors()
    lines = [json.dumps(deal, ensure_ascii=False) for deal in content["deals"]]
    about = json.dumps(content["about"])
    return '{\n "about": ' + about + ',\n "deals": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
