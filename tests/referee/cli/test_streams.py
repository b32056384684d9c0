"""The command line where its streams, its locale or its signals are not what it would like."""

import os
import subprocess
import sys
from pathlib import Path

HEARTS = str(Path(sys.executable).with_name("hearts"))


def test_a_locale_without_utf_8_gets_replacement_characters() -> None:
    ascii_only = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([HEARTS, "rules", "show", "american"], env=ascii_only, capture_output=True)

    assert done.returncode == 0, done.stderr
    assert b"american" in done.stdout


def test_a_closed_standard_output_is_no_mistake_of_ours() -> None:
    done = subprocess.run(["sh", "-c", f"{HEARTS} rules show american >&-"], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert "internal error" not in done.stderr


def test_a_signal_before_a_command_is_ready_ends_it_without_a_traceback(tmp_path: Path) -> None:
    # A signal may reach another thread of the process first, and Python a moment later: the command waits for it.
    command = "lambda **_: (os.kill(os.getpid(), signal.%s), time.sleep(20))"
    code = f"import os, signal, time, referee.cli.main as m; m.app = {command}; m.run()"
    for name in ("SIGINT", "SIGTERM"):
        done = subprocess.run([sys.executable, "-c", code % name], cwd=tmp_path, capture_output=True, text=True)

        assert done.returncode == 130, done.stderr
        assert "Traceback" not in done.stderr


def test_nesting_beyond_reason_is_a_fault_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text("a=" + "[" * 100_000)
    done = subprocess.run([HEARTS, "config", "check", "deep.toml"], cwd=tmp_path, capture_output=True, text=True)

    assert done.returncode == 2
    assert "deep.toml: its tables or lists are nested too deeply" in done.stderr


def test_a_reader_that_has_seen_enough_is_no_mistake_of_ours() -> None:
    command = f"set -o pipefail; {HEARTS} rules list --json | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)

    assert done.stdout.splitlines() == ["{", "0"]
    assert done.stderr == ""
