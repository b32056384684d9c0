"""A bot as a process of its own, as the launcher or an author would start it."""

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.contract.scripted_referee import ANSWER_S_MAX

SAMPLE_BOTS = Path(__file__).parents[2] / "sample_bots"
TOKEN = "secret"
INSTANCE = "first"


class BotProcess:
    """A bot running from its folder by the `run` command of its bot.toml, dialling `address`."""

    def __init__(self, folder: Path, address: str, **environment: str) -> None:
        run = tomllib.loads((folder / "bot.toml").read_text())["run"]
        given = {"HEARTS_REFEREE": address, "HEARTS_TOKEN": TOKEN, "HEARTS_INSTANCE": INSTANCE, **environment}
        self._process = subprocess.Popen(
            [sys.executable if word == "python" else word for word in run],
            cwd=folder,
            env=os.environ | given,
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

    def terminate(self) -> None:
        self._process.send_signal(signal.SIGTERM)

    def ending(self) -> tuple[int, str]:
        """Wait for the bot to end by itself; return its exit code and what it wrote to stderr."""
        said = self._process.communicate(timeout=ANSWER_S_MAX)[1]
        return self._process.returncode, said.strip()
