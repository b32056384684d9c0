from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import typer

from referee.cli.judge_command import _answer_all, answer_line, judge_command
from referee.rules.cards import cards_text
from referee.rules.deal import Deal, Phase
from referee.rules.dealing import deal_cards, deal_seed, integer_seed
from referee.rules.presets import PRESETS, preset


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


@pytest.mark.parametrize(
    "line",
    [b"nope", b"\xff\xfe", b"[1, 2]", b"17", b"null", b"{", b"[" * 100_000, b'{"id": 1}x', b"9" * 5000],
    ids=["word", "bytes", "list", "number", "null", "open", "deep", "tail", "huge"],
)
def test_a_malformed_line_is_answered_and_the_next_is_read(line: bytes) -> None:
    out = io.BytesIO()
    _answer_all([line, b"\n", b'{"id": "next"}'], out)
    first, second = (json.loads(text) for text in out.getvalue().splitlines())
    assert first["id"] is None
    assert first["error"]["at"] == "request"
    assert second["id"] == "next"


def test_an_answer_is_flushed_before_the_next_line_is_read() -> None:
    flushed: list[int] = []

    class Out(io.BytesIO):
        def flush(self) -> None:
            flushed.append(len(self.getvalue().splitlines()))

    def lines() -> Any:
        yield b'{"id": 1}'
        assert flushed == [1]
        yield b'{"id": 2}'

    _answer_all(lines(), Out())
    assert flushed == [1, 2]


def test_a_thousand_deals_are_judged_in_ten_seconds_with_the_start_of_the_process(tmp_path: Path) -> None:
    requests = tmp_path / "deals.jsonl"
    requests.write_text("".join(json.dumps(whole_deal(number)) + "\n" for number in range(1000)))
    code = "import sys, typer; from referee.cli.judge_command import judge_command; typer.run(judge_command)"
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code, str(requests)], capture_output=True, timeout=60)
    elapsed_s = time.monotonic() - began
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert [answer["id"] for answer in answers] == list(range(1000))
    assert all(answer["complete"] and answer["error"] is None for answer in answers)
    assert elapsed_s < 10


def test_a_missing_file_is_one_sentence_and_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as stopped:
        judge_command(tmp_path / "none.jsonl")
    assert stopped.value.exit_code == 2
    assert "none.jsonl: No such file or directory; give a file of JSON lines" in capsys.readouterr().err


def test_an_answer_is_plain_json_whatever_the_request_holds() -> None:
    answer = answer_line(b'{"id": "\\ud800", "rules": {"name": "\\u0007"}, "hands": {}}')
    assert json.loads(json.dumps(answer)) == answer
