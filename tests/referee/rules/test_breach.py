from __future__ import annotations

from referee.rules.breach import Breach, explain
from referee.rules.cards import parse_cards


def test_every_breach_has_a_sentence_that_names_the_legal_cards() -> None:
    legal = parse_cards(["7D", "QS"])
    for breach in Breach:
        assert explain(breach, legal).endswith("; legal: 7D, QS.")
        assert "legal" not in explain(breach, [])


def test_the_sentence_begins_with_what_the_bot_named_even_where_that_is_no_card() -> None:
    legal = parse_cards(["7D"])
    assert explain(Breach.MUST_FOLLOW_SUIT, legal, parse_cards(["QS"])).startswith("QS: The led suit")
    assert explain(Breach.CARD_NOT_HELD, legal, (99,)).startswith("card number 99: The card")
    assert explain(Breach.PASS_WRONG_COUNT, legal, (1,) * 500).startswith("2C, 2C, 2C, 2C, 2C, 2C and 494 more: ")
