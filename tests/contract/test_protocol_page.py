"""proto/README.md says what the code does: its trace is replayed, its tables are compared with the definitions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.rpc import code_pb2

from hearts.v1 import referee_service_pb2, table_pb2
from referee.wire.line import DECISIONS_MAX
from referee.wire.pieces import MESSAGE_BYTES_SPLIT
from referee.wire.status import Refusal
from referee.wire.stream import MESSAGE_BYTES_MAX, StreamLimits
from tests.contract import trace

PAGE = trace.README.read_text()
PROTO = Path(__file__).parents[2] / "proto/hearts/v1"
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")]
FIRST_CELLS = [name for row in ROWS for name in re.findall(r"`(\w+)`", row[0])]
TYPES = {
    FieldDescriptor.TYPE_UINT32: "uint32",
    FieldDescriptor.TYPE_SINT32: "sint32",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_BOOL: "bool",
}


async def test_the_trace_is_what_the_referee_and_a_duck_say_today() -> None:
    assert trace.with_section(PAGE, await trace.trace()) == PAGE, "run `python -m tests.contract.trace`"


def test_every_field_of_a_turn_has_its_row_in_order_with_its_type() -> None:
    fields = table_pb2.Turn.DESCRIPTOR.fields
    rows = {row[0].strip("`"): row[1] for row in ROWS if len(row) == 3}

    assert {field.name: type_text(field) for field in fields} == {
        field.name: rows.get(field.name) for field in fields
    }


def type_text(field: FieldDescriptor) -> str:
    if field.enum_type is not None:
        return "cards" if field.enum_type.name == "Card" else "enum"
    return TYPES[field.type] + ("s" if field.is_repeated else "")


@pytest.mark.parametrize(
    "enum",
    [table_pb2.FaultKind, table_pb2.Ruling, referee_service_pb2.FarewellReason],
    ids=lambda e: e.DESCRIPTOR.name,
)
def test_every_value_of_an_enum_has_its_row(enum: object) -> None:
    names = [value.name for value in enum.DESCRIPTOR.values if value.number]  # type: ignore[attr-defined]

    assert set(names) <= set(FIRST_CELLS)


def test_every_field_of_the_hello_and_every_notice_has_its_row() -> None:
    hello = [field.name for field in referee_service_pb2.Hello.DESCRIPTOR.fields]
    notices = [field.name for field in table_pb2.Notice.DESCRIPTOR.oneofs_by_name["body"].fields]

    assert {*hello, *notices} <= set(FIRST_CELLS)


def test_the_table_of_status_codes_is_the_code_s() -> None:
    told = {(row[0].strip("`"), row[1].strip("`")) for row in ROWS if len(row) == 4}

    assert {(code_pb2.Code.Name(code), reason) for code, reason in (r.value for r in Refusal)} == told - {
        ("code", "reason"),
        ("---", "---"),
    }


def test_the_limits_named_are_the_limits_kept() -> None:
    assert f"{MESSAGE_BYTES_MAX // 1024} KiB, in both directions" in PAGE
    assert f"below {MESSAGE_BYTES_SPLIT // 1024} KiB" in PAGE
    assert f"At most {DECISIONS_MAX} decisions a message" in PAGE
    assert f"Within {StreamLimits().hello_ms // 1000} s of opening the stream" in PAGE
    assert f"after {StreamLimits().handoff_ms_max // 1000} s at the latest" in PAGE
    assert f"does not read for {StreamLimits().write_ms_max // 1000} s" in PAGE
