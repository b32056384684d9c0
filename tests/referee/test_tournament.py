"""The walk of a schedule through an executor into the store, without bots."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from referee.executors.local import Outcome, Played
from referee.plan import DuelPlan, Plan
from referee.records import MatchRecord, MatchSpec
from referee.schedule.pairing import Entrant
from referee.store.model import TournamentMeta
from referee.store.store import Store
from referee.tournament import Ending, Tournament
from tests.referee.cli.matches import BOTS, play_match


class Quick:
    """An executor that has every match played at once, and hands the matches back last come, first served."""

    def __init__(self) -> None:
        self.submitted: list[MatchSpec] = []
        self._waiting: list[MatchSpec] = []

    @property
    def in_flight(self) -> int:
        return len(self._waiting)

    def submit(self, spec: MatchSpec) -> None:
        self.submitted.append(spec)
        self._waiting.append(spec)

    async def outcomes(self) -> list[Outcome]:
        return [Played(replace(RECORD, spec=self._waiting.pop()))]


RECORD = play_match(deals=1)
META = TournamentMeta(tournament="t", name="Cup", commitment="", config="{}", created_at="", software="")


def plan(*, board_sets: int = 6, in_flight_max: int = 6, kind: type[Plan] = Plan) -> Plan:
    return kind(
        tournament="t",
        entrants=[Entrant(name) for name in (BOTS[:2] if kind is DuelPlan else BOTS)],
        remote=frozenset(),
        seats=4,
        deals=1,
        cycles=None,
        board_sets=board_sets,
        in_flight_max=in_flight_max,
    )


async def test_a_tournament_that_is_closed_ends_with_whole_board_sets(tmp_path: Path) -> None:
    stored: list[int] = []
    executor = Quick()

    def take(records: Sequence[MatchRecord]) -> None:
        stored.extend(record.spec.board_set for record in records)
        if len(stored) == 3:
            tournament.close()

    with Store.create(tmp_path / "t.db", META) as store:
        tournament = Tournament(plan(), store, executor, on_stored=take)
        ending = await tournament.run()

        assert ending is Ending.CLOSED
        sets = {n: stored.count(n) for n in set(stored)}
        assert sets
        assert set(sets.values()) == {4}
        assert len(sets) < 6
        assert store.finished_count() == len(stored)


async def test_a_closed_tournament_completes_what_a_killed_run_began_and_nothing_else(tmp_path: Path) -> None:
    specs = list(plan().drawn_specs({}))
    with Store.create(tmp_path / "t.db", META) as store:
        store.add_matches([replace(RECORD, spec=spec) for spec in (specs[1], specs[6])])
        executor = Quick()
        tournament = Tournament(plan(), store, executor)
        tournament.close()

        ending = await tournament.run()

        assert ending is Ending.CLOSED
        assert {spec.number for spec in executor.submitted} == {0, 2, 3, 4, 5, 7}


async def test_a_stopped_tournament_starts_nothing_more(tmp_path: Path) -> None:
    executor = Quick()
    with Store.create(tmp_path / "t.db", META) as store:
        tournament = Tournament(plan(), store, executor, on_stored=lambda _: tournament.stop())

        assert await tournament.run() is Ending.STOPPED
        assert len(executor.submitted) == 6


async def test_a_paused_tournament_begins_nothing_until_it_goes_on(tmp_path: Path) -> None:
    executor = Quick()
    with Store.create(tmp_path / "t.db", META) as store:
        tournament = Tournament(plan(), store, executor)
        tournament.pause()
        run = asyncio.create_task(tournament.run())
        for _ in range(20):
            await asyncio.sleep(0)

        assert (executor.submitted, run.done(), tournament.is_paused) == ([], False, True)
        tournament.go_on()
        assert await run is Ending.FINISHED
        assert store.finished_count() == 24


async def test_a_paused_tournament_can_be_stopped(tmp_path: Path) -> None:
    with Store.create(tmp_path / "t.db", META) as store:
        tournament = Tournament(plan(), store, Quick())
        tournament.pause()
        run = asyncio.create_task(tournament.run())
        await asyncio.sleep(0)
        tournament.stop()

        assert await run is Ending.STOPPED


async def test_a_duel_plays_every_table_as_seated_and_with_the_two_exchanged(tmp_path: Path) -> None:
    executor = Quick()
    with Store.create(tmp_path / "t.db", META) as store:
        tournament = Tournament(plan(kind=DuelPlan, board_sets=2), store, executor)

        assert await tournament.run() is Ending.FINISHED

    a, b = BOTS[:2]
    assert [
        (s.number, s.board_set, s.rotation, s.bots) for s in sorted(executor.submitted, key=lambda s: s.number)
    ] == [
        (0, 0, 0, (a, a, b, b)),
        (1, 0, 2, (b, b, a, a)),
        (2, 1, 0, (a, a, b, b)),
        (3, 1, 2, (b, b, a, a)),
    ]


def test_a_board_set_dealt_anew_keeps_its_numbers_and_rotations() -> None:
    for kind in (Plan, DuelPlan):
        anew = plan(kind=kind)
        first = [spec for spec in anew.drawn_specs({}) if spec.board_set == 3]

        again = anew.board_set_of(first[-1], attempt=1)

        assert [(s.number, s.rotation, s.bots) for s in again] == [(s.number, s.rotation, s.bots) for s in first]
        assert {spec.key for spec in again}.isdisjoint(spec.key for spec in first)
