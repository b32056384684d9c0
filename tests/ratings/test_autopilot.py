"""Bots that the referee played for: the table says what they cost."""

from __future__ import annotations

import json
import re

import pytest

from ratings.markdown_table import markdown_text
from ratings.observations import from_boards
from ratings.publish import Details
from ratings.publish.site import render_site
from ratings.publish.words import lead, stated
from ratings.standings import Standings, compute_standings
from ratings.text_table import render
from tests.ratings.boards import board

SENTENCE = (
    "broken was on autopilot on 20 of its 20 boards, which say nothing about the others: "
    "withdraw it and play again without it"
)


def standings_with(autopilot_boards: int) -> Standings:
    boards = []
    for number in range(20):
        is_lost = number < autopilot_boards
        points = (26.0, 0.0, 0.0, 0.0) if is_lost else tuple(float((number + 3 * seat) % 7) for seat in range(4))
        boards.append(board(number, ("broken", "a", "b", "c"), points, (is_lost, False, False, False)))
    return compute_standings(from_boards(boards))


def test_a_bot_that_was_on_autopilot_throughout_is_named_in_every_form_of_the_table() -> None:
    standings = standings_with(20)

    assert SENTENCE in " ".join(render(standings).split())
    assert SENTENCE in markdown_text(standings)
    assert SENTENCE in json.dumps(standings.to_json())


@pytest.mark.parametrize(("autopilot_boards", "is_said"), [(0, False), (1, False), (2, True)])
def test_below_a_tenth_of_its_boards_nothing_is_said(autopilot_boards: int, is_said: bool) -> None:
    assert any("on autopilot" in warning for warning in standings_with(autopilot_boards).warnings) == is_said


def test_nobody_is_said_to_stand_first_where_several_share_the_place() -> None:
    assert lead(standings_with(20)) == ("a, b and c share the first place: these results do not tell who is best.")


def test_a_bound_has_the_minus_of_numbers_and_a_name_keeps_its_hyphen() -> None:
    assert stated("below -476") == "below −476"
    assert stated("pool-1 of 2") == "pool-1 of 2"
    assert stated(None) == ""


def test_the_site_writes_bounds_with_a_minus_in_table_and_warnings() -> None:
    page = render_site(standings_with(20), title="Cup", details=Details())["index.html"]

    assert len(re.findall(r"below −\d+", page)) >= 2
    assert not re.findall(r"below -\d+", page)
