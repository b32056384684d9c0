"""The code on proto/README.md works: its commands generate code, and its short bots play."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hearts.v1 import referee_service_pb2 as service
from hearts.v1.card_pb2 import CARD_2C, CARD_6C, CARD_QS, CARD_TC
from hearts.v1.rules_pb2 import MOON_CHOICE_ADD
from hearts.v1.table_pb2 import TURN_KIND_MOON, TURN_KIND_PASS, TURN_KIND_PLAY, Turn
from referee.cli.bot_templates import LANGUAGES, write_bot
from tests.contract.bot_process import ROOT, BotProcess, built
from tests.contract.scripted_referee import ScriptedReferee
from tests.sample_bots.projects import LINES_MAX, WIRE_LOOPS, plain_lines

PAGE = (ROOT / "proto/README.md").read_text()
BOTS = dict(re.findall(r"^### [^\n]+\n\n```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
GENERATORS = {
    re.search("python|--cpp_out|--go_out|ruby", block)[0].strip("-"): block  # type: ignore[index]
    for block in re.findall(r"^```bash\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
}
MADE = {
    "python": "referee_service_pb2_grpc.py",
    "cpp_out": "referee_service.grpc.pb.cc",
    "go_out": "referee_service_grpc.pb.go",
    "ruby": "referee_service_services_pb.rb",
}
HAND = [CARD_2C, CARD_6C, CARD_TC, CARD_QS]


def test_the_page_has_the_bot_in_six_languages_and_a_generator_for_each_that_needs_one() -> None:
    assert set(BOTS) == {"python", "typescript", "go", "rust", "java", "cpp"}
    assert set(GENERATORS) == set(MADE)


@pytest.mark.parametrize("language", BOTS)
def test_a_bot_of_the_page_takes_sixty_lines_imports_and_brackets_included(language: str) -> None:
    assert plain_lines(BOTS[language]) <= LINES_MAX


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "language",
    [
        pytest.param(name, marks=() if name == "python" else pytest.mark.toolchain)
        for name in BOTS
        if name in LANGUAGES
    ],
)
def test_a_bot_of_the_page_plays_until_the_farewell(language: str, tmp_path: Path) -> None:
    folder = tmp_path / "my-bot"
    sample = built(ROOT / "sample_bots" / language) if LANGUAGES[language].build else folder
    write_bot(folder, "my-bot", LANGUAGES[language])
    (folder / WIRE_LOOPS[language]).write_text(BOTS[language])
    if language == "rust":  # the packages that Cargo has compiled for the sample need not be compiled again
        shutil.copytree(sample / "target", folder / "target")
    turns = [
        Turn(turn_id=1, kind=TURN_KIND_PASS, hand=HAND, legal=HAND, pass_count=3, turn_seed=4_000_000_002),
        Turn(turn_id=2, kind=TURN_KIND_PLAY, hand=HAND, legal=HAND[1:3], turn_seed=1),
        Turn(turn_id=3, kind=TURN_KIND_MOON, turn_seed=2),
    ]

    with (
        ScriptedReferee("localhost:0") as referee,
        BotProcess(built(folder), referee.address, PYTHONPATH="gen") as bot,
    ):
        stream = referee.accept()
        hello = stream.welcome()
        answers = stream.ask(*turns)
        stream.farewell(service.FAREWELL_REASON_DONE)
        exit_code, _ = bot.ending()

    assert (hello.protocol_min, hello.protocol_max, hello.tables_max, exit_code) == (1, 1, 16, 0)
    assert [list(answers[turn_id].cards) for turn_id in (1, 2)] == [[CARD_TC, CARD_QS, CARD_2C], [CARD_TC]]
    assert answers[3].moon_choice == MOON_CHOICE_ADD


@pytest.mark.parametrize(
    "tool", [pytest.param(tool, marks=pytest.mark.toolchain if tool == "go_out" else ()) for tool in GENERATORS]
)
def test_the_commands_that_generate_code_work_as_they_stand(tool: str, tmp_path: Path) -> None:
    (tmp_path / "proto").symlink_to(ROOT / "proto")
    path = f"{ROOT / '.venv-proto/bin'}:{os.environ['PATH']}"
    program = {"cpp_out": "grpc_cpp_plugin", "go_out": "go", "ruby": "grpc_tools_ruby_protoc"}.get(tool, "python")
    if tool == "python" and not (ROOT / ".venv-proto").is_dir():
        pytest.skip("no .venv-proto: `make check` makes it; the Python commands of proto/README.md are not tested")
    if shutil.which(program, path=path) is None:
        pytest.skip(f"{program} is not installed: its commands of proto/README.md are not tested")

    done = subprocess.run(
        ["bash", "-e", "-c", GENERATORS[tool]],
        cwd=tmp_path,
        env=os.environ | {"PATH": path, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "gen/hearts/v1" / MADE[tool]).is_file()
