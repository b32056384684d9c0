"""Between a rule set in its plain form (`RuleSet.to_dict`) and the wire message of the same parameters.

The two have the same names, so one table of enums says everything: a value `only_hearts` of `lead_exception` is
`LEAD_EXCEPTION_ONLY_HEARTS` on the wire.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from google.protobuf.descriptor import FieldDescriptor

from hearts.v1 import rules_pb2
from referee.rules.cards import card_text, parse_card

FIELDS: Mapping[str, FieldDescriptor] = rules_pb2.RuleSet.DESCRIPTOR.fields_by_name
CARD_LISTS = frozenset({"removed"})
CARD_POINTS = frozenset({"penalties", "bonuses"})


def rules_message(rules: Mapping[str, Any]) -> rules_pb2.RuleSet:
    """Write a rule set, given as `RuleSet.to_dict` writes it."""
    values: dict[str, Any] = {}
    for key, value in rules.items():
        field = FIELDS[key]
        if key in CARD_LISTS:
            values[key] = [parse_card(text) for text in value]
        elif key in CARD_POINTS:
            values[key] = [rules_pb2.CardPoints(card=cast(Any, parse_card(c)), points=p) for c, p in value.items()]
        elif field.enum_type is not None:
            values[key] = field.enum_type.values_by_name[f"{_prefix(field)}{value.upper()}"].number
        elif value is not None and value != "deal_total":
            values[key] = value
    return rules_pb2.RuleSet(**values)


def rules_dict(message: rules_pb2.RuleSet) -> dict[str, Any]:
    """Read a rule set into the plain form that `RuleSet.from_dict` takes.

    Raises:
        ValueError: an enum value is unspecified or unknown; the parameter is named.
    """
    rules: dict[str, Any] = {}
    for key, field in FIELDS.items():
        value = getattr(message, key)
        if key in CARD_LISTS:
            rules[key] = [card_text(card) for card in value]
        elif key in CARD_POINTS:
            rules[key] = {card_text(entry.card): entry.points for entry in value}
        elif field.enum_type is not None:
            known = field.enum_type.values_by_number.get(value)
            if known is None or value == 0:
                raise ValueError(f"rules: {key} has the unknown value {value}")
            rules[key] = known.name.removeprefix(_prefix(field)).lower()
        elif field.has_presence and not message.HasField(cast(Any, key)):
            rules[key] = "deal_total" if key == "moon_points" else None
        else:
            rules[key] = list(value) if key == "pass_cycle" else value
    return rules


def _prefix(field: FieldDescriptor) -> str:
    first = field.enum_type.values_by_number[0].name if field.enum_type is not None else ""
    return first.removesuffix("UNSPECIFIED")
