"""Compares the duck with its expected decisions: `python check.py ../../proto/vectors/duck.json`."""

import json
import sys
from pathlib import Path

PROJECT = Path(__file__).parent
sys.path += [str(PROJECT), str(PROJECT / "gen")]
from duck import strategy
from google.protobuf.json_format import ParseDict

from hearts.v1.table_pb2 import TURN_KIND_MOON, TURN_KIND_PASS, Decision, Turn


def decide(turn):
    if turn.kind == TURN_KIND_PASS:
        return {"cards": strategy.choose_pass(turn)}
    if turn.kind == TURN_KIND_MOON:
        return {"moon_choice": strategy.choose_moon(turn)}
    return {"cards": [strategy.choose_card(turn)]}


def main(path):
    vectors = json.loads(Path(path).read_text())["vectors"]
    for vector in vectors:
        turn = ParseDict(vector["turn"], Turn())
        decision = Decision(turn_id=turn.turn_id, **decide(turn))
        if decision != ParseDict(vector["decision"], Decision()):
            sys.exit(f"Another decision than expected.\n{vector}\n{decision}")
    print(f"duck: {len(vectors)} decisions as expected")


main(sys.argv[1])
