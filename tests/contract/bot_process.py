"""A bot as a process of its own, as the launcher or an author would start it."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from referee.launch.content import IGNORED_FOLDERS
from tests.contract.scripted_referee import ANSWER_S_MAX

ROOT = Path(__file__).parents[2]
SAMPLE_BOTS = ROOT / "sample_bots"
COMPILED = ("go", "rust", "java", "cpp", "ruby")
"""Samples that are built, most of them slowly: their tests carry the mark `toolchain`, run by `make test-bots`."""
TOKEN = "secret"
INSTANCE = "first"


def built(folder: Path) -> Path:
    """Build the bot in `folder` unless it is built; skip the test where toolchain or packages are missing."""
    commands = tomllib.loads((folder / "bot.toml").read_text()).get("build", [])
    if commands and isinstance(commands[0], str):
        commands = [commands]
    with (folder / "bot.toml").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test workers may come here at once
        ready = folder / "build/.built"
        sources = max((path.stat().st_mtime for path in _sources(folder)), default=0.0)
        if not commands or (ready.exists() and ready.stat().st_mtime > sources):
            return folder
        if missing := _missing(folder, [command[0] for command in commands]):
            pytest.skip(f"{missing} is not installed: {folder.name} is not tested")
        for command in commands:
            built = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if built.returncode != 0 and command[:2] == ["npm", "ci"]:
                pytest.skip(f"npm cannot fetch packages: {folder.name} is not tested: {built.stderr[:300]}")
            assert built.returncode == 0, built.stdout + built.stderr
        ready.parent.mkdir(exist_ok=True)
        ready.touch()
    return folder


def _sources(folder: Path) -> Iterator[Path]:
    """Every file from which a bot is built: all but what a build leaves, see `referee.launch.content`."""
    for path in folder.iterdir():
        if path.is_file():
            yield path
        elif path.name not in IGNORED_FOLDERS and not path.name.startswith("."):
            yield from _sources(path)


def _missing(folder: Path, programs: list[str]) -> str:
    """What a build needs and is not here, asking the sample's own `make missing` too; empty if nothing."""
    if (folder / "Makefile").exists():
        programs.append("make")
    absent = [program for program in dict.fromkeys(programs) if shutil.which(program) is None]
    if absent or not (folder / "Makefile").exists():
        return " ".join(absent)
    return subprocess.run(
        ["make", "-s", "missing"], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()


class BotProcess:
    """A bot running from its folder by the `run` command of its bot.toml, dialling `address`."""

    def __init__(self, folder: Path, address: str, *, without: str = "", **environment: str) -> None:
        run = tomllib.loads((folder / "bot.toml").read_text())["run"]
        given = {"HEARTS_REFEREE": address, "HEARTS_TOKEN": TOKEN, "HEARTS_INSTANCE": INSTANCE, **environment}
        self._process = subprocess.Popen(
            [sys.executable if word == "python" else word for word in run],
            cwd=folder,
            env={name: value for name, value in (os.environ | given).items() if name != without},
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        with self._process:
            pass

    def kill(self) -> None:
        self._process.kill()

    def terminate(self) -> None:
        self._process.send_signal(signal.SIGTERM)

    def ending(self) -> tuple[int, str]:
        """Wait for the bot to end by itself; return its exit code and what it wrote to stderr."""
        said = self._process.communicate(timeout=ANSWER_S_MAX)[1]
        return self._process.returncode, said.strip()
