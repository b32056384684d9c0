from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from referee.cli.judge_command import LINE_BYTES_MAX, answer_all
from referee.cli.main import app
from referee.rules.cards import cards_text
from referee.rules.deal import Deal, Phase
from referee.rules.dealing import deal_cards, deal_seed, integer_seed
from referee.rules.presets import PRESETS, preset
from referee.rules.ruleset import PARAMETERS
from tests.referee.rules.test_judge import KEYS


def whole_deal(number: int) -> dict[str, Any]:
    rng = random.Random(number)
    name = PRESETS[number % len(PRESETS)]
    cards = deal_cards(preset(name), deal_seed(integer_seed(3), "", number, 0, 1))
    deal = Deal(preset(name), deal_number=number + 1, hands=cards.hands, widow=cards.widow)
    passes = [rng.sample(deal.legal(seat), 3) for seat in deal.seats_to_act()] if deal.phase is Phase.PASS else []
    for seat, gift in enumerate(passes):
        deal.pass_cards(seat, gift)
    while deal.phase is Phase.PLAY:
        deal.play(deal.turn_seat, rng.choice(deal.legal(deal.turn_seat)))
    return {
        "id": number,
        "rules": name,
        "deal_number": number + 1,
        "hands": [cards_text(hand) for hand in cards.hands],
        "widow": cards_text(cards.widow),
        "passes": [cards_text(gift) for gift in passes],
        "plays": cards_text(deal.played),
    }


MALFORMED = {
    "a word": b"nope",
    "no UTF-8": b"\xff\xfe",
    "no UTF-8 within JSON": b'{"id": "\xc3\x28"}',
    "a list": b"[1, 2]",
    "a number": b"17",
    "null": b"null",
    "nothing": b"",
    "blanks": b" \t ",
    "zeros": b"\0\0",
    "cut off": b'{"id": 1, "rules": "amer',
    "deep": b"[" * 100_000,
    "something behind": b'{"id": 1}x',
    "two objects": b'{"id": 1}{"id": 2}',
    "a huge number": b"9" * 5000,
    "a huge number within": b'{"id": 1, "deal_number": ' + b"9" * 41 + b"}",
    "infinity": b'{"id": 1e999}',
    "no number": b'{"id": NaN}',
    "10 MB": b'{"id": "' + b"x" * 10_000_000 + b'"}',
    "10 MB of nothing": b" " * 10_000_000,
}


