"""What the documents say: README's commands are run as they stand, and every command named anywhere exists."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.main import app

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "proto/README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "sample_bots/README.md",
    *sorted((ROOT / "sample_bots").glob("*/README.md")),
]
# Waits for somebody else to connect: tests/contract/test_remote_network.py plays this part over a real network.
NEEDS_A_GUEST = "--listen"


def blocks(page: Path) -> Iterator[str]:
    """Command lines of a page's indented or fenced blocks, with continued lines joined."""
    text = page.read_text().replace("\\\n", " ")
    for line in text.splitlines():
        stripped = line.strip().removeprefix("$ ")
        if stripped.startswith("hearts ") and (line.startswith("    ") or "```" in text):
            yield re.sub(r"\s+#.*", "", re.sub(r"\s+", " ", stripped))


def commands_named(page: Path) -> set[str]:
    """Every command that stands in code type or in a block."""
    quoted = re.findall(r"`(hearts [a-z][^`]*)`", page.read_text())
    return {*quoted, *blocks(page)}


@cache
def help_of(words: tuple[str, ...]) -> str | None:
    done = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"})
    return done.stdout if done.exit_code == 0 else None


def environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "COLUMNS": "200", "NO_COLOR": "1"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_options_that_a_page_names_exist(page: Path) -> None:
    unknown = []
    for command in sorted(commands_named(page)):
        words = command.split()[1:]
        path = tuple(word for word in words[:2] if re.fullmatch(r"[a-z]+", word))
        text = help_of(path) if len(path) < 2 or help_of(path) is not None else None
        text = text or help_of(path[:1])
        options = [word.split("=")[0] for word in words if re.fullmatch(r"--[a-z-]+(=.*)?", word)]
        unknown += [f"{command}: {option}" for option in options if text is not None and option not in text]
        if text is None:
            unknown.append(command)

    assert unknown == []


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_commands_of_the_readme_run_in_the_order_in_which_they_stand(tmp_path: Path) -> None:
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    commands = [command for command in blocks(ROOT / "README.md") if NEEDS_A_GUEST not in command]

    assert len(commands) >= 8
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
