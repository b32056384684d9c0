"""The short form of the measurements on real deals: the sample bots' own strategies, without wire."""

from tests.truth.designs import gain
from tests.truth.offline_play import duel, play_boards

SEED = 3


def test_a_duel_needs_several_times_fewer_boards_than_random_deals_for_a_patch_of_one_bot() -> None:
    mirrored = duel("counter", "counter-3", range(1, 201), seed=SEED)
    random_deals = play_boards([("counter", "duck", "counter-3", "counter-6")], range(1, 401), seed=SEED)

    elo, points = gain(random_deals, mirrored, "counter", "counter-3")

    print(f"Elo {elo:.1f}, points {points:.1f} times fewer")
    assert elo > 4
    assert points > 4