def answers_to(*lines: bytes) -> list[dict[str, Any]]:
    out = io.BytesIO()
    answer_all(io.BytesIO(b"".join(line + b"\n" for line in lines)), out)
    return [json.loads(line, parse_constant=pytest.fail) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("line", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_line_is_answered_and_the_next_is_read(line: bytes) -> None:
    first, second = answers_to(line, b'{"id": "next"}')

    assert (first["id"], first["legal"], first["complete"]) == (None, [], False)
    assert first["error"]["at"] == "rules"
    message = first["error"]["message"]
    assert message.startswith("The line is no request: it ") or "is not a number that can be used" in message
    assert message.endswith("; give one JSON object with rules and hands.")
    assert len(message) < 250
    assert second["id"] == "next"


def test_a_line_as_long_as_is_allowed_is_a_request_and_one_byte_more_is_none() -> None:
    text = b'{"id": 5, "note": ""}'
    longest = text.replace(b'""', b'"' + b"x" * (LINE_BYTES_MAX - len(text)) + b'"')

    fits, too_long, after = answers_to(longest, longest + b" ", b'{"id": 6}')

    assert len(longest) == LINE_BYTES_MAX
    assert (fits["id"], too_long["id"], after["id"]) == (5, None, 6)
    assert f"more than {LINE_BYTES_MAX} bytes" in too_long["error"]["message"]


def test_the_last_line_needs_no_newline() -> None:
    out = io.BytesIO()
    answer_all(io.BytesIO(b'{"id": 1}\r\n{"id": 2}'), out)

    assert [json.loads(line)["id"] for line in out.getvalue().splitlines()] == [1, 2]


def test_an_answer_is_flushed_before_the_next_line_is_read() -> None:
    flushed: list[int] = []

    class Out(io.BytesIO):
        def flush(self) -> None:
            flushed.append(len(self.getvalue().splitlines()))

    class Lines(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            assert len(flushed) == self.getvalue()[: self.tell()].count(b"\n")
            return super().readline(size)

    answer_all(Lines(b'{"id": 1}\n{"id": 2}\n'), Out())

    assert flushed == [1, 2]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["american", "2C", "QS", "add"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
CARD_TEXTS = st.sampled_from([rank + suit for suit in "CDHS" for rank in "23456789TJQKA"])
RULES = st.fixed_dictionaries({}, optional=dict.fromkeys([*PARAMETERS, "base", "name", "other"], JSON))


@settings(max_examples=400, deadline=None, print_blob=True)
@given(data=st.data())
def test_whatever_a_request_holds_it_gets_one_answer_of_the_fixed_form(data: st.DataObject) -> None:
    request = whole_deal(data.draw(st.integers(0, 40), label="deal"))
    for key in data.draw(st.sets(st.sampled_from([*request, "dealer", "moon_choice"])), label="keys"):
        value: Any = (
            JSON | st.lists(CARD_TEXTS, max_size=60) | st.lists(st.lists(CARD_TEXTS, max_size=14), max_size=5)
        )
        request[key] = data.draw(RULES | JSON if key == "rules" else value, label=key)

    [answer] = answers_to(json.dumps(request).encode())

    assert list(answer) == KEYS
    assert answer["id"] == request["id"]
    error = answer["error"]
    if error is not None:
        assert list(error) == ["at", "index", "seat", "card", "breach", "message"]
        assert error["at"] in ("rules", "hands", "pass", "play")
        assert error["message"]
        assert "\n" not in error["message"]
    assert answer["complete"] == (answer["scores"] is not None)


@settings(max_examples=300, deadline=None, print_blob=True)
@given(lines=st.lists(st.binary(max_size=60).filter(lambda line: b"\n" not in line), min_size=1, max_size=4))
def test_whatever_bytes_come_every_line_gets_one_answer(lines: list[bytes]) -> None:
    answers = answers_to(*lines)

    assert len(answers) == len(lines)
    assert all(list(answer) == KEYS for answer in answers)


@settings(max_examples=200, deadline=None, print_blob=True)
@given(deal=st.integers(0, 40), place=st.integers(0, 3000), junk=st.binary(min_size=1, max_size=4))
def test_a_request_with_bytes_overwritten_gets_one_answer(deal: int, place: int, junk: bytes) -> None:
    line = bytearray(json.dumps(whole_deal(deal)).encode())
    line[place : place + len(junk)] = junk.replace(b"\n", b" ")

    [answer] = answers_to(bytes(line))

    assert list(answer) == KEYS


def test_a_thousand_deals_are_judged_in_ten_seconds_with_the_start_of_the_process() -> None:
    requests = [json.dumps(whole_deal(number)).encode() for number in range(1000)]
    requests.insert(500, b"nonsense")
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", "from referee.cli.main import run; run()", "judge"],
        input=b"\n".join(requests),
        capture_output=True,
        timeout=60,
    )
    elapsed_s = time.monotonic() - began
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, b"")
    wrong = answers.pop(500)
    assert (wrong["id"], wrong["error"]["at"]) == (None, "rules")
    assert [answer["id"] for answer in answers] == list(range(1000))
    assert all(answer["complete"] and answer["error"] is None for answer in answers)
    assert elapsed_s < 10


def test_a_file_is_judged_as_standard_input_is(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text(json.dumps(whole_deal(3)) + "\n")

    done = CliRunner().invoke(app, ["judge", str(file), "--json"])

    assert done.exit_code == 0
    assert json.loads(done.stdout)["complete"]


@pytest.mark.parametrize("name", ["none.jsonl", "."])
def test_a_file_that_cannot_be_read_is_one_sentence_and_exit_code_2(tmp_path: Path, name: str) -> None:
    done = CliRunner().invoke(app, ["judge", str(tmp_path / name)])

    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "give a file of JSON lines, or - for standard input" in done.stderr


def test_the_examples_of_the_page_are_answered_as_it_says() -> None:
    page = (Path(__file__).parents[3] / "docs/judge.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", page, flags=re.DOTALL)
    lines = re.findall(r"```text\n(.*)\n```", page)

    assert (len(blocks), len(lines)) == (4, 2)
    for request, answer in zip(blocks[::2], blocks[1::2], strict=True):
        assert answers_to(json.dumps(json.loads(request)).encode()) == [json.loads(answer)]
    for line, answer in zip(lines[::2], lines[1::2], strict=True):
        assert answers_to(line.encode()) == [json.loads(answer)]
