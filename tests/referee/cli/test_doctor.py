"""`hearts doctor`: what it finds, and what it makes of it."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from referee.cli import checks, doctor_command
from referee.cli.checks import Finding, Level
from referee.cli.main import app

FINE = Finding(check="python", level=Level.OK, found="3.11")
MISSING = Finding(check="go", level=Level.WARN, found="not installed", advice="bots in Go will be left out")
BROKEN = Finding(check="disk", level=Level.FAIL, found="full", advice="free some space")


def test_this_machine_is_fit_and_every_check_answers() -> None:
    done = CliRunner().invoke(app, ["doctor", "--json"])

    data = json.loads(done.stdout)
    assert (done.exit_code, data["schema"], data["ok"], data["fit"]) == (0, 1, True, True)
    names = [check["check"] for check in data["checks"]]
    assert {"python", "grpc", "unix socket", "launcher", "disk", "clock", *checks.TOOLCHAINS, "bwrap"} <= set(names)
    assert len(names) == len(set(names))
    assert all(check["found"] for check in data["checks"])
    assert all(check["advice"] for check in data["checks"] if check["level"] != "ok")


def doctor_with(
    monkeypatch: pytest.MonkeyPatch, *findings: Finding, options: tuple[str, ...] = ()
) -> tuple[int, str]:
    monkeypatch.setattr(doctor_command, "all_checks", lambda _: [lambda f=f: f for f in findings])
    done = CliRunner().invoke(app, ["doctor", *options])
    return done.exit_code, done.stdout


def test_a_warning_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    code, text = doctor_with(monkeypatch, FINE, MISSING)

    assert code == 0
    assert text.splitlines() == [
        "ok    python       3.11",
        "warn  go           not installed",
        "                   → bots in Go will be left out",
    ]


def test_a_failed_check_is_exit_code_4(monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor_with(monkeypatch, FINE, BROKEN)[0] == 4
    assert doctor_with(monkeypatch, FINE, BROKEN, options=("--json",))[0] == 4


def test_quiet_shows_only_what_is_not_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "python" not in doctor_with(monkeypatch, FINE, MISSING, options=("--quiet",))[1]
    assert doctor_with(monkeypatch, FINE, options=("--quiet",)) == (0, "")


@pytest.mark.parametrize(("free", "level"), [(100 << 20, Level.FAIL), (1 << 30, Level.WARN), (10 << 30, Level.OK)])
def test_the_disk_is_judged_by_what_tournaments_need(
    free: int, level: Level, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))

    assert checks.disk(tmp_path).level is level


def test_a_folder_that_is_not_there_fails_with_its_name(tmp_path: Path) -> None:
    finding = checks.disk(tmp_path / "none")

    assert finding.level is Level.FAIL
    assert str(tmp_path / "none") in finding.found


@pytest.mark.parametrize(("resolution", "level"), [(1e-9, Level.OK), (1e-3, Level.WARN), (1e-1, Level.FAIL)])
def test_a_coarse_clock_cannot_judge(resolution: float, level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    info = SimpleNamespace(resolution=resolution, implementation="test")
    monkeypatch.setattr(time, "get_clock_info", lambda _: info)

    assert checks.clock().level is level


def test_a_missing_toolchain_names_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)

    assert checks.toolchain("cargo") == Finding(
        check="cargo", level=Level.WARN, found="not installed", advice="bots in Rust will be left out"
    )


def test_a_toolchain_that_does_not_run_is_a_warning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "go").write_text("#!/no/such/interpreter\n")
    (tmp_path / "go").chmod(0o755)

    finding = checks.toolchain("go")

    assert (finding.level, finding.advice) == (Level.WARN, "reinstall it for bots in Go")


def test_stubs_that_refuse_the_runtime_are_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "referee.wire.server", None)

    finding = checks.stubs()

    assert finding.level is Level.FAIL
    assert "reinstall hearts-arena" in finding.advice


def test_a_socket_that_does_not_answer_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused() -> list[float]:
        raise OSError("no sockets here")

    monkeypatch.setattr(checks, "_round_trips", refused)

    assert checks.unix_socket().level is Level.FAIL
    assert checks.unix_socket().found == "OSError: no sockets here"
