"""Codecs between frozen dataclasses and parsed JSON: strict, and exact about where a value is wrong.

A codec writes one type of value as what `json.dumps` takes, and reads it back. Nothing is converted silently: a
key too many, a key too few, `true` for 1 or a text for a number is an error that names its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class RecordError(ValueError):
    """A text that is no match record; the message names the place, the value and what was expected."""

    def __init__(self, problem: str, path: str = "") -> None:
        self.problem = problem
        self.path = path
        super().__init__(f"match record: {path} {problem}" if path else f"match record: {problem}")

    def under(self, step: str) -> RecordError:
        """The same problem seen from the object or list that holds the value at `step`."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        return RecordError(self.problem, f"{step}{joint}{self.path}")


@dataclass(frozen=True, slots=True)
class Codec:
    """How one type of value is written to and read from parsed JSON; `read` raises RecordError.

    A record holds thousands of values that need no work, so those are told apart: `write` is None where the value
    is written as it is, and `kind` is set where reading is no more than a look at the exact type.
    """

    write: Callable[[Any], Any] | None
    read: Callable[[Any], Any]
    kind: type | None = None

    def written(self, value: object) -> Any:
        """The value as `json.dumps` takes it."""
        return value if self.write is None else self.write(value)


def plain(kind: type, name: str) -> Codec:
    """A value that JSON has itself; `name` says it with its article, for messages."""

    def read(raw: object) -> object:
        if type(raw) is not kind:  # exact: True is no integer here
            raise RecordError(f"is {shown(raw)} where {name} was expected")
        return raw

    return Codec(None, read, kind)


def optional(inner: Codec) -> Codec:
    """What `inner` does, or null."""
    write, read = inner.write, inner.read
    return Codec(
        None if write is None else lambda value: None if value is None else write(value),
        lambda raw: None if raw is None else read(raw),
    )


def choice(kind: type[StrEnum]) -> Codec:
    """A member of an enum, as its value; a member is a text already when it is written."""
    members = {member.value: member for member in kind}

    def read(raw: object) -> StrEnum:
        if type(raw) is not str or raw not in members:
            raise RecordError(f"is {shown(raw)}, not one of {', '.join(members)}")
        return members[raw]

    return Codec(None, read)


def many(inner: Codec) -> Codec:
    """A tuple of values of one type, as a list."""
    write, read_item, kind = inner.write, inner.read, inner.kind

    def read(raw: object) -> tuple[object, ...]:
        if type(raw) is not list:
            raise RecordError(f"is {shown(raw)} where a list was expected")
        if kind is not None and set(map(type, raw)) <= {kind}:
            return tuple(raw)
        index = 0
        values = []
        try:
            for index, item in enumerate(raw):  # noqa: B007 - the index is for the handler below
                values.append(read_item(item))
        except RecordError as error:
            raise error.under(f"[{index}]") from None
        return tuple(values)

    return Codec(list if write is None else lambda value: [write(item) for item in value], read)


def structure(kind: type[Any], omitted: Mapping[str, object] = MappingProxyType({}), /, **codecs: Codec) -> Codec:
    """The codec of a dataclass or a named tuple, field by field; every field must have one.

    A field in `omitted` is left out where it has the value given there: so a record without any keeps the bytes
    that it had before there was the field.
    """
    names = list(getattr(kind, "_fields", ())) or [field.name for field in fields(kind)]
    assert set(names) == set(codecs), (kind, set(names) ^ set(codecs))
    writers = [(name, codec.write) for name, codec in codecs.items() if codec.write is not None]
    readers = [(name, codecs[name].kind, codecs[name].read) for name in names]
    expected = frozenset(names)

    def write(value: object) -> dict[str, Any]:
        raw = {name: getattr(value, name) for name in names}
        for name, value_omitted in omitted.items():
            if raw[name] == value_omitted:
                del raw[name]
        for name, write_field in writers:
            if name in raw:
                raw[name] = write_field(raw[name])
        return raw

    def read(raw: object) -> object:
        if type(raw) is not dict:
            raise RecordError(f"is {shown(raw)} where an object was expected")
        there = readers
        if raw.keys() != expected:
            problems = [f"lacks the key {key!r}" for key in sorted(expected - raw.keys() - omitted.keys())]
            problems += [f"has the unknown key {shown(key)}" for key in sorted(raw.keys() - expected)]
            if problems:
                raise RecordError(problems[0])
            there = [reader for reader in readers if reader[0] in raw]
        values = {name: value for name, value in omitted.items() if name not in raw}
        name = ""
        try:
            for name, field_kind, read_field in there:
                found = raw[name]
                values[name] = found if type(found) is field_kind else read_field(found)
        except RecordError as error:
            raise error.under(name) from None
        return kind(**values)

    return Codec(write, read)


def shown(raw: object) -> str:
    """A value for a message, cut to a length that a line can hold."""
    text = repr(raw)
    return text if len(text) <= 60 else f"{text[:57]}..."
