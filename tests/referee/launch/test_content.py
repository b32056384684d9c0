"""The content hash changes with the source and with nothing else."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.launch import content
from referee.launch.content import ContentError, content_hash


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "bot.py").write_text("print()")
    (tmp_path / "bot.toml").write_text("name")
    return tmp_path


def _edit(bot: Path) -> None:
    (bot / "src" / "bot.py").write_text("print(1)")


def _rename(bot: Path) -> None:
    (bot / "src" / "bot.py").rename(bot / "src" / "bat.py")


def _make_executable(bot: Path) -> None:
    (bot / "bot.toml").chmod(0o755)


def _move_bytes_to_the_name(bot: Path) -> None:
    (bot / "bot.toml").write_text("ame")
    (bot / "bot.toml").rename(bot / "bot.tomln")


def _link(bot: Path) -> None:
    (bot / "link").symlink_to("nowhere")


def _add_empty_file(bot: Path) -> None:
    (bot / "empty").touch()


@pytest.mark.parametrize(
    "change", [_edit, _rename, _make_executable, _move_bytes_to_the_name, _link, _add_empty_file]
)
def test_a_change_of_the_source_changes_the_hash(bot: Path, change: Callable[[Path], None]) -> None:
    before = content_hash(bot)

    change(bot)

    assert content_hash(bot) != before


@pytest.mark.parametrize(
    "name", ["build/bot", "node_modules/x/index.js", ".git/HEAD", "src/__pycache__/bot.pyc", "a.o"]
)
def test_what_a_build_makes_does_not_change_the_hash(bot: Path, name: str) -> None:
    before = content_hash(bot)

    (bot / name).parent.mkdir(parents=True, exist_ok=True)
    (bot / name).write_text("made")

    assert content_hash(bot) == before


def test_the_same_files_elsewhere_have_the_same_hash(bot: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("copy")
    for file in (bot / "bot.toml", bot / "src" / "bot.py"):
        copy = other / file.relative_to(bot)
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(file.read_bytes())

    assert content_hash(other) == content_hash(bot)


def test_a_shared_file_counts_for_the_bots_that_name_it(bot: Path) -> None:
    shared = bot.parent / "cards.py"
    shared.write_text("SUITS = 4")
    alone, with_it = content_hash(bot), content_hash(bot, ["../cards.py"])
    shared.write_text("SUITS = 5")

    assert content_hash(bot) == alone
    assert len({alone, with_it, content_hash(bot, ["../cards.py"])}) == 3


def test_of_a_shared_folder_all_files_count_but_those_a_build_makes(bot: Path) -> None:
    library = bot.parent / "library"
    (library / "build").mkdir(parents=True)
    (library / "cards.py").write_text("SUITS = 4")
    before = content_hash(bot, ["../library"])
    (library / "build/cards.so").touch()

    assert content_hash(bot, ["../library", "../library"]) == before
    (library / "cards.py").write_text("SUITS = 5")
    assert content_hash(bot, ["../library"]) != before


def test_a_hash_is_the_one_that_its_page_describes(bot: Path) -> None:
    (bot / "src" / "bot.py").chmod(0o755)
    (bot / "a").symlink_to("bot.toml")
    expected = hashlib.sha256(b"hearts/v1/content")
    for file in ((b"a", b"l", b"bot.toml"), (b"bot.toml", b"f", b"name"), (b"src/bot.py", b"x", b"print()")):
        for part in file:
            expected.update(len(part).to_bytes(8, "big") + part)

    assert content_hash(bot) == expected.hexdigest()


def test_a_file_name_that_is_no_text_counts_like_any_other(bot: Path) -> None:
    before = content_hash(bot)
    (bot / os.fsdecode(b"\xff.txt")).touch()

    assert content_hash(bot) != before


def test_files_larger_than_a_bot_may_be_are_refused_before_they_are_read(
    bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (bot / "sparse").open("wb") as file:
        file.truncate(50 << 30)
    monkeypatch.setattr(content, "_add", lambda *_: pytest.fail("a file was read"))
    with pytest.raises(ContentError, match="more than 1073741824 bytes of files"):
        content_hash(bot)

    (bot / "sparse").unlink()
    monkeypatch.setattr(content, "FILES_MAX", 1)
    with pytest.raises(ContentError, match="more than 1 files"):
        content_hash(bot)


def test_what_is_no_file_is_refused_rather_than_read_without_end(bot: Path) -> None:
    os.mkfifo(bot / "pipe")
    assert content_hash(bot)  # in the bot's own folder it is none of its files
    for place in ("/dev/zero", "pipe"):
        with pytest.raises(ContentError, match="is neither a file nor a folder"):
            content_hash(bot, [place])


def test_a_folder_may_be_deeper_than_functions_may_call_each_other(bot: Path) -> None:
    before = content_hash(bot)
    at = os.open(bot, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=at)
        below = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=at))
    os.close(at)

    try:
        assert content_hash(bot) != before
    finally:  # pytest itself could not
        subprocess.run(["rm", "-rf", str(bot / "d")], check=True)
