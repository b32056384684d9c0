"""The duck's decisions, for every language: `python -m tests.sample_bots.vectors` writes proto/vectors/duck.json.

A vector is a turn and its decision, each a JSON object as proto3 JSON has it, with field names as in the .proto
files, enum values and cards as numbers, and fields that have their default left out. The turn's seed, which the
duck does not read, is left out too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from hearts.v1.table_pb2 import TURN_KIND_MOON, TURN_KIND_PASS, Decision, Turn
from referee.rules.presets import preset
from tests.sample_bots.positions import decide, every_turn, strategy

FILE = Path(__file__).parents[2] / "proto/vectors/duck.json"
# Rule sets that differ in seats, packs, removed cards, passes and values; the deals of each.
PRESETS = {
    "american": 20, "spruce": 8, "omnibus": 4, "black-maria-3": 8, "three": 8, "cutthroat": 6, "british": 6,
    "five": 8, "six": 6, "seven": 6, "cancellation-6": 4, "cancellation-8": 3, "cancellation-11": 3,
}  # fmt: skip
COMPANY = ("duck", "random", "duck", "low")
MOON_TURNS = 40
KEEP_ONE_IN = 2  # of the turns with a choice, so that many deals fit into a file of a bearable size


def vectors() -> Iterator[tuple[Turn, Decision]]:
    """Turns with a real choice, and the duck's decision in each, whoever it was that was asked."""
    duck = strategy("duck")
    for name, deals in PRESETS.items():
        asked = every_turn(preset(name), COMPANY, range(deals))
        open_turns = [turn for turn, _ in asked if turn.kind == TURN_KIND_PASS or len(turn.legal) > 1]
        for turn in open_turns[::KEEP_ONE_IN]:
            turn.ClearField("turn_seed")
            yield turn, decide(duck, turn)
    for number in range(MOON_TURNS):
        turn = moon_turn(number)
        yield turn, decide(duck, turn)


def moon_turn(number: int) -> Turn:
    """A choice after a moon, with totals that make now one and now the other better."""
    draw = random.Random(number)
    seats, seat = draw.choice([(3, 2), (4, 0), (4, 3), (5, 1)])
    points = [0] * seats
    points[seat] = draw.choice([26, 26, 16, 43])
    return Turn(
        turn_id=number + 1, match_id=1, kind=TURN_KIND_MOON, rules_name="spruce", target=100, seat=seat,
        seats=seats, deal_number=4, scores=[draw.randrange(-26, 100) for _ in points], points=points, pass_count=3,
    )  # fmt: skip


def text() -> str:
    """The file's content: one vector a line."""
    lines = [f'{{"turn": {as_json(turn)}, "decision": {as_json(decision)}}}' for turn, decision in vectors()]
    return '{"vectors": [\n' + ",\n".join(lines) + "\n]}\n"


def as_json(message: Message) -> str:
    fields = MessageToDict(message, preserving_proto_field_name=True, use_integers_for_enums=True)
    return json.dumps(fields, separators=(",", ":"))


if __name__ == "__main__":
    FILE.write_text(text())
