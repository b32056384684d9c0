"""Reading `bot.toml`, and saying what is wrong with one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee.launch.limits import Limits
from referee.launch.manifest import ManifestError, load_manifest, toolchain_missing

MINIMAL = 'name = "duck"\nrun = ["python", "bot.py"]\n'


def folder_with(tmp_path: Path, text: str) -> Path:
    (tmp_path / "bot.toml").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_minimal_manifest_gets_the_defaults(tmp_path: Path) -> None:
    manifest = load_manifest(folder_with(tmp_path, MINIMAL))

    assert manifest.name == "duck"
    assert manifest.run == (sys.executable, "bot.py")
    assert (manifest.version, manifest.owner, manifest.build, manifest.tables_max) == ("0", "", (), 1)
    assert manifest.limits == Limits()
    assert manifest.folder == tmp_path


def test_every_key_is_read_and_the_file_itself_can_be_named(tmp_path: Path) -> None:
    text = """
        name = "Żuraw 2"
        version = "1.2"
        author = "Ada"
        language = "typescript"
        build = [["npm", "ci"], ["npm", "run", "build"]]
        run = ["node", "dist/bot.js"]
        tables_max = 16
        [limits]
        memory_mb = 512
        cpu_s = 60
    """
    manifest = load_manifest(folder_with(tmp_path, text) / "bot.toml")

    assert manifest.name == "Żuraw 2"
    assert manifest.build == (("npm", "ci"), ("npm", "run", "build"))
    assert manifest.run == ("node", "dist/bot.js")
    assert manifest.owner == "Ada"  # the author enters the bot unless it says otherwise
    assert manifest.limits == Limits(memory_mb=512, cpu_s=60)


def test_one_build_command_need_not_be_in_a_list(tmp_path: Path) -> None:
    manifest = load_manifest(folder_with(tmp_path, MINIMAL + 'build = ["make", "-j2"]\n'))

    assert manifest.build == (("make", "-j2"),)


def test_python_is_the_interpreter_of_the_referee_wherever_it_is_named(tmp_path: Path) -> None:
    text = 'name = "x"\nrun = ["./start.sh", "{python}", "python"]\nbuild = ["python3", "-m", "build"]\n'
    manifest = load_manifest(folder_with(tmp_path, text))

    assert manifest.run == ("./start.sh", sys.executable, "python")  # a bare argument stays what it is
    assert manifest.build[0][0] == sys.executable


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('name = "x"', "bot.toml: 'run' is missing"),
        (MINIMAL + "table_max = 3", "unknown key 'table_max'; did you mean 'tables_max'?"),
        (MINIMAL + "xyz = 3", "unknown key 'xyz'; known are name, version"),
        (MINIMAL + "[limits]\nmemory = 3", "[limits]: unknown key 'memory'; did you mean 'memory_mb'?"),
        ('name = "x"\nrun = "python bot.py"', 'a list of arguments, as in run = ["python", "bot.py"]'),
        ('name = "x"\nrun = []', "run = [] has to be a list of arguments"),
        ('name = "x"\nrun = [""]', "run = [''] has to be a list of arguments"),
        ('name = "x"\nrun = ["a", 1]', "run = ['a', 1] has to be a list of arguments"),
        ('name = "x"\nrun = ["y", "a\\u001b[2J"]', "has characters that cannot be printed"),
        (MINIMAL + 'build = [["y", "a\\u0000"]]', "has characters that cannot be printed"),
        (MINIMAL + "build = [[]]", "build = [] has to be a list of arguments"),
        (MINIMAL + "build = 1", "build = 1 has to be a list of arguments"),
        (MINIMAL + 'tables_max = "3"', "tables_max = '3' has to be a whole number from 1 to 4096"),
        (MINIMAL + "tables_max = true", "tables_max = True has to be a whole number"),
        (MINIMAL + "tables_max = 0", "tables_max = 0 has to be a whole number"),
        (MINIMAL + "version = 1.0", "version = 1.0 has to be a text in quotes"),
        (MINIMAL + 'author = "a\\u001b[2J"', "has to be one line of at most 200 characters"),
        (MINIMAL + "limits = 3", "limits = 3 has to be a table, as in [limits]"),
        ('name = " x"\nrun = ["y"]', "name = ' x' has to be 1 to 40 characters"),
        ('name = "a/b"\nrun = ["y"]', "name = 'a/b' has to be 1 to 40 characters"),
        ('name = "x"\nrun = ["./bot"]', "names the file './bot', which does not exist"),
        ('name = "x"\nrun = ["./bot.toml"]', "names './bot.toml', which is not executable: run 'chmod +x' on it"),
        ('name = "x"\nrun = ["/tmp"]', "run = ['/tmp'] names '/tmp', which is a folder and no program"),
        ('name = "x"\nbuild = ["true"]\nrun = ["/tmp"]', "names '/tmp', which is a folder and no program"),
        (MINIMAL + 'shared = "../cards.py"', "shared = '../cards.py' has to be a list of texts"),
        (MINIMAL + 'shared = ["../no-such.py"]', "names '../no-such.py', which does not exist in"),
        ("name = ", "is not TOML:"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(ManifestError) as caught:
        load_manifest(folder_with(tmp_path, text))

    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "bot.toml"))
    assert "\n" not in str(caught.value)


def test_a_folder_without_manifest_and_a_path_without_anything_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=r"no bot\.toml in this folder, so it is no bot"):
        load_manifest(tmp_path)
    with pytest.raises(ManifestError, match="gone: no such folder or file"):
        load_manifest(tmp_path / "gone")


def test_text_that_is_not_utf8_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(b'name = "\xff"')

    with pytest.raises(ManifestError, match=r"is not UTF-8 text \(byte 8\)"):
        load_manifest(tmp_path)


def test_a_program_that_the_build_makes_need_not_be_there_yet(tmp_path: Path) -> None:
    manifest = load_manifest(folder_with(tmp_path, 'name = "x"\nrun = ["build/bot"]\nbuild = ["true"]\n'))

    assert manifest.run == ("build/bot",)
    assert toolchain_missing(manifest) is None


def test_a_missing_toolchain_is_named(tmp_path: Path) -> None:
    manifest = load_manifest(folder_with(tmp_path, 'name = "x"\nrun = ["sh"]\nbuild = ["no-such-compiler"]\n'))

    assert toolchain_missing(manifest) == "no-such-compiler is not installed"


def test_a_file_of_the_bot_s_own_is_not_looked_for_on_path(tmp_path: Path) -> None:
    (tmp_path / "start").touch()
    manifest = load_manifest(folder_with(tmp_path, 'name = "x"\nrun = ["start"]\n'))

    assert toolchain_missing(manifest) == "start is not installed; a file of the bot's own is written './start'"


def test_the_content_hash_covers_the_files_that_are_shared(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    (tmp_path / "cards.py").write_text("SUITS = 4")
    folder_with(folder, MINIMAL + 'shared = ["../cards.py"]\n')
    before = load_manifest(folder)
    (tmp_path / "cards.py").write_text("SUITS = 5")

    assert before.shared == ("../cards.py",)
    assert load_manifest(folder).content_hash != before.content_hash
