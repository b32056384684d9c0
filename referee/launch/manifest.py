"""`bot.toml`: what a local bot is called and how it is built and run.

    name = "duck"
    version = "1.2"                    # all but name and run may be left out
    author = "Ada"
    owner = "ada"                      # who enters it; bots of one owner can be kept apart. Default: author
    language = "python"
    build = [["npm", "ci"], ["npm", "run", "build"]]    # or one command alone: ["make"]
    run = ["python", "bot.py"]
    shared = ["../cards.py"]           # files outside of the folder that belong to the bot too
    tables_max = 16                    # tables that one process plays at once
    [limits]                           # see `referee.launch.limits`
    memory_mb = 512

Commands are argument lists and never pass through a shell. They run in the folder of the file. A first word
with a slash is a file below that folder, one without is looked up on PATH; `python`, `python3` and `{python}`
anywhere are the interpreter that runs the referee, so that a clone works with its own virtual environment.
"""

from __future__ import annotations

import difflib
import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from referee.launch.content import ContentError, content_hash
from referee.launch.limits import Limits
from referee.toml_text import TomlError, read_toml

MANIFEST_NAME = "bot.toml"
TABLES_MAX = 4096
VERSION_DEFAULT = "0"
_NAME_CHARS_MAX = 40
_TEXT_CHARS_MAX = 200
_PYTHONS = frozenset({"python", "python3", "{python}"})


