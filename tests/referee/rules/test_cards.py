from __future__ import annotations

import pytest

from referee.rules.cards import (
    CARDS,
    card_text,
    cards_text,
    highest,
    lowest,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)


def test_numbers_texts_suits_and_ranks_agree() -> None:
    assert [card_text(card) for card in (1, 13, 14, 27, 40, 50, 52)] == ["2C", "AC", "2D", "2H", "2S", "QS", "AS"]
    for card in CARDS:
        assert parse_card(card_text(card)) == card
        assert card == 13 * suit_of(card) + rank_of(card) - 1


@pytest.mark.parametrize("text", ["1H", "qs", "10C", "", "QSX", "Q", None, 50])
def test_what_is_no_card_is_refused_with_a_sentence(text: object) -> None:
    with pytest.raises(ValueError, match="is no card: write a rank"):
        parse_card(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [0, -1, 53])
def test_a_number_that_is_no_card_has_no_text(number: int) -> None:
    with pytest.raises(ValueError, match="is no card"):
        card_text(number)


def test_the_referee_plays_the_lowest_and_passes_the_highest() -> None:
    hand = parse_cards(["2S", "2D", "KC", "KH", "AS", "QS"])
    assert card_text(lowest(hand)) == "2D"
    assert cards_text(highest(hand, 3)) == ["AS", "KH", "KC"]
