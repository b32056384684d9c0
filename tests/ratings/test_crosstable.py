"""The crosstable: plain sums of what happened, board by board."""

import numpy as np

from ratings.crosstable import crosstable
from ratings.observations import from_boards
from tests.ratings.boards import board


def test_scores_and_points_are_means_over_the_meetings() -> None:
    table = crosstable(
        from_boards(
            [
                board(0, "abc", (0.0, 13.0, 13.0), (False,) * 3),
                board(1, "ab", (10.0, 4.0), (False,) * 2),
                board(2, "ba", (5.0, 5.0), (False,) * 2),
            ]
        )
    )

    assert table.met.tolist() == [[0, 3, 1], [3, 0, 1], [1, 1, 0]]
    assert table.score[0, 1] == (1 + 0 + 0.5) / 3
    assert table.score[1, 2] == 0.5
    assert table.points[0, 1] == (13 - 6 + 0) / 3
    assert np.isnan(table.score[0, 0])


def test_beside_an_autopilot_only_the_loss_is_counted_and_no_points() -> None:
    table = crosstable(from_boards([board(0, "abc", (0.0, 5.0, 21.0), (False, False, True))]))

    assert table.met.tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    assert table.score[2, 0] == 0.0
    assert np.isnan(table.points).all()