class ManifestError(ValueError):
    """A `bot.toml` that cannot be used; the message is one sentence that names file, key and value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotManifest:
    """A bot that can be launched here. The first words of `build` and `run` can be executed as they are."""

    name: str
    version: str
    author: str
    owner: str
    language: str
    build: tuple[tuple[str, ...], ...]
    run: tuple[str, ...]
    shared: tuple[str, ...]  # paths from the folder
    tables_max: int
    limits: Limits
    folder: Path
    content_hash: str  # of the folder's own files and those it shares, see `referee.launch.content`


def load_manifest(path: Path) -> BotManifest:
    """Read the manifest of a bot, given its folder or the file itself.

    Raises:
        ManifestError: there is none, or it says something wrong.
    """
    file = path / MANIFEST_NAME if path.is_dir() else path
    table = _Table(_read(file), str(file))
    manifest = BotManifest(
        name=_name(table),
        version=table.text("version", VERSION_DEFAULT),
        author=table.text("author", ""),
        owner=table.text("owner", "") or table.text("author", ""),
        language=table.text("language", ""),
        build=tuple(_resolve(command) for command in table.commands("build")),
        run=_resolve(table.command("run")),
        shared=(shared := _shared(table, file.parent)),
        tables_max=table.number("tables_max", 1, low=1, high=TABLES_MAX),
        limits=_limits(table),
        folder=file.parent.absolute(),
        content_hash=_content_hash(file.parent, shared),
    )
    table.refuse_unknown()
    _require_program(manifest, file)
    return manifest


def toolchain_missing(manifest: BotManifest) -> str | None:
    """Return why the bot cannot be built or run on this machine ("node is not installed"), None if it can.

    Meant for leaving a bot out with one line: it looks for the programs, and does not start any.
    """
    for program in dict.fromkeys(command[0] for command in (*manifest.build, manifest.run)):
        if os.sep not in program and shutil.which(program) is None:
            if (manifest.folder / program).is_file():
                return f"{program} is not installed; a file of the bot's own is written './{program}'"
            return f"{program} is not installed"
    return None


class _Table:
    """A TOML table of which every key has to be asked for."""

    def __init__(self, values: dict[str, object], where: str) -> None:
        self._values = values
        self._where = where
        self._known: list[str] = []

    def text(self, key: str, default: str | None) -> str:
        value = self._take(key, default)
        if not isinstance(value, str):
            raise self.error(key, value, "has to be a text in quotes")
        if len(value) > _TEXT_CHARS_MAX or not value.isprintable():
            raise self.error(key, value[:80], f"has to be one line of at most {_TEXT_CHARS_MAX} characters")
        return value

    def number(self, key: str, default: int, *, low: int, high: int) -> int:
        value = self._take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.error(key, value, f"has to be a whole number from {low} to {high}")
        return value

    def command(self, key: str) -> tuple[str, ...]:
        value = self._take(key, None)
        if isinstance(value, str):
            words = ", ".join(f'"{word}"' for word in value.split())
            raise self.error(key, value, f"has to be a list of arguments, as in {key} = [{words}]")
        return self._as_command(key, value)

    def commands(self, key: str) -> tuple[tuple[str, ...], ...]:
        value = self._take(key, [])
        if value == []:
            return ()
        if not isinstance(value, list) or any(isinstance(item, str) for item in value):
            return (self.command(key),)
        return tuple(self._as_command(key, item) for item in value)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise self.error(key, value, "has to be a list of texts")
        return tuple(value)

    def table(self, key: str) -> _Table:
        value = self._take(key, {})
        if not isinstance(value, dict):
            raise self.error(key, value, f"has to be a table, as in [{key}]")
        return _Table(value, f"{self._where}, [{key}]")

    def refuse_unknown(self) -> None:
        for key in self._values:
            if key not in self._known:
                raise ManifestError(f"{self._where}: unknown key {key!r}; {_suggest(key, self._known)}")

    def error(self, key: str, value: object, what: str) -> ManifestError:
        return ManifestError(f"{self._where}: {key} = {_shown(value)} {what}")

    def _as_command(self, key: str, value: object) -> tuple[str, ...]:
        words = tuple(value) if isinstance(value, list) else ()
        if not all(isinstance(word, str) for word in words) or not words or not words[0]:
            raise self.error(key, value, "has to be a list of arguments, each a text, the first one not empty")
        if not all(word.isprintable() for word in words):  # commands are shown to people, in their terminals
            raise self.error(key, value, "has characters that cannot be printed: put such a text into a file")
        return words

    def _take(self, key: str, default: object) -> object:
        self._known.append(key)
        if key in self._values:
            return self._values[key]
        if default is None:
            raise ManifestError(f"{self._where}: {key!r} is missing")
        return default


def _read(file: Path) -> dict[str, object]:
    try:
        return read_toml(file)
    except FileNotFoundError:
        if file.name == MANIFEST_NAME and file.parent.is_dir():
            raise ManifestError(f"{file.parent}: no {MANIFEST_NAME} in this folder, so it is no bot") from None
        raise ManifestError(f"{file}: no such folder or file") from None
    except OSError as error:
        raise ManifestError(f"{file}: cannot be read: {error.strerror}") from error
    except TomlError as error:
        raise ManifestError(f"{file}: {error}") from error


def _name(table: _Table) -> str:
    name = table.text("name", None)
    if not name or name != name.strip() or len(name) > _NAME_CHARS_MAX or "/" in name:
        raise table.error("name", name, f"has to be 1 to {_NAME_CHARS_MAX} characters without '/' or outer blanks")
    return name


def _shared(table: _Table, folder: Path) -> tuple[str, ...]:
    shared = table.texts("shared")
    for path in shared:
        if not (folder / path).exists():
            raise table.error(
                "shared", list(shared), f"names {path!r}, which does not exist in {folder.absolute()}"
            )
    return shared


def _content_hash(folder: Path, shared: tuple[str, ...]) -> str:
    try:
        return content_hash(folder, shared)
    except ContentError as error:
        raise ManifestError(str(error)) from error


def _limits(table: _Table) -> Limits:
    inner = table.table("limits")
    default = Limits()
    chosen = {
        name: inner.number(name, getattr(default, name), low=0, high=1 << 20)
        for name in (field.name for field in fields(Limits))
    }
    inner.refuse_unknown()
    return Limits(**chosen)


def _resolve(command: Iterable[str]) -> tuple[str, ...]:
    first, *rest = command
    python = sys.executable
    program = python if first in _PYTHONS else first
    return (program, *(python if word == "{python}" else word for word in rest))


def _require_program(manifest: BotManifest, file: Path) -> None:
    """Refuse a `run` that names a file which is no program; what a build makes is looked at when it is started."""
    program = manifest.run[0]
    path = manifest.folder / program
    if os.sep not in program:
        return
    if path.is_dir():
        what = f"names {program!r}, which is a folder and no program"
    elif manifest.build:
        return
    elif not path.is_file():
        what = f"names the file {program!r}, which does not exist"
    elif not os.access(path, os.X_OK):
        what = f"names {program!r}, which is not executable: run 'chmod +x' on it, or name its interpreter first"
    else:
        return
    raise ManifestError(f"{file}: run = {list(manifest.run)!r} {what}")


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # a whole number of thousands of digits, which TOML may write in hexadecimal
        return "a value too large to be shown"
    return text if len(text) <= _TEXT_CHARS_MAX else f"{text[: _TEXT_CHARS_MAX - 3]}..."


def _suggest(key: str, known: list[str]) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known are {', '.join(dict.fromkeys(known))}"
