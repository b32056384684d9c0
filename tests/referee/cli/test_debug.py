"""`hearts debug`: a recorded seat asked again, of the same bot and of another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from referee.conformance.recorded import recorded_turns
from referee.record_json import record_from_json, record_to_json
from referee.records import Ruling, TurnKind
from referee.rules.dealing import integer_seed
from referee.rules.presets import preset
from referee.store import Event
from tests.referee.cli.matches import illegal, play_match
from tests.referee.simulated import ordered


def hearts(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], prog_name="hearts")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("debug") / "record.json"
    done = hearts("play", "duck", "low", "random", "moon", "--deals", "2", "--seed", "5", "--record", file, "-q")
    assert done.exit_code == 0, done.output
    return file


def test_the_same_bot_decides_as_recorded(record: Path) -> None:
    done = hearts("debug", "duck", record)

    assert done.exit_code == 0, done.output
    assert done.stdout == "duck decides 28 turns of 28 as recorded.\n"


@pytest.mark.parametrize("seed", ["5", integer_seed(5).hex()], ids=["number", "digits"])
def test_a_bot_that_draws_lots_decides_the_same_from_the_seed_of_the_match(record: Path, seed: str) -> None:
    done = hearts("debug", "random", record, "--seed", seed)

    assert done.stdout == "random decides 28 turns of 28 as recorded.\n"
    assert "at hand" not in done.stderr


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def test_it_is_said_where_turn_seeds_are_not_at_hand(record: Path) -> None:
    done = hearts("debug", "random", record, "--all")

    assert f"the seed that {record} was dealt from is not at hand, so turn seeds are 0" in in_one_line(done.stderr)
    assert "`--seed` takes it as `hearts play` did" in in_one_line(done.stderr)
    assert "otherwise than recorded" in done.stdout
    assert json.loads(hearts("debug", "random", record, "--json").stdout)["turn_seeds"] is False


@pytest.mark.parametrize("salt", ["", "lottery 3 17 22"])
def test_turn_seeds_come_from_the_seed_in_a_tournaments_folder(record: Path, tmp_path: Path, salt: str) -> None:
    match = record_from_json(record.read_bytes())
    cup = TournamentFolder(tmp_path / "cup")
    with cup.create(ordered(seed=None)) as store:
        store.add_matches([match])
        if salt:  # then the same seed deals other cards, so it is not the one
            store.add_event(Event(at="", kind="salt", message="", data={"salt": salt}))
    cup.seed_file.write_text(integer_seed(5).hex())

    done = hearts("debug", "random", cup.path, "--all")

    assert (done.stdout == "random decides 28 turns of 28 as recorded.\n") is not bool(salt)
    assert ("is not at hand" in in_one_line(done.stderr)) is bool(salt)


def test_turn_seeds_come_from_the_public_seed_in_an_export(record: Path, tmp_path: Path) -> None:
    cup = TournamentFolder(tmp_path / "cup")
    with cup.create(ordered(seed=5)) as store:
        store.add_matches([record_from_json(record.read_bytes())])
    assert hearts("tournament", "export", cup.path, "--out", tmp_path / "cup.jsonl").exit_code == 0

    done = hearts("debug", "random", tmp_path / "cup.jsonl")

    assert done.stdout == "random decides 28 turns of 28 as recorded.\n"


@pytest.mark.parametrize(
    ("seed", "sentence"),
    [
        ("6", "--seed 6: deals other hands than those of this match"),
        ("six", "--seed six: a whole number below 2^64 or 64 hexadecimal digits are expected"),
        ("ab" * 31, "64 hexadecimal digits are expected"),
    ],
)
def test_a_seed_that_is_not_the_matchs_is_refused(record: Path, seed: str, sentence: str) -> None:
    done = hearts("debug", "random", record, "--seed", seed)

    assert done.exit_code == 2
    assert sentence in done.stderr


def test_another_bot_stops_at_the_first_decision_that_differs(record: Path) -> None:
    done = hearts("debug", "low", record, "--seat", "duck")

    lines = done.stdout.splitlines()
    assert done.exit_code == 0, done.output
    assert lines[0].startswith("turn ")
    assert [line.split()[0] for line in lines if line.startswith("  ")][-3:] == ["legal", "then", "now"]
    assert "by duck" in done.stdout
    assert "   differs" in done.stdout
    assert "were not asked (--all goes on)" in lines[-1]


def test_all_differences_can_be_had_as_json(record: Path) -> None:
    said = json.loads(hearts("debug", "low", record, "--seat", "0", "--all", "--json").stdout)

    assert said["asked"] == 28
    assert len(said["turns"]) > 1
    assert not any(turn["same"] for turn in said["turns"])
    assert all(set(turn["now"]["cards"]) <= set(turn["legal"]) for turn in said["turns"])


def test_a_chosen_turn_is_shown_whether_it_differs_or_not(record: Path) -> None:
    turns = [
        each.decision.turn_number for each in recorded_turns(record_from_json(record.read_bytes()), 0, lambda *_: 0)
    ]

    done = hearts("debug", "duck", record, "--turn", str(turns[5]))

    assert done.stdout.startswith(f"turn {turns[5]} ")
    assert "   the same" in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--seat", "swan"), "give a number from 0 to 3, or one of duck, low, random, moon"),
        (("--turn", "9999"), "--turn 9999: seat 0 had no such turn"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(record: Path, words: tuple[str, ...], sentence: str) -> None:
    done = hearts("debug", "duck", record, *words)

    assert done.exit_code == 2
    assert sentence in done.stderr


@pytest.mark.parametrize("name", ["american", "spruce", "black-maria-3", "cancellation-8"])
def test_every_recorded_turn_of_every_seat_can_be_asked_again(name: str) -> None:
    record = play_match(rules=preset(name), deals=2)

    asked = [turn for seat in range(len(record.spec.bots)) for turn in recorded_turns(record, seat, lambda *_: 0)]

    assert sorted(turn.decision.turn_number for turn in asked) == sorted(
        decision.turn_number for deal in record.deals for decision in deal.decisions
    )
    assert all(set(turn.decision.cards) <= set(turn.legal) for turn in asked)
    assert {turn.decision.kind for turn in asked} >= {TurnKind.PLAY}


def test_a_revoked_deal_is_asked_up_to_its_end(tmp_path: Path) -> None:
    record = play_match(deals=2, ruling=Ruling.REVOKE, misdeeds={20: illegal})
    (tmp_path / "record.json").write_bytes(record_to_json(record))

    done = hearts("debug", "duck", tmp_path / "record.json", "--seat", "1", "--all", "-q")

    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1].startswith("duck decides ")
