"""Rule sets and enums on the wire are those of the house."""

from __future__ import annotations

from enum import Enum

import pytest

from hearts.v1 import card_pb2, rules_pb2, table_pb2
from referee.records import Blame, DecidedBy, FaultKind, Ruling, TurnKind
from referee.rules.breach import Breach
from referee.rules.cards import CARDS, card_text
from referee.rules.presets import PRESETS, preset
from referee.rules.ruleset import CHOICES, PARAMETERS, RuleSet
from referee.wire.rules_codec import FIELDS, rules_dict, rules_message


@pytest.mark.parametrize("name", PRESETS)
def test_a_rule_set_comes_back_from_the_wire_as_it_was(name: str) -> None:
    rules = preset(name)
    sent = rules_message(rules.to_dict()).SerializeToString()

    assert RuleSet.from_dict(rules_dict(rules_pb2.RuleSet.FromString(sent))) == rules


def test_an_unset_enum_is_refused_by_the_name_of_its_parameter() -> None:
    message = rules_message(preset("american").to_dict())
    message.ClearField("moon")

    with pytest.raises(ValueError, match="rules: moon has the unknown value 0"):
        rules_dict(message)


@pytest.mark.parametrize(
    ("ours", "prefix", "wire"),
    [
        (Breach, "BREACH_", table_pb2.Breach),
        (FaultKind, "FAULT_KIND_", table_pb2.FaultKind),
        (Ruling, "RULING_", table_pb2.Ruling),
        (TurnKind, "TURN_KIND_", table_pb2.TurnKind),
        (Blame, "BLAME_", table_pb2.Blame),
        (DecidedBy, "DECIDED_BY_", table_pb2.DecidedBy),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_every_enum_has_the_same_members_here_and_on_the_wire(ours: type[Enum], prefix: str, wire: object) -> None:
    names = wire.keys()  # type: ignore[attr-defined]

    assert {prefix + member.name for member in ours} | {prefix + "UNSPECIFIED"} == set(names)


@pytest.mark.parametrize("key", CHOICES)
def test_every_word_of_a_parameter_is_a_value_of_its_enum_on_the_wire(key: str) -> None:
    enum = FIELDS[key].enum_type
    assert enum is not None
    prefix = "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in enum.name).lstrip("_")

    assert [value.name for value in enum.values] == [
        f"{prefix}_{word}" for word in ("UNSPECIFIED", *(member.name for member in CHOICES[key]))
    ]


def test_the_wire_has_every_parameter_in_order_and_nothing_else() -> None:
    assert list(FIELDS) == ["name", *PARAMETERS]


def test_the_cards_have_the_same_numbers_on_the_wire() -> None:
    assert card_pb2.Card.items() == [
        ("CARD_UNSPECIFIED", 0),
        *((f"CARD_{card_text(card)}", card) for card in CARDS),
    ]
