"""Temporary folders: gone with their owner, however it ends, and nobody else's."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from referee.launch.scratch import PREFIX, Scratch

OWNER = "from referee.launch.scratch import Scratch; print(Scratch().path, flush=True); input()"


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of the test's own, for its child processes too."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def owner() -> tuple[subprocess.Popen[str], Path]:
    """Start another process that makes a folder."""
    process = subprocess.Popen([sys.executable, "-c", OWNER], stdin=-1, stdout=-1, text=True)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_a_folder_is_removed_when_its_owner_is_done(root: Path) -> None:
    with Scratch() as folder:
        (folder / "referee").touch()
        assert list(root.iterdir()) == [folder]

    assert list(root.iterdir()) == []


def test_a_folder_whose_owner_was_killed_is_removed_by_the_next_and_one_in_use_is_not() -> None:
    killed, left = owner()
    living, used = owner()
    (left / "referee").touch()
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert left.is_dir()
    with Scratch():
        is_there = left.exists(), used.is_dir()
    living.communicate("\n")

    assert is_there == (False, True)


def test_what_only_looks_like_ours_is_left_alone(root: Path) -> None:
    (root / f"{PREFIX}thesis").mkdir()
    (root / f"{PREFIX}notes").touch()
    (root / f"{PREFIX}link").symlink_to(root)
    Scratch().remove()

    assert sorted(path.name for path in root.iterdir()) == [f"{PREFIX}link", f"{PREFIX}notes", f"{PREFIX}thesis"]


def test_removing_again_does_no_harm() -> None:
    scratch = Scratch()
    scratch.remove()
    scratch.remove()

    assert not scratch.path.exists()
