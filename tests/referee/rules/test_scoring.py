from __future__ import annotations

import pytest

from referee.rules.presets import preset
from referee.rules.scoring import MatchScore, rank_places


def test_ties_share_a_place_and_the_next_is_left_out() -> None:
    assert rank_places([5, 5, 7, 9]) == (1, 1, 3, 4)
    assert rank_places([9, 5, 9, 9]) == (2, 1, 2, 2)


def test_a_match_of_fixed_length_knows_no_target_and_no_play_off() -> None:
    score = MatchScore(preset("short"), deals=4)
    for _ in range(4):
        assert not score.is_over
        score.add([13, 13, 0, 0])
    assert score.is_over
    assert not score.in_playoff
    assert score.totals == [52, 52, 0, 0]
    assert score.places == (3, 3, 1, 1)


def test_a_play_off_goes_on_even_if_a_moon_takes_every_total_below_the_target() -> None:
    score = MatchScore(preset("american-new-moon"))
    score.totals = [99, 20, 20, 90]
    score.add([1, 0, 0, 25])
    score.add([-26, 0, 0, 0])
    score.add([0, 0, 0, -26])
    assert score.totals == [74, 20, 20, 89]
    assert (score.in_playoff, score.is_over) == (True, False)
    score.add([0, 1, 25, 0])
    assert (score.in_playoff, score.is_over) == (False, True)
    assert score.places == (3, 1, 2, 4)


def test_a_finished_match_takes_no_more_deals() -> None:
    score = MatchScore(preset("american"), deals=1)
    with pytest.raises(ValueError, match="3 scores were given for 4 seats"):
        score.add([1, 2, 3])
    score.add([26, 0, 0, 0])
    with pytest.raises(ValueError, match="over after 1 deals"):
        score.add([26, 0, 0, 0])
