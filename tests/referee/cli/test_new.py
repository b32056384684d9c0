"""`hearts new`: what it makes, and that it works from a clone and from an installed wheel."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.assets import bot_folder, bundled_bots
from referee.cli.bot_templates import LANGUAGES
from referee.cli.main import app
from referee.launch.manifest import load_manifest
from tests.contract.bot_process import built

ROOT = Path(__file__).parents[3]
LOCAL_PROJECT = ("--no-deps", "--quiet", "--disable-pip-version-check")


def new(*words: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["new", *map(str, words)], prog_name="hearts")
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_has_a_manifest_the_protocol_tests_and_no_leftovers(language: str, tmp_path: Path) -> None:
    code, said, _ = new(tmp_path / "my-bot", "--lang", language)

    folder = tmp_path / "my-bot"
    made = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    manifest = load_manifest(folder)
    assert code == 0
    assert (manifest.name, manifest.language) == ("my-bot", language)
    assert f"hearts check {folder} --quick" in said
    assert made >= {"README.md", ".gitignore", ".editorconfig", "positions.json", LANGUAGES[language].strategy}
    assert made >= {"proto/README.md", "proto/hearts/v1/referee_service.proto"}
    assert not [path for path in made if "__pycache__" in path or "node_modules" in path]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_of_a_new_bot_link_to_nothing_that_is_not_there(language: str, tmp_path: Path) -> None:
    new(tmp_path / "mine", "--lang", language)

    for page in (tmp_path / "mine/README.md", tmp_path / "mine/proto/README.md"):
        links = re.findall(r"\]\(([^)#]+)\)", page.read_text())
        assert [link for link in links if not (page.parent / link).exists()] == []
    assert "](proto/README.md)" in (tmp_path / "mine/README.md").read_text()


def test_the_three_next_commands_are_said_and_what_is_needed(tmp_path: Path) -> None:
    _, said, _ = new(tmp_path / "crow", "--lang", "C++")

    folder = tmp_path / "crow"
    assert re.findall(r"^  (?!#)(.+)$", said, re.MULTILINE) == [
        f"hearts check {folder} --quick",
        f"hearts play {folder} duck low random",
        f"(cd {folder} && {LANGUAGES['cpp'].test})",
    ]
    assert "Needed: a C++17 compiler, CMake" in said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("above", ["", "a-folder-with-a-name-that-alone-is-as-long-as-half-a-line"])
def test_prose_fits_a_terminal_and_commands_stand_whole_however_long_the_path_is(
    language: str, above: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path(above) / "crow"
    _, said, _ = new(folder, "--lang", language)
    shutil.rmtree(folder)
    steps = json.loads(new(folder, "--lang", language, "--json")[1])["next"]

    assert all(re.search(rf"^  {re.escape(step)}(    |$)", said, re.MULTILINE) for step in steps)
    for command in (*steps, *re.findall("`.+?`", said)):
        said = said.replace(command, "")
    assert [line for line in said.splitlines() if len(line) > 80 and " " in line.strip()] == []


def test_a_purpose_stands_beside_its_command_where_there_is_room_and_else_above_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, beside, _ = new("crow")
    _, above, _ = new("crow" * 10)

    assert "  hearts check crow --quick           says what is wrong with it\n" in beside
    assert f"  # says what is wrong with it\n  hearts check {'crow' * 10} --quick\n" in above


@pytest.mark.toolchain
@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "python"])
def test_a_new_bot_of_another_language_passes_its_own_tests_and_plays(language: str, tmp_path: Path) -> None:
    sample = built(ROOT / "sample_bots" / language)
    folder = tmp_path / "mine"
    new(folder, "--lang", language)
    if language == "rust":  # the packages that Cargo has compiled for the sample need not be compiled again
        shutil.copytree(sample / "target", folder / "target")

    tested = subprocess.run(["bash", "-c", LANGUAGES[language].test], cwd=folder, capture_output=True, text=True)
    words = ["play", str(folder), "duck", "low", "random", "--deals", "1", "--json", "--strict"]
    played = CliRunner().invoke(app, words)

    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert played.exit_code == 0, played.output


def test_the_tests_of_a_new_python_bot_pass_and_find_an_illegal_strategy(tmp_path: Path) -> None:
    new(tmp_path / "mine")
    run = [sys.executable, "-m", "unittest"]
    fresh = subprocess.run(run, cwd=tmp_path / "mine", capture_output=True, text=True)
    (tmp_path / "mine/strategy.py").write_text(
        "def choose_pass(turn):\n    return turn.hand[:2]\n\n\n"
        "def choose_card(turn):\n    return turn.hand[-1]\n\n\n"
        "def choose_moon(turn):\n    return 1\n"
    )
    spoiled = subprocess.run(run, cwd=tmp_path / "mine", capture_output=True, text=True)

    assert fresh.returncode == 0, fresh.stderr
    assert spoiled.returncode != 0
    assert "[lead the two of clubs]" in spoiled.stderr


def test_a_new_bot_plays_a_match_against_bundled_bots(tmp_path: Path) -> None:
    new(tmp_path / "mine")

    done = CliRunner().invoke(
        app, ["play", str(tmp_path / "mine"), "duck", "low", "random", "--deals", "1", "--json", "--strict"]
    )

    assert done.exit_code == 0, done.output
    assert [bot["bot"] for bot in json.loads(done.stdout)["bots"]] == ["mine", "duck", "low", "random"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("x" * 41,), "cannot be a bot's name"),
        (("2fast",), "cannot be a bot's name"),
        (("mine", "--lang", "pyhton"), "did you mean python?"),
        (("mine", "--lang", "cobol"), "there is no template for it"),
    ],
)
def test_what_cannot_be_made_is_said_in_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    code, _, said = new(*words)

    assert code == 2
    assert said.startswith("error: ")
    assert sentence in said


def test_an_existing_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()

    code, _, said = new(tmp_path / "mine")

    assert code == 2
    assert "exists already" in said
    assert list((tmp_path / "mine").iterdir()) == []


def test_a_bare_name_means_a_bundled_bot_unless_there_is_such_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bot_folder(Path("duck")) == bundled_bots()["duck"]
    (tmp_path / "duck").mkdir()

    assert bot_folder(Path("duck")) == Path("duck")
    assert bot_folder(Path("some/duck")) == Path("some/duck")
    assert bot_folder(Path("swan")) == Path("swan")


@pytest.mark.slow
def test_an_installed_wheel_makes_a_bot_and_plays_it(tmp_path: Path) -> None:
    """Dependencies come from this environment; the project itself only from the wheel."""
    build = [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)]
    built = subprocess.run(build, capture_output=True, text=True)
    if "Could not find a version" in built.stdout + built.stderr or "Connection" in built.stderr:
        pytest.skip("the build backend cannot be fetched: the wheel is not tested")
    assert built.returncode == 0, built.stdout + built.stderr
    [wheel] = tmp_path.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", *LOCAL_PROJECT, wheel], check=True)
    ours = next(Path(place) for place in sys.path if place.endswith("site-packages"))
    [theirs] = (tmp_path / "venv/lib").glob("python*/site-packages")
    for path in ours.iterdir():
        if (
            not path.name.startswith(("hearts_arena", "_hearts_arena", "referee", "__pycache__"))
            and not (theirs / path.name).exists()
        ):
            (theirs / path.name).symlink_to(path)
    hearts = str(tmp_path / "venv/bin/hearts")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([hearts, *words], cwd=elsewhere, env=environment, capture_output=True, text=True)

    made = run("new", "mine")
    assert made.returncode == 0, made.stderr
    played = run("play", "mine", "duck", "low", "random", "--deals", "1", "--json", "--strict")
    assert played.returncode == 0, played.stderr
    assert len(json.loads(played.stdout)["bots"]) == 4
    for language in LANGUAGES:
        made = run("new", f"in-{language}", "--lang", language)
        assert made.returncode == 0, made.stderr
        assert (elsewhere / f"in-{language}/proto/README.md").is_file()
    shutil.rmtree(tmp_path / "venv")


def test_the_commands_of_a_folder_with_blanks_are_quoted(tmp_path: Path) -> None:
    _, said, _ = new(tmp_path / "Ä b" / "crow")

    assert f"hearts check '{tmp_path}/Ä b/crow' --quick" in said
    assert f"(cd '{tmp_path}/Ä b/crow' && " in said
