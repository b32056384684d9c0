"""Schedules on their way through a store: every kind is played to its end, and resumed as it was drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.tournament_folder import TournamentFolder
from referee.config import ConfigError, TournamentConfig
from referee.plan import plan_for, plan_of, progress_of, started
from referee.record_json import comparable
from referee.schedule.pairing import Entrant
from referee.store import Correction, CorrectionKind
from referee.tournament import Ending, Tournament
from tests.referee.simulated import BOTS, SimulatedExecutor, ordered, play_on

KINDS = {
    "round-robin": ordered(board_sets=5),
    "round-robin, owners apart": ordered(board_sets=5, owners_apart=True),
    "gauntlet": ordered(schedule="gauntlet", challengers=["amy"], board_sets=4),
    "swiss": ordered(schedule="swiss", rounds=4),
    "swiss by points": ordered(schedule="swiss", rounds=3, rank_by="points"),
    "duel": ordered(schedule="duel", board_sets=5),
    "knockout": ordered(schedule="knockout", group_board_sets=2),
}


@pytest.mark.parametrize("config", KINDS.values(), ids=KINDS)
async def test_a_schedule_stopped_again_and_again_is_played_as_if_it_had_run_through(
    config: TournamentConfig, tmp_path: Path
) -> None:
    through, stopped = TournamentFolder(tmp_path / "through"), TournamentFolder(tmp_path / "stopped")
    with through.create(config) as store:
        assert await play_on(through, config, store) is Ending.FINISHED
        plan = plan_of(config, store)
        assert plan is not None
        assert progress_of(plan, store) == (plan.matches_total(), plan.matches_total())
        expected = [comparable(record) for record in store.records()]
        keys = [record.spec.key for record in store.records()]
    endings = []
    with stopped.create(config) as store:
        while Ending.FINISHED not in endings:
            endings.append(await play_on(stopped, config, store, stop_after=1))
            plan = plan_of(config, store)
            assert plan is not None
            assert plan.matches_total() == len(expected)  # known from the first day on
        assert [comparable(record) for record in store.records()] == expected
        assert [record.spec.key for record in store.records()] == keys


@pytest.mark.parametrize("schedule", ["swiss", "knockout"])
@pytest.mark.parametrize("remote", [0, 1, 3, 6, 13], ids="remote={}".format)
async def test_what_is_to_be_played_is_never_counted_too_low_and_exactly_once_it_is_drawn(
    schedule: str, remote: int, tmp_path: Path
) -> None:
    """A table with a remote bot plays a board set once, the others in every rotation."""
    config = ordered(schedule=schedule, **({"rounds": 3} if schedule == "swiss" else {"group_board_sets": 2}))
    present = [(Entrant(f"bot {number}"), number < remote) for number in range(13)]
    place = TournamentFolder(tmp_path / "cup")
    totals: list[int] = []
    with place.create(config) as store:
        store.add_event(started(present, "2026-11-30T00:00:00+00:00"))
        executor = SimulatedExecutor(config, place.seed())
        tournament = Tournament(
            plan_for(config, store, present), store, executor, on_progress=lambda p: totals.append(p.total)
        )
        assert await tournament.run() is Ending.FINISHED
        plan = plan_of(config, store)
        assert plan is not None
        played = store.finished_count()
        assert progress_of(plan, store) == (played, played)

    assert totals == sorted(totals, reverse=True)
    assert totals[-1] == played
    if remote in (0, len(present)):
        assert totals[0] == played


async def test_a_knockout_ends_with_one_table_of_those_who_went_on(tmp_path: Path) -> None:
    config = ordered(schedule="knockout", group_board_sets=1)
    place = TournamentFolder(tmp_path / "cup")
    with place.create(config) as store:
        await play_on(place, config, store)
        tables = [set(record.spec.bots) for record in store.records()]

    assert len(tables) == 8  # one group of four with two byes, then the final
    assert tables[0] == set(BOTS[2:])
    assert set(BOTS[:2]) < tables[-1]


async def test_a_correction_does_not_change_what_was_drawn(tmp_path: Path) -> None:
    config = ordered(schedule="swiss", rounds=3)
    place = TournamentFolder(tmp_path / "cup")
    with place.create(config) as store:
        await play_on(place, config, store, stop_after=8)
        drawn = [record.spec for record in store.records()]
        store.correct(
            Correction(kind=CorrectionKind.WITHDRAW, bot=drawn[0].bots[0], who="ada", why="cheated", at="now")
        )
        assert await play_on(place, config, store) is Ending.FINISHED

        assert [record.spec for record in store.records()][: len(drawn)] == drawn


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"schedule": "gauntlet"}, "needs challengers"),
        ({"challengers": ["amy"]}, 'go with schedule = "gauntlet"'),
        ({"schedule": "swiss", "board_sets": 3}, "rounds says how much is played"),
        ({"schedule": "knockout", "board_sets": 3}, "group_board_sets says how much is played"),
    ],
)
def test_keys_that_do_not_go_together_are_refused(keys: dict[str, object], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        ordered(**keys)
