"""Voided matches in a tournament: the board set is dealt anew, and what is void again and again is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.fault_report import void_lines
from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from referee.executors.local import NotPlayed, Outcome, Void
from referee.executors.work import Unfit
from referee.plan import salt_of
from referee.records import Blame, MatchSpec
from referee.store.store import Store
from referee.tournament import VOIDS_RUNNING_MAX, Ending, TournamentError
from tests.referee.simulated import SimulatedExecutor, ordered, play_on

CONFIG = ordered(board_sets=3)
ROTATIONS = 4


def voiding(
    place: TournamentFolder,
    store: Store,
    is_void: Callable[[MatchSpec], bool],
    kind: type[SimulatedExecutor] = SimulatedExecutor,
) -> SimulatedExecutor:
    """An executor whose machine stands still during some matches."""

    def outcome(spec: MatchSpec) -> Outcome | None:
        return Void(spec.key, "the referee stood still for 2.0 s while turns were open") if is_void(spec) else None

    executor = kind(CONFIG, place.seed(), salt_of(CONFIG, store))
    executor.on_outcome = outcome
    return executor


async def test_a_void_match_has_its_whole_board_set_dealt_anew(tmp_path: Path) -> None:
    place = TournamentFolder(tmp_path / "cup")
    with place.create(CONFIG) as store:
        executor = voiding(place, store, lambda spec: (spec.board_set, spec.attempt, spec.rotation) == (1, 0, 2))
        ending = await play_on(place, CONFIG, store, executor=executor)
        counted = Counter(board.deal_id for board in store.results())
        hands = {record.deals[0].hands for record in store.records()}
        (attempt,) = store.attempts()

    with place.read() as store:
        (line,) = void_lines(store, place.path)
    assert line.startswith("void: 1 match does not count (1 blamed on the host)")
    said = CliRunner().invoke(app, ["tournament", "status", str(place.path)]).stdout
    assert "1 match void and played again, the last since the referee stood still for 2.0 s while" in said
    assert ending is Ending.FINISHED
    assert (attempt.board_set, attempt.attempt, attempt.rotation, attempt.blame) == (1, 0, 2, Blame.HOST)
    assert counted == {"0.0.1": ROTATIONS, "1.1.1": ROTATIONS, "2.0.1": ROTATIONS}
    assert len(hands) == 4, "one for each board set, and another for the one dealt anew"


async def test_two_voids_running_are_played_again_and_three_are_reported(tmp_path: Path) -> None:
    place = TournamentFolder(tmp_path / "cup")
    with place.create(CONFIG) as store:
        twice = voiding(place, store, lambda spec: spec.board_set == 0 and spec.attempt < 2)
        assert await play_on(place, CONFIG, store, executor=twice) is Ending.FINISHED

    place = TournamentFolder(tmp_path / "again")
    with place.create(CONFIG) as store:
        always = voiding(place, store, lambda spec: spec.board_set == 0)
        with pytest.raises(TournamentError) as caught:
            await play_on(place, CONFIG, store, executor=always)

        assert str(caught.value) == (
            "board set 0 was void 3 times running, the last time since the referee stood still for 2.0 s while "
            "turns were open: free the machine of other work, then resume"
        )
        once_more = voiding(place, store, lambda spec: spec.board_set == 0 and spec.attempt == 3)
        assert await play_on(place, CONFIG, store, executor=once_more) is Ending.FINISHED
        assert {board.deal_id for board in store.results()} == {"0.4.1", "1.0.1", "2.0.1"}


class AllAtOnce(SimulatedExecutor):
    """Tells of matches one by one that will not be the last to be void, and of all others together."""

    async def outcomes(self) -> list[Outcome]:
        def is_alone(spec: MatchSpec) -> bool:
            outcome = self.on_outcome(spec)
            return isinstance(outcome, Void) and spec.attempt < VOIDS_RUNNING_MAX - 1

        self.specs.sort(key=is_alone)
        count = 1 if is_alone(self.specs[-1]) else len(self.specs)
        return [outcome for _ in range(count) for outcome in await SimulatedExecutor.outcomes(self)]


async def test_what_is_played_is_stored_though_a_void_of_the_same_moment_ends_the_run(tmp_path: Path) -> None:
    place = TournamentFolder(tmp_path / "cup")
    with place.create(CONFIG) as store:
        executor = voiding(place, store, lambda spec: spec.board_set == spec.rotation == 0, AllAtOnce)
        with pytest.raises(TournamentError, match="board set 0 was void 3 times running"):
            await play_on(place, CONFIG, store, executor=executor)

        assert {board.deal_id for board in store.results()} == {"1.0.1", "2.0.1"}


async def test_what_is_played_is_stored_though_the_machine_could_not_run_a_bot_at_the_same_moment(
    tmp_path: Path,
) -> None:
    place = TournamentFolder(tmp_path / "cup")
    unfit = Unfit("amy", "no memory", is_host=True)
    with place.create(CONFIG) as store:
        executor = AllAtOnce(CONFIG, place.seed(), salt_of(CONFIG, store))
        executor.on_outcome = lambda spec: NotPlayed(spec.key, unfit) if spec.number == 0 else None
        with pytest.raises(TournamentError, match="this machine cannot run the bots: no memory"):
            await play_on(place, CONFIG, store, executor=executor)

        assert store.finished_count() == 3 * ROTATIONS - 1


class RoundByRound(SimulatedExecutor):
    """Sees that no match begins before all of the rounds before are over."""

    def submit(self, spec: MatchSpec) -> None:
        assert {other.round_number for other in self.specs} <= {spec.round_number}
        super().submit(spec)


async def test_a_round_is_drawn_when_what_was_void_in_the_one_before_is_played_again(tmp_path: Path) -> None:
    place, config = TournamentFolder(tmp_path / "cup"), ordered(schedule="swiss", rounds=3)
    with place.create(config) as store:
        executor = voiding(place, store, lambda spec: (spec.attempt, spec.rotation) == (0, 0), RoundByRound)
        assert await play_on(place, config, store, executor=executor) is Ending.FINISHED

        assert {spec.round_number for spec in executor.submitted} == {0, 1, 2}
        assert len(store.attempts()) == 3
