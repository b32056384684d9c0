"""What holds for every sample project: short wire loops, fresh stubs, decisions as the vectors have them."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli.assets import bundled_bots
from referee.launch.manifest import load_manifest
from tests.contract.bot_process import built
from tests.sample_bots import vectors
from tests.sample_bots.projects import CONNECTIONS, LINES_MAX, SAMPLE_BOTS, WIRE_LOOPS, plain_lines, random_bot

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(path.parent for depth in ("*", "*/*") for path in SAMPLE_BOTS.glob(f"{depth}/bot.toml"))


@pytest.mark.parametrize("name", WIRE_LOOPS)
def test_a_bot_that_plays_at_random_takes_sixty_lines_imports_and_brackets_included(name: str) -> None:
    assert plain_lines(random_bot(name)) <= LINES_MAX


def test_the_two_projects_in_rust_reach_the_referee_by_the_same_code() -> None:
    for file in CONNECTIONS["rust"]:
        own, other = (SAMPLE_BOTS / project / file for project in ("rust", "montecarlo"))
        assert own.read_text() == other.read_text(), f"copy {own} to {other}"


def test_the_python_stubs_are_those_of_the_protocol() -> None:
    own = sorted((SAMPLE_BOTS / "python/gen/hearts/v1").glob("*_pb2*.py"))
    differ = [
        path.name for path in own if path.read_text() != (ROOT / "proto/gen/hearts/v1" / path.name).read_text()
    ]

    assert own
    assert differ == [], "run `make gen` in sample_bots/python"


@pytest.mark.parametrize("name", bundled_bots())
def test_a_python_bot_names_every_file_that_it_shares_so_that_its_content_hash_covers_them(name: str) -> None:
    folder = SAMPLE_BOTS / "python" / name
    look = "import strategy, sys; print(*(getattr(m, '__file__', '') for m in sys.modules.values()), sep='\\n')"
    imported = subprocess.run(
        [sys.executable, "-c", look],
        cwd=folder,
        env={"PYTHONPATH": f"{folder}:{folder.parent}"},
        capture_output=True,
        text=True,
        check=True,
    )
    used = {Path(line) for line in imported.stdout.splitlines() if Path(line).is_relative_to(folder.parent)}
    used.add(folder.parent / "wire_loop.py")
    shared = load_manifest(folder).shared

    assert {(folder / path).resolve() for path in shared} == {path for path in used if path.parent != folder}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(SAMPLE_BOTS)))
def test_a_manifest_is_accepted_by_the_launcher(folder: Path) -> None:
    manifest = load_manifest(folder)

    project = folder.relative_to(SAMPLE_BOTS).parts[0]
    assert manifest.language == {"montecarlo": "rust"}.get(project, project)


def test_the_vectors_are_the_decisions_of_the_python_duck_today() -> None:
    assert vectors.FILE.read_text() == vectors.text(), "run `python -m tests.sample_bots.vectors`"


def test_the_vectors_are_many_and_varied() -> None:
    turns = [vector["turn"] for vector in json.loads(vectors.FILE.read_text())["vectors"]]

    assert len(turns) >= 2000
    assert {turn["kind"] for turn in turns} == {1, 2, 3}
    assert {turn["seats"] for turn in turns} >= {3, 4, 5, 6, 7, 8, 11}


def test_the_python_project_checks_its_duck_by_itself() -> None:
    check = subprocess.run(
        [sys.executable, "check.py", vectors.FILE], cwd=SAMPLE_BOTS / "python", capture_output=True, text=True
    )

    assert (check.returncode, check.stderr) == (0, "")
    assert re.fullmatch(r"duck: \d+ decisions as expected\n", check.stdout)


def test_the_typescript_project_checks_its_duck_by_itself() -> None:
    folder = built(SAMPLE_BOTS / "typescript")
    check = subprocess.run(["npm", "run", "--silent", "check"], cwd=folder, capture_output=True, text=True)

    assert (check.returncode, check.stderr) == (0, "")
    assert re.fullmatch(r"duck: \d+ decisions as expected\n", check.stdout)


def test_the_readme_says_how_many_lines_they_are() -> None:
    readme = (SAMPLE_BOTS / "README.md").read_text()
    told = re.findall(r"^\| \[(\w+)/\].*\| (\d+) \|$", readme, re.MULTILINE)

    assert {name: int(lines) for name, lines in told} == {
        name: plain_lines(random_bot(name)) for name in WIRE_LOOPS
    }


def test_the_readme_says_how_long_the_files_are_that_do_not_count() -> None:
    readme = (SAMPLE_BOTS / "README.md").read_text()
    told = re.findall(r"`(\w+/[\w/.]+)`\s\((\d+)", readme)

    assert {path: int(lines) for path, lines in told} == {
        f"{name}/{file}": plain_lines((SAMPLE_BOTS / name / file).read_text())
        for name, files in CONNECTIONS.items()
        for file in files
    }


@pytest.mark.toolchain
@pytest.mark.skipif(shutil.which("go") is None or shutil.which("protoc") is None, reason="no go or no protoc")
def test_the_go_stubs_are_those_of_the_protocol(tmp_path: Path) -> None:
    copy = tmp_path / "go"
    shutil.copytree(SAMPLE_BOTS / "go", copy)
    subprocess.run(["make", "-s", "gen", f"PROTO={ROOT / 'proto'}"], cwd=copy, check=True)

    def code(folder: Path) -> dict[str, list[str]]:
        files = sorted((folder / "gen/hearts/v1").iterdir())
        return {
            file.name: [line for line in file.read_text().splitlines() if "protoc" not in line] for file in files
        }

    assert code(copy) == code(SAMPLE_BOTS / "go"), "run `make gen` in sample_bots/go"
