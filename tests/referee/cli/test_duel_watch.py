"""A watch over a duel: whole board sets, from a run or from the store, in any order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ratings.answer import Answer, Fixed
from ratings.sequential import Hypotheses, Verdict
from referee.cli.duel_watch import DuelWatch, cards_of
from referee.cli.tournament_folder import TournamentFolder
from referee.plan import DuelPlan, plan_for
from referee.records import MatchRecord
from referee.schedule.duel import duel
from referee.schedule.pairing import Entrant
from referee.store.model import TournamentMeta
from referee.store.store import Store
from referee.tournament import Ending
from tests.referee.cli.matches import play_match
from tests.referee.schedule.boards import matches_at
from tests.referee.simulated import AnyOrder, ordered, play_until

META = TournamentMeta(tournament="t", name="Duel", commitment="", config="{}", created_at="", software="")


def matches(board_sets: int, *, attempt: int = 0, is_same: bool = False) -> list[MatchRecord]:
    """Matches of a duel; everybody plays by the same rule, so other deals make up for other bots."""
    records = []
    for seating in duel("new", "old", board_sets=board_sets):
        specs = matches_at(seating, DuelPlan, tournament="t", attempt=attempt, first_number=2 * seating.board_set)
        for place, spec in enumerate(specs):
            seed = 7 if is_same or not place else 8 + attempt
            records.append(replace(play_match(board_set=spec.board_set, seed=seed), spec=spec))
    return records


def watch_over(store: Store, question: Fixed | Hypotheses) -> DuelWatch:
    return DuelWatch(store, "new", "old", question)


def test_a_watch_answers_the_same_from_a_run_and_from_what_a_run_left(tmp_path: Path) -> None:
    records = matches(6)
    with Store.create(tmp_path / "t.db", META) as store:
        live = watch_over(store, Fixed(deals=24))
        assert not live.look(0).is_over
        shuffled = list(records)
        random.Random(3).shuffle(shuffled)
        for record in shuffled:
            live.take([record])
        store.add_matches(records)
        again = watch_over(store, Fixed(deals=24))

    assert live.look(0).is_over
    assert live.answer().deals == 24
    assert again.answer() == live.answer()


@pytest.mark.parametrize("backwards", [False, True])
def test_whether_play_is_identical_does_not_depend_on_the_order_of_arrival(tmp_path: Path, backwards: bool) -> None:
    """Two board sets behind those that count are played otherwise."""
    records = matches(10, is_same=True) + matches(12)[20:]
    with Store.create(tmp_path / "t.db", META) as store:
        live = watch_over(store, Fixed(deals=40))
        for record in reversed(records) if backwards else records:
            live.take([record])
        store.add_matches(records)
        again = watch_over(store, Fixed(deals=40))

    assert live.answer().verdict is Verdict.IDENTICAL
    assert live.answer() == again.answer()
    assert live.deals_behind(live.answer()) == 8


def test_half_a_board_set_says_nothing(tmp_path: Path) -> None:
    with Store.create(tmp_path / "t.db", META) as store:
        watch = watch_over(store, Fixed(deals=8))
        watch.take(matches(2)[:3])

        assert watch.answer().deals == 4


def test_a_board_set_that_was_void_counts_as_it_was_dealt_anew(tmp_path: Path) -> None:
    before, after = matches(1), matches(1, attempt=1)
    with Store.create(tmp_path / "t.db", META) as store:
        watch = watch_over(store, Fixed(deals=4))
        watch.take([before[0]])
        watch.take([after[1]])
        assert watch.answer().deals == 0
        watch.take([after[0]])
        clean = watch_over(store, Fixed(deals=4))
        clean.take(after)

    assert watch.answer() == clean.answer()
    assert watch.answer().deals == 4


def test_the_same_cards_everywhere_are_identical_play_live_and_from_the_store(tmp_path: Path) -> None:
    records = matches(10, is_same=True)
    with Store.create(tmp_path / "t.db", META) as store:
        live = watch_over(store, Fixed(deals=40))
        live.take(records)
        store.add_matches(records)
        again = watch_over(store, Fixed(deals=40))

    assert live.answer().verdict is Verdict.IDENTICAL
    assert again.answer() == live.answer()


def test_cards_are_compared_without_times_and_notes() -> None:
    record = play_match(deals=1)
    slower = replace(
        record,
        deals=tuple(
            replace(deal, decisions=tuple(d._replace(elapsed_us=d.elapsed_us + 5, note="") for d in deal.decisions))
            for deal in record.deals
        ),
    )

    assert cards_of(record) == cards_of(slower)
    assert cards_of(record) != cards_of(play_match(deals=1, seed=8))


DUELS = [("amy", "bob"), ("amy", "bob", "cid", "dot"), ("amy", "alf")]


@pytest.mark.parametrize("bots", DUELS, ids=["told apart", "in company", "identical"])
async def test_the_answer_does_not_depend_on_kills_on_workers_and_on_which_match_ends_first(
    tmp_path: Path, bots: tuple[str, ...]
) -> None:
    chance = random.Random(len(bots))
    answers = [
        await answer_of(tmp_path / str(number), bots, chance, in_flight=in_flight, kills=kills)
        for number, (in_flight, kills) in enumerate([(1, 0), (32, 4)])
    ]

    assert answers[0].is_final
    assert answers[0] == answers[1]


async def answer_of(
    folder: Path, bots: Sequence[str], chance: random.Random, *, in_flight: int, kills: int
) -> Answer:
    """Play until the question is answered, from the store alone after each kill, in any order of finishing."""
    order = ordered(schedule="duel", board_sets=400)
    question = Hypotheses(high=60.0)
    place = TournamentFolder(folder)
    place.create(order).close()
    present = [(Entrant(name), False) for name in bots]
    ending = None
    while ending is not Ending.CLOSED:
        kill_at = chance.randrange(1, 40) if kills > 0 else None
        kills -= 1
        with place.open(order) as store:
            watch = DuelWatch(store, bots[0], bots[1], question)
            plan = replace(plan_for(order, store, present), in_flight_max=in_flight)
            executor = AnyOrder(order, place.seed(), chance=chance)
            ending = await play_until(plan, store, executor, watch, kill_at)
    with place.read() as store:
        assert DuelWatch(store, bots[0], bots[1], question).answer() == watch.answer()
    return watch.answer()
