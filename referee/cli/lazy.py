"""Commands that are imported when they are called, so that `hearts --help` imports none of them.

A `LazyGroup` knows its commands by name, place and one line of help. What it hands out is a stand-in that imports
the command in the moment its arguments are to be parsed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

CONTEXT_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a command is: `module:attribute`, a function with typer's annotations or a typer app, and its help."""

    place: str
    help: str


class LazyGroup(TyperGroup):
    """A group whose commands are in `entries`, in the order in which they are listed."""

    entries: ClassVar[Mapping[str, Entry]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands.update({name: _StandIn(name, entry) for name, entry in self.entries.items()})


class _StandIn(TyperCommand):
    """Has a command's name and help, and becomes the command when it is called."""

    def __init__(self, name: str, entry: Entry) -> None:
        super().__init__(name, callback=None, help=entry.help, short_help=entry.help, rich_markup_mode=None)
        self._place = entry.place

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Import the command and let it parse its arguments; the context is its own from here on."""
        return self._load().make_context(info_name, args, parent=parent, **extra)

    def _load(self) -> Any:
        module, _, attribute = self._place.partition(":")
        found = getattr(import_module(module), attribute)
        if not isinstance(found, typer.Typer):
            function, found = found, new_app()
            found.command(self.name, context_settings=CONTEXT_SETTINGS)(function)
        return get_command(found)


def new_app(cls: type[TyperGroup] = TyperGroup) -> typer.Typer:
    """Make a typer app with the manners of this command line: plain help, plain errors, nothing run by default."""
    return typer.Typer(
        cls=cls,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings=CONTEXT_SETTINGS,
    )


def lazy_app(entries: Mapping[str, Entry], about: str) -> typer.Typer:
    """Make an app of commands that are imported when they are called.

    Args:
        entries: its commands by name.
        about: the first sentence of its help.
    """
    app = new_app(type("Group", (LazyGroup,), {"entries": entries}))
    app.callback(help=about)(_no_options)
    return app


def _no_options() -> None:
    """A group by itself takes no options."""
