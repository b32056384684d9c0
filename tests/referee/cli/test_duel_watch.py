"""A watch over a duel: whole board sets, from a run or from the store, in any order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from ratings.answer import Fixed
from ratings.sequential import Hypotheses, Verdict
from referee.cli.duel_watch import DuelWatch, cards_of
from referee.records import MatchRecord
from referee.schedule.duel import duel, duel_specs
from referee.store.model import TournamentMeta
from referee.store.store import Store
from tests.referee.cli.matches import play_match

META = TournamentMeta(tournament="t", name="Duel", commitment="", config="{}", created_at="", software="")


def matches(board_sets: int, *, attempt: int = 0, is_same: bool = False) -> list[MatchRecord]:
    """Matches of a duel; everybody plays by the same rule, so other deals make up for other bots."""
    records = []
    for seating in duel("new", "old", board_sets=board_sets):
        specs = duel_specs("t", seating, 4, attempt, 2 * seating.board_set)
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
        Random(3).shuffle(shuffled)
        for record in shuffled:
            live.take([record])
        store.add_matches(records)
        again = watch_over(store, Fixed(deals=24))

    assert live.look(0).is_over
    assert live.answer().deals == 24
    assert again.answer() == live.answer()


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
