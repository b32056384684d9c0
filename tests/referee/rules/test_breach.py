from __future__ import annotations

from referee.rules.breach import Breach, explain
from referee.rules.cards import parse_cards


def test_every_breach_has_a_sentence_that_names_the_legal_cards() -> None:
    legal = parse_cards(["7D", "QS"])
    for breach in Breach:
        assert explain(breach, legal).endswith("; legal: 7D, QS.")
        assert "legal" not in explain(breach, [])
