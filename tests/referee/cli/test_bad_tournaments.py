"""Bad input to `hearts tournament run`: a sentence that names it, the right code, nothing written or lost."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.main import app
from referee.executors.worker_process import RefusedError
from referee.plan import started
from referee.schedule.pairing import Entrant
from referee.store.store import Store
from tests.referee.simulated import ordered, play_cup

ROOT = Path(__file__).parents[3]
BOTS = ROOT / "sample_bots/python"
HEARTS = str(Path(sys.executable).with_name("hearts"))
FOUR = "".join(f'[[bot]]\npath = "{BOTS / name}"\n' for name in ("low", "duck", "random", "moon"))


def tournament(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [HEARTS, "tournament", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=100)


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return lines[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cylces = 2\n" + FOUR, "did you mean 'cycles'"),
        ('version = 99\nnew_key = "x"\n' + FOUR, "version = 99"),
        ('[[bot]]\npath = "nowhere"\n' + FOUR, "nowhere"),
        ("seed = 7\nrated = true\n" + FOUR, "rated = true cannot go with seed = 7"),
        ('rules = "amercian"\n' + FOUR, "american"),
        ("[clock]\nturn_ms = -1\n" + FOUR, "turn_ms"),
        ("name = \n", "not TOML"),
        (FOUR + FOUR, "two bots are named 'low'"),
        ('[listen]\naddress = "0.0.0.0:0"\n[[bot]]\nremote = true\nname = "far"\n' + FOUR, "hearts cert"),
    ],
    ids=lambda value: value[:24],
)
def test_a_bad_file_is_refused_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "cup.toml").write_text(text)
    done = CliRunner().invoke(app, ["tournament", "run", str(tmp_path / "cup.toml")])

    assert (done.exit_code, done.stderr.count("\n"), said in done.stderr) == (2, 1, True), done.stderr


def test_a_refused_file_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text("cylces = 2\n" + FOUR)
    tournament("run", "cup.toml", cwd=tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"]


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_run_that_a_worker_refuses_is_kept_once_it_has_begun(
    has_begun: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(_place: object, _config: object, store: Store, *_: object, **__: object) -> None:
        if has_begun:
            store.add_event(started([(Entrant("low"), False)], "2026-11-30T00:00:00Z"))
        raise RefusedError("bot.toml: not TOML")

    monkeypatch.setattr("referee.cli.tournament_run._play", play)
    (tmp_path / "cup.toml").write_text(FOUR)
    done = CliRunner().invoke(app, ["tournament", "run", str(tmp_path / "cup.toml")])

    assert (done.exit_code, done.stderr) == (2, "error: bot.toml: not TOML\n")
    assert (tmp_path / "cup").exists() is has_begun


def test_a_bot_that_does_not_start_and_leaves_an_empty_seat_may_be_mended_and_the_run_resumed(
    tmp_path: Path,
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    manifest = f'name = "mine"\nrun = ["{sys.executable}", "bot.py"]\n'
    (mine / "bot.toml").write_text(manifest)
    (mine / "bot.py").write_text("raise SystemExit(3)\n")
    four = FOUR.replace(str(BOTS / "moon"), str(mine))
    (tmp_path / "cup.toml").write_text(f"board_sets = 1\nseed = 7\n{four}")
    done = tournament("run", "cup.toml", cwd=tmp_path)
    mine.rename(tmp_path / "broken")
    mine.symlink_to(BOTS / "moon")
    resumed = tournament("resume", "cup", cwd=tmp_path)

    assert "3 bots and 0 house bots for a table of 4" in sentence(done)
    assert "`hearts tournament resume cup` tries again" in sentence(done)
    assert done.returncode == 2
    assert resumed.returncode == 0, resumed.stderr


def test_a_busy_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        text = f'[listen]\naddress = "127.0.0.1:{port}"\n[[bot]]\nremote = true\nname = "far"\n{FOUR}'
        (tmp_path / "cup.toml").write_text(text)
        done = tournament("run", "cup.toml", cwd=tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"]
    assert f"127.0.0.1:{port}" in sentence(done)
    assert "busy" in sentence(done)
    assert done.returncode == 2


def test_a_folder_with_a_tournament_is_never_overwritten_nor_mixed_with_another(tmp_path: Path) -> None:
    for name in ("one", "other"):
        asyncio.run(play_cup(tmp_path / name, ordered(name=name, board_sets=1)))
    (tmp_path / "one.toml").write_text(f'name = "one"\n{FOUR}')
    again = tournament("run", "one.toml", cwd=tmp_path)
    (tmp_path / "one/tournament.db").write_bytes((tmp_path / "other/tournament.db").read_bytes())
    mixed = tournament("resume", "one", cwd=tmp_path)
    finished = tournament("status", "other", cwd=tmp_path)

    assert "resume" in sentence(again)
    assert again.returncode == 2
    assert "holds the tournament 'other'" in sentence(mixed)
    assert mixed.returncode == 2
    assert finished.returncode == 0


@pytest.mark.slow
def test_a_full_disk_ends_the_run_with_a_sentence_and_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("a small file system cannot be mounted here (needs root)")
    try:
        (tmp_path / "cup.toml").write_text(f'name = "cup"\nboard_sets = 8\nseed = 7\n{FOUR}')
        done = tournament("run", "cup.toml", "--dir", "disk/cup", cwd=tmp_path)
        said = sentence(done)
        grown = subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], capture_output=True)
        resumed = tournament("resume", "disk/cup", "--quiet", cwd=tmp_path)

        assert grown.returncode == 0
        assert "full" in said
        assert done.returncode == 4
        assert resumed.returncode == 0, resumed.stderr
    finally:
        subprocess.run(["umount", "-l", str(disk)], capture_output=True)
