"""The frame of `hearts`: the table of commands, lazy imports, exit codes."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from referee.cli import check_command, config_command, tournament_command
from referee.cli.errors import EXIT_CODES, MEANINGS, ExitCode, Failure
from referee.cli.lazy import Entry
from referee.cli.main import COMMANDS, app
from referee.config import ConfigError
from referee.conformance.findings import Finding, Grade, Report

OPERATIONS = Path(__file__).parents[3] / "docs/operations.md"
HEAVY = ("alembic", "cryptography", "google", "grpc", "jinja2", "numpy", "rich", "scipy", "sqlalchemy")
MACHINES = ("judge", "worker")  # have a fixed machine form of their own and no other
TABLES = {"hearts": COMMANDS, "tournament": tournament_command.COMMANDS}


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from referee.cli.main import app\n"
        "try:\n    app(['--help'], prog_name='hearts')\nexcept SystemExit as end:\n    assert end.code == 0\n"
        f"print('heavy', sorted(set(sys.modules) & set({HEAVY!r})))\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert done.stdout.endswith("heavy []\n"), done
    assert all(name in done.stdout for name in COMMANDS)


@pytest.mark.parametrize("entry", [entry for table in TABLES.values() for entry in table.values()])
def test_every_command_of_the_tables_is_there(entry: Entry) -> None:
    module, _, attribute = entry.place.partition(":")

    assert callable(getattr(import_module(module), attribute))


def commands() -> list[list[str]]:
    groups = {"tournament": list(tournament_command.COMMANDS)}
    for name in COMMANDS:
        module, _, attribute = COMMANDS[name].place.partition(":")
        found = getattr(import_module(module), attribute)
        if isinstance(found, typer.Typer) and name not in groups:
            groups[name] = [str(c.name or c.callback.__name__) for c in found.registered_commands if c.callback]
    return [[name, inner] for name in groups for inner in groups[name]] + [[n] for n in COMMANDS if n not in groups]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_explains_itself_and_each_option(words: list[str]) -> None:
    done = CliRunner().invoke(app, [*words, "--help"], prog_name="hearts")

    assert done.exit_code == 0
    assert done.stdout.startswith(f"Usage: hearts {' '.join(words)} ")
    head, _, options = done.stdout.partition("Options:\n")
    assert len(head.strip().splitlines()) > 2, "no sentence on what it does"
    bare = [line for line in options.splitlines() if line.startswith("  -") and not line[2:].count("  ")]
    following = dict(zip(options.splitlines(), options.splitlines()[1:], strict=False))
    assert [line for line in bare if not following[line].startswith("    ")] == [], "an option without help"


@pytest.mark.parametrize("words", [w for w in commands() if w[0] not in MACHINES], ids=" ".join)
def test_every_command_can_speak_json_and_be_quiet(words: list[str]) -> None:
    text = CliRunner().invoke(app, [*words, "--help"]).stdout

    assert "--json" in text
    assert "--quiet" in text


def test_the_console_script_prints_its_version() -> None:
    done = subprocess.run([Path(sys.executable).with_name("hearts"), "--version"], capture_output=True, text=True)

    assert (done.returncode, done.stdout.split()[0]) == (0, "hearts-arena")


def test_wrong_usage_is_code_2_without_a_traceback() -> None:
    for words in (["--nonsense"], ["nonsense"], ["config", "show"], []):
        done = CliRunner().invoke(app, words)

        assert done.exit_code == ExitCode.USAGE
        assert "Traceback" not in done.output


def test_help_and_the_page_for_organisers_list_the_exit_codes_with_one_meaning() -> None:
    told = " ".join(CliRunner().invoke(app, ["--help"]).stdout.split())
    rows = [line.split("|")[1:3] for line in OPERATIONS.read_text().splitlines() if re.match(r"\| \d+ \|", line)]
    page = {int(code): meaning.strip() for code, meaning in rows}

    assert set(page) == set(MEANINGS) == set(ExitCode)
    for code, meaning in MEANINGS.items():
        assert f"{code} {meaning}" in told
        assert page[code].startswith(meaning)


def test_a_bot_s_faulty_description_is_told_as_json_too(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text("nmae = 'x'")

    faulty = CliRunner().invoke(app, ["check", str(tmp_path), "--json"])
    mistyped = CliRunner().invoke(app, ["check", str(tmp_path / "nowhere")])

    assert (faulty.exit_code, mistyped.exit_code) == (ExitCode.USAGE, ExitCode.USAGE)
    assert json.loads(faulty.stdout)["ok"] is False


@pytest.mark.parametrize("grade", Grade)
def test_a_check_of_a_bot_says_as_json_whether_all_is_well(grade: Grade, monkeypatch: pytest.MonkeyPatch) -> None:
    async def examine(*_: object, **__: object) -> Report:
        finding = Finding(check="hello", grade=grade, message="says hello")
        return Report(bot="low", findings=(finding,), turns=1, elapsed_ms=1)

    monkeypatch.setattr(check_command, "examine", examine)
    done = CliRunner().invoke(app, ["check", "low", "--json"])

    assert json.loads(done.stdout)["ok"] is (done.exit_code == 0) is (grade is not Grade.FAIL)


def test_every_known_error_exists_under_the_name_it_is_known_by() -> None:
    for name in EXIT_CODES:
        module, _, cls = name.rpartition(".")
        assert issubclass(getattr(import_module(module), cls), Exception), name


def raising(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    def fails(_path: Path) -> None:
        raise error

    monkeypatch.setattr(config_command, "read_config", fails)
    done = CliRunner().invoke(app, ["config", "check", "cup.toml"])
    assert done.stdout == ""
    return done.exit_code, done.stderr


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (ConfigError("cup.toml: bad"), 2, "error: cup.toml: bad\n"),
        (Failure("no port free"), 2, "error: no port free\n"),
        (Failure("no unix sockets here", ExitCode.UNFIT), 4, "error: no unix sockets here\n"),
        (OSError(errno.ENOSPC, "full", "/x/db"), 4, "error: /x/db: the disk is full: free some space"),
        (OSError(errno.ENOSPC, "full"), 4, "error: the disk is full: free some space"),
        (OSError(errno.EACCES, "no", "/x/db"), 2, "error: /x/db: permission denied"),
        (FileNotFoundError(errno.ENOENT, "no", "/x/y"), 2, "error: /x/y: there is no such file or folder"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_an_error_is_one_sentence_and_its_exit_code(
    error: BaseException, code: int, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    got, stderr = raising(error, monkeypatch)

    assert got == code
    assert stderr.startswith(sentence)
    assert stderr.count("\n") <= 1


def test_a_mistake_of_ours_asks_to_be_reported_and_keeps_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    code, stderr = raising(ZeroDivisionError("oh"), monkeypatch)

    assert code == ExitCode.INTERNAL
    assert stderr.startswith("internal error: ZeroDivisionError: oh; please report it with the traceback in ")
    (log,) = tmp_path.rglob("error-*.log")
    assert str(log) in stderr
    assert "ZeroDivisionError: oh" in log.read_text(encoding="utf-8")


def test_an_unknown_operating_system_error_is_a_mistake_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    assert raising(OSError(errno.EBADF, "bad descriptor"), monkeypatch)[0] == ExitCode.INTERNAL


def test_debug_prints_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_path: Path) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(config_command, "read_config", fails)

    done = CliRunner().invoke(app, ["--debug", "config", "check", "cup.toml"])

    assert done.exit_code == ExitCode.INTERNAL
    assert "Traceback (most recent call last)" in done.stderr
    assert done.stderr.endswith("please report it with the traceback above\n")


def test_a_reader_that_stops_reading_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", "from referee.cli.main import run; run()", "--help"],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(write)

    assert "internal error" not in done.stderr


def test_an_interrupt_in_the_last_moment_of_a_command_is_still_an_exit_code() -> None:
    code = (
        "import signal, sys\n"
        "import referee.cli.main as main\n"
        "ignore = main._ignore_signals\n"
        "late = iter([signal.SIGTERM])\n"  # SIGINT is ignored where a shell has started this in the background
        "def interrupted():\n"
        "    for number in late:\n"
        "        signal.raise_signal(number)\n"  # to this thread, and now
        "    ignore()\n"
        "main._ignore_signals = interrupted\n"
        "main.app = lambda prog_name: sys.exit(5)\n"
        "main.run()\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (130, "")
