"""The sample bots as processes against a scripted referee: each language's wire loop, each bot of Python."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from hearts.v1 import referee_service_pb2 as service
from hearts.v1.card_pb2 import Card
from hearts.v1.rules_pb2 import MOON_CHOICE_ADD, MOON_CHOICE_SUBTRACT
from hearts.v1.table_pb2 import TURN_KIND_MOON, TURN_KIND_PASS, TURN_KIND_PLAY, Turn, TurnKind
from tests.contract.bot_process import COMPILED, INSTANCE, ROOT, SAMPLE_BOTS, TOKEN, BotProcess, built
from tests.contract.certificates import key_and_certificate
from tests.contract.scripted_referee import ANSWER_S_MAX, ScriptedReferee
from tests.sample_bots.projects import STRATEGIES, random_strategy

HAND = [Card.ValueType(card) for card in (1, 5, 9, 14, 20, 26, 27, 33, 39, 40, 46, 50, 52)]


def a_turn(turn_id: int, kind: TurnKind.ValueType = TURN_KIND_PLAY, cards_legal: int = len(HAND)) -> Turn:
    return Turn(
        turn_id=turn_id, match_id=1, kind=kind, seats=4, deal_number=1, hand=HAND, legal=HAND[:cards_legal],
        leaders=[0], pass_offset=1, pass_count=3, scores=[0] * 4, points=[0] * 4, target=100, turn_seed=turn_id,
    )  # fmt: skip


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[ScriptedReferee]:
    with ScriptedReferee(f"unix:{tmp_path}/referee") as referee:
        yield referee


@pytest.fixture(
    params=[
        "sample_bots/python/duck",
        "sample_bots/typescript",
        "tests/contract/ruby_bot",
        *(pytest.param(f"sample_bots/{name}", marks=pytest.mark.toolchain) for name in COMPILED),
    ]
)
def folder(request: pytest.FixtureRequest) -> Path:
    return built(ROOT / str(request.param))


@pytest.mark.parametrize(
    "name",
    [
        *("python/random", "python/low", "python/duck", "python/counter", "python/moon", "typescript"),
        *(pytest.param(name, marks=pytest.mark.toolchain) for name in (*COMPILED, "montecarlo")),
    ],
)
def test_a_bot_passes_plays_chooses_its_moon_and_ends_when_the_referee_is_done(
    name: str, referee: ScriptedReferee
) -> None:
    with BotProcess(built(SAMPLE_BOTS / name), referee.address) as bot:
        stream = referee.accept()
        hello = stream.welcome()
        turns = a_turn(1, TURN_KIND_PASS), a_turn(2, cards_legal=1), a_turn(3, TURN_KIND_MOON, cards_legal=0)
        answers = stream.ask(*turns)
        stream.farewell(service.FAREWELL_REASON_DONE, "All is played.")

        assert bot.ending() == (0, "All is played.")
    assert (hello.protocol_min, hello.protocol_max, hello.tables_max) == (1, 1, 256)
    assert (stream.metadata["authorization"], stream.metadata["hearts-instance"]) == (f"Bearer {TOKEN}", INSTANCE)
    assert len(set(answers[1].cards) & set(HAND)) == 3
    assert answers[2].cards == [HAND[0]]
    assert answers[3].moon_choice in (MOON_CHOICE_ADD, MOON_CHOICE_SUBTRACT)


@pytest.mark.toolchain
@pytest.mark.timeout(600)  # the copy is built from nothing where the compiler minds its new place
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_copy_of_a_project_plays_with_the_random_strategy_of_its_readme(
    name: str, referee: ScriptedReferee, tmp_path: Path
) -> None:
    copy = tmp_path / "bot"
    built(SAMPLE_BOTS / name)  # what it leaves makes the build of the copy quick, except with CMake
    left_out = "build" if (SAMPLE_BOTS / name / "CMakeLists.txt").exists() else ".built"
    shutil.copytree(SAMPLE_BOTS / name, copy, ignore=shutil.ignore_patterns(left_out))
    shutil.copytree(ROOT / "proto/hearts", copy / "proto/hearts")
    (copy / STRATEGIES[name]).write_text(random_strategy(name))

    with BotProcess(built(copy), referee.address):
        stream = referee.accept()
        stream.welcome()
        asked = [a_turn(turn_id, TURN_KIND_PASS) for turn_id in range(1, 9)]
        answers = stream.ask(*asked, a_turn(9, cards_legal=1), a_turn(10, TURN_KIND_MOON, cards_legal=0))

    passes = {tuple(answers[turn.turn_id].cards) for turn in asked}
    assert all(len(set(passed) & set(HAND)) == 3 for passed in passes)
    assert len(passes) > 1
    assert answers[9].cards == [HAND[0]]
    assert answers[10].moon_choice in (MOON_CHOICE_ADD, MOON_CHOICE_SUBTRACT)


def test_all_turns_of_a_message_are_answered_in_messages_of_at_most_128(
    referee: ScriptedReferee, folder: Path
) -> None:
    with BotProcess(folder, referee.address):
        stream = referee.accept()
        stream.welcome()
        stream.say(service.RefereeMessage(turns=[a_turn(turn_id) for turn_id in range(1, 257)]))
        answers = [[decision.turn_id for decision in stream.hear().decisions] for _ in range(2)]

    assert answers == [list(range(1, 129)), list(range(129, 257))]


def test_a_bot_comes_back_after_its_referee_was_killed_and_decides_the_same(
    referee: ScriptedReferee, folder: Path
) -> None:
    with BotProcess(folder, referee.address):
        stream = referee.accept()
        stream.welcome()
        before = stream.ask(a_turn(7))
        referee.crash()
        with ScriptedReferee(referee.address) as restarted:
            stream = restarted.accept()
            stream.welcome()

            assert stream.ask(a_turn(7)) == before


def test_a_bot_comes_back_when_its_stream_breaks(referee: ScriptedReferee, folder: Path) -> None:
    with BotProcess(folder, referee.address):
        stream = referee.accept()
        hello = stream.welcome()
        stream.end(grpc.StatusCode.INTERNAL)

        assert referee.accept().welcome().bot_name == hello.bot_name


def test_a_bot_comes_back_when_the_referee_drains(referee: ScriptedReferee, folder: Path) -> None:
    with BotProcess(folder, referee.address):
        stream = referee.accept()
        hello = stream.welcome()
        stream.farewell(service.FAREWELL_REASON_DRAINING, "The referee restarts.")

        assert referee.accept().welcome().bot_name == hello.bot_name


def test_a_bot_that_is_sent_away_says_why_and_stays_away(referee: ScriptedReferee, folder: Path) -> None:
    with BotProcess(folder, referee.address) as bot:
        stream = referee.accept()
        stream.welcome()
        stream.farewell(service.FAREWELL_REASON_REMOVED, "You were sent away.")

        assert bot.ending() == (0, "You were sent away.")


def test_a_bot_with_a_wrong_token_says_so_and_ends(referee: ScriptedReferee, folder: Path) -> None:
    with BotProcess(folder, referee.address) as bot:
        referee.accept().end(grpc.StatusCode.UNAUTHENTICATED, "The token is not known here.")

        assert bot.ending() == (1, "No more play: The token is not known here.")


@pytest.mark.parametrize("missing", ["HEARTS_REFEREE", "HEARTS_TOKEN"])
def test_a_bot_without_address_or_token_says_so_in_one_line_and_fails(folder: Path, missing: str) -> None:
    with BotProcess(folder, "localhost:1", without=missing) as bot:
        code, said = bot.ending()

    assert code != 0
    assert re.fullmatch(rf"(Error: )?\"?.*{missing}.* must be set\.\"?", said)


def test_a_bot_that_is_told_to_stop_ends_cleanly(referee: ScriptedReferee, folder: Path) -> None:
    with BotProcess(folder, referee.address) as bot:
        stream = referee.accept()
        stream.welcome()
        bot.terminate()

        assert bot.ending() == (0, "")
        assert stream.ended.wait(ANSWER_S_MAX)


def test_a_bot_speaks_tls_when_it_is_given_a_ca(folder: Path, tmp_path: Path) -> None:
    private, certificate = key_and_certificate()
    ca = tmp_path / "ca.pem"
    ca.write_bytes(certificate)
    with (
        ScriptedReferee("localhost:0", grpc.ssl_server_credentials([(private, certificate)])) as referee,
        BotProcess(folder, referee.address, HEARTS_CA=str(ca)),
    ):
        assert referee.accept().welcome().protocol_max == 1
