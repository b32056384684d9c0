"""What the site tells of a tournament: nothing before its time, and nothing that is not in the store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ratings.publish import BotNote
from referee.cli.results import owner_labels, publish_results
from referee.cli.site_details import details_of, replays_of
from referee.cli.tournament_folder import TournamentFolder
from referee.config import TournamentConfig
from referee.field import Origin
from referee.plan import started
from referee.records import Blame
from referee.schedule.pairing import Entrant
from referee.store.model import Correction, CorrectionKind, Event
from referee.store.store import Store
from tests.referee.cli.matches import late, play_match
from tests.referee.simulated import ordered

BOTS = ("duck", "low", "counter", "moon")


def unfinished(folder: Path, **raw: object) -> tuple[TournamentFolder, TournamentConfig, Store]:
    """Twelve matches, two of them with a fault, of a tournament that goes on."""
    place = TournamentFolder(folder)
    config = TournamentConfig.from_dict({"name": "Cup", **raw})
    store = place.create(config)
    store.add_matches(
        [
            play_match(
                number=number,
                board_set=number // 4,
                rotation=number % 4,
                misdeeds={30: late} if number in (5, 6) else None,
                bots=BOTS[number % 4 :] + BOTS[: number % 4],
            )
            for number in range(12)
        ]
    )
    return place, config, store


def finish(place: TournamentFolder, store: Store) -> None:
    data = {"seed": place.seed().hex()}
    store.add_event(Event(at="2026-11-30T04:00:00Z", kind="finished", message="all is played", data=data))


def test_seed_and_deals_are_in_no_file_before_the_tournament_is_finished(tmp_path: Path) -> None:
    place, config, store = unfinished(tmp_path / "cup")
    with store:
        publish_results(place, config, store, out=tmp_path / "before")
        finish(place, store)
        publish_results(place, config, store, out=tmp_path / "after")

    def written(name: str) -> str:
        return "".join(file.read_text() for file in (tmp_path / name).rglob("*") if file.is_file())

    assert store.tournament.commitment in written("before")
    assert place.seed().hex() not in written("before")
    assert not list((tmp_path / "before").rglob("matches/*"))
    assert place.seed().hex() in written("after")
    assert len(list((tmp_path / "after").rglob("matches/*"))) == 12


def test_matches_with_faults_are_shown_first_of_all_and_the_rest_is_spread(tmp_path: Path) -> None:
    place, _, store = unfinished(tmp_path / "cup")
    with store:
        finish(place, store)

        assert [record.spec.number for record in replays_of(store, 5)] == [0, 3, 5, 6, 8]
        assert [record.spec.number for record in replays_of(store, 2)] == [0, 5]
        assert [record.spec.number for record in replays_of(store, 99)] == list(range(12))
        assert list(replays_of(store, 0)) == []


def test_a_bot_is_told_with_its_author_its_language_and_every_version_that_played(tmp_path: Path) -> None:
    _, config, store = unfinished(tmp_path / "cup")
    present = [(Entrant(bot), False) for bot in BOTS]
    origins = {"duck": Origin(author="Ada", language="go"), "low": Origin(language="rust")}
    with store:
        assert details_of(config, store, trust="").bots["duck"].author == "", "nobody was admitted yet"
        store.add_event(started(present, "2026-11-30T00:00:00Z", origins))
        bots = details_of(config, store, trust="").bots

    assert bots["duck"] == BotNote(versions=("1.0", "1.3", "1.2", "1.1"), author="Ada", language="go")
    assert (bots["low"].author, bots["low"].language) == ("", "rust")
    assert (bots["moon"].author, bots["moon"].language) == ("", "")


def test_a_tournament_that_began_before_authors_were_kept_is_published_without_them(tmp_path: Path) -> None:
    _, config, store = unfinished(tmp_path / "cup")
    admitted = [{"name": bot, "owner": "", "is_house": False, "is_remote": False} for bot in BOTS]
    event = Event(at="2026-11-30T00:00:00Z", kind="started", message="4 bots play", data={"admitted": admitted})
    with store:
        store.add_event(event)
        bots = details_of(config, store, trust="").bots

    assert {(note.author, note.language) for note in bots.values()} == {("", "")}


def test_a_public_seed_has_no_commitment(tmp_path: Path) -> None:
    _, config, store = unfinished(tmp_path / "cup", seed=7)
    with store:
        details = details_of(config, store, trust="")

    assert (details.public_seed, details.commitment) == (7, "")


def test_faults_and_corrections_are_told_with_their_match(tmp_path: Path) -> None:
    _, config, store = unfinished(tmp_path / "cup")
    with store:
        key = store.faults()[0].key
        store.correct(
            Correction(
                kind=CorrectionKind.OVERRULE, who="me", why="network down", at="2026-12-01", key=key, fault=0
            )
        )
        details = details_of(config, store, trust="")

    assert [(fault.match, fault.kind, fault.overruled) for fault in details.faults] == [
        (5, "timeout", True),
        (6, "timeout", False),
    ]
    assert details.corrections == (
        "1. fault 1 of match 5, timeout of moon, overruled, by me at 2026-12-01: network down",
    )
    assert [fault.number for fault in details.faults] == [1, 1]
    assert details.matches == 12


def test_of_each_bot_the_first_faults_are_told_and_all_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, config, store = unfinished(tmp_path / "cup")
    misdeeds = dict.fromkeys((30, 31, 34, 35), late)
    monkeypatch.setattr("referee.cli.site_details.FAULTS_SHOWN", 1)
    with store:
        store.add_matches([play_match(number=number, board_set=3, misdeeds=misdeeds) for number in (12, 13)])
        details = details_of(config, store, trust="")

    assert sum(details.fault_counts.values()) == 10
    assert sorted(details.fault_counts) == sorted(fault.bot for fault in details.faults)
    assert max(details.fault_counts.values()) > 1, "not all of them are told"


def test_voids_that_differ_in_their_numbers_alone_are_one_sentence(tmp_path: Path) -> None:
    _, config, store = unfinished(tmp_path / "cup")
    with store:
        for number, reason in ((3, "stood still for 2.0 s"), (5, "stood still for 3.1 s"), (7, "was cut off")):
            spec = replace(
                store.record(store.finished_keys().pop()).spec, key=f"k{number}", number=number, attempt=9
            )
            store.add_attempt(spec, blame=Blame.HOST, reason=reason, at="2026-12-01", whole_board_set=False)
        details = details_of(config, store, trust="")

    assert details.voided == (
        "2 voids, of matches 3, 5: such as stood still for 2.0 s (blamed on the host)",
        "Match 7: was cut off (blamed on the host)",
    )


def test_a_closed_tournament_shows_its_seed_and_its_matches(tmp_path: Path) -> None:
    place, config, store = unfinished(tmp_path / "cup")
    with store:
        assert list(replays_of(store, 99)) == []
        data = {"seed": place.seed().hex()}
        store.add_event(Event(at="2026-11-30T04:00:00Z", kind="closed", message="closed", data=data))

        details = details_of(config, store, trust="")

        assert (details.seed, details.finished_at, details.has_records) == (place.seed().hex(), "", True)
        assert len(list(replays_of(store, 99))) == 12


def test_the_table_says_that_owners_were_kept_apart_and_where_not(tmp_path: Path) -> None:
    config = ordered(board_sets=4, owners_apart=True)
    told = []
    for owners in (("ada", "ada", "bea", "bea", "cyd"), ("ada", "ada", "bea", "bea", "cyd", "dan", "eve", "fay")):
        with TournamentFolder(tmp_path / str(len(owners))).create(config) as store:
            present = [(Entrant(f"bot-{number}", owner), False) for number, owner in enumerate(owners)]
            store.add_event(started(present, "2026-11-30T00:00:00Z"))
            told += owner_labels(config, store)
            assert owner_labels(ordered(board_sets=4), store) == []

    assert told[0].startswith("bots of one owner kept apart, but for some board sets: bot-")
    assert told[1:] == ["bots of one owner kept apart"]
