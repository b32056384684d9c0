"""`hearts connect` against the real referee, and against none."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import grpc
import pytest
from typer.testing import CliRunner

from referee.cli.main import app
from referee.records import MatchRecord
from referee.rules.presets import preset
from tests.contract.certificates import key_and_certificate
from tests.contract.real_referee import real_referee
from tests.contract.scripted_referee import ScriptedReferee

AT_ONCE_S = 20.0  # on a busy machine; the wait for a referee that is not there is 30 s
COMMAND = (sys.executable, "-c", "from referee.cli.main import run; run()", "connect")


def connect(*words: str) -> subprocess.Popen[str]:
    environment = os.environ | {"GRPC_VERBOSITY": "NONE"}
    return subprocess.Popen([*COMMAND, *words], env=environment, stderr=subprocess.PIPE, text=True)


async def test_four_connected_bots_play_a_match_and_end_with_the_referee() -> None:
    names = ("duck", "low", "random", "moon")
    async with real_referee(names, "127.0.0.1:0") as referee:
        bots = [connect(name, "--to", referee.address, "--token", name) for name in names]
        record = await referee.play(preset("american"), deals=1)
    ends = [bot.communicate(timeout=60)[1] for bot in bots]

    assert isinstance(record, MatchRecord)
    assert record.faults == ()
    assert [bot.returncode for bot in bots] == [0, 0, 0, 0], ends
    assert "the referee said farewell" in ends[0]


async def test_a_token_that_is_not_known_is_said_before_the_bot_starts() -> None:
    async with real_referee(("duck",), "127.0.0.1:0") as referee:
        bot = connect("duck", "--to", referee.address, "--token", "wrong")
        said = (await asyncio.to_thread(bot.communicate, None, 60))[1]

    assert bot.returncode == 2
    assert said.splitlines() == [
        f"trying {referee.address} …",
        f"error: {referee.address} refuses the bot: this referee expects no bot with that token",
    ]


def test_ctrl_c_ends_the_bot_and_says_that_it_can_go_on(tmp_path: Path) -> None:
    with ScriptedReferee("127.0.0.1:0") as referee:
        bot = connect("duck", "--to", referee.address, "--token", "secret")
        referee.accept()  # the knock
        stream = referee.accept()
        stream.welcome()
        bot.send_signal(signal.SIGINT)
        said = bot.communicate(timeout=30)[1]

        assert bot.returncode == 5
        assert said.endswith("stopped duck; the same command goes on\n")
        assert stream.ended.wait(10)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("duck", "--to", "127.0.0.1:1", "--wait-s", "0.2"), 4, "no referee answered at 127.0.0.1:1 within 0.2 s"),
        (("duck", "--to", "7777"), 2, "give the referee's address as HOST:PORT"),
        (("duck", "--to", "127.0.0.1:65536"), 2, "give the referee's address as HOST:PORT"),
        (("swan", "--to", "127.0.0.1:1"), 2, "swan: no such folder or file"),
        (("duck", "--to", "127.0.0.1:1", "--ca", "absent.pem"), 2, "absent.pem: there is no such file"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(words: tuple[str, ...], code: int, sentence: str) -> None:
    done = CliRunner().invoke(app, ["connect", *words, "--token", "t"], prog_name="hearts")

    assert done.exit_code == code
    assert done.stderr.removeprefix("trying 127.0.0.1:1 …\n").startswith("error: ")
    assert sentence in done.stderr


def test_nobody_there_is_told_from_somebody_who_speaks_otherwise() -> None:
    with socket.create_server(
        ("127.0.0.1", 0)
    ) as silent:  # takes connections, as a referee of TLS does, says nothing
        port = silent.getsockname()[1]
        words = ["connect", "duck", "--to", f"127.0.0.1:{port}", "--token", "t", "--wait-s", "0.2"]
        listening = CliRunner().invoke(app, words, prog_name="hearts")
    gone = CliRunner().invoke(app, words, prog_name="hearts")

    assert (listening.exit_code, gone.exit_code) == (4, 4)
    assert "a referee that uses TLS needs --ca FILE" in " ".join(listening.stderr.split())
    assert "nobody listens there" in " ".join(gone.stderr.split())


def test_a_referee_of_tls_is_told_at_once_from_a_plain_one_where_no_ca_was_given() -> None:
    tls = grpc.ssl_server_credentials([key_and_certificate()])
    with ScriptedReferee("localhost:0", tls) as referee:
        began_s = time.monotonic()
        done = CliRunner().invoke(app, ["connect", "duck", "--to", referee.address, "--token", "t"])

    assert done.exit_code == 2
    assert time.monotonic() - began_s < AT_ONCE_S
    assert f"the referee at {referee.address} speaks TLS: give --ca FILE" in done.stderr


def test_a_plain_referee_is_told_at_once_from_one_of_tls_where_a_ca_was_given(tmp_path: Path) -> None:
    ca = tmp_path / "ca.pem"
    ca.write_bytes(key_and_certificate()[1])
    with ScriptedReferee("localhost:0") as referee:
        began_s = time.monotonic()
        words = ["connect", "duck", "--to", referee.address, "--token", "t", "--ca", str(ca)]
        done = CliRunner().invoke(app, words)

    assert done.exit_code == 2
    assert time.monotonic() - began_s < AT_ONCE_S
    assert f"the referee at {referee.address} does not speak TLS: leave out --ca and unset HEARTS_CA" in done.stderr


def test_address_token_and_authority_may_stand_in_the_environment() -> None:
    environment = {"HEARTS_REFEREE": "127.0.0.1:1", "HEARTS_TOKEN": "t"}
    plain = CliRunner().invoke(app, ["connect", "duck", "--wait-s", "0.2"], env=environment)
    tls = CliRunner().invoke(app, ["connect", "duck"], env=environment | {"HEARTS_CA": "absent.pem"})

    assert "no referee answered at 127.0.0.1:1" in plain.stderr
    assert "absent.pem: there is no such file" in tls.stderr
