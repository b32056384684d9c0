"""`hearts replay`: what it shows of a match, to whom, and what it says when it cannot."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.cli.replay_text import hand_text, ms_text, render, render_fault
from referee.cli.replay_view import check_seats, scene_of, seen_by
from referee.cli.tournament_folder import TournamentFolder
from referee.launch.process_log import read_log
from referee.record_json import RecordError, record_from_json, record_to_json
from referee.records import MatchRecord, Ruling, Stray, StrayKind, TurnKind
from referee.rules.cards import parse_cards
from referee.rules.presets import PRESETS, preset
from referee.store import Event, Store, TournamentMeta
from tests.referee.cli.matches import BOTS, Misdeed, illegal, late, play_match
from tests.referee.simulated import ordered, play_cup

GOLDEN = Path(__file__).with_name("replay_golden.txt")
MISDEEDS: dict[int, Misdeed] = {2: illegal, 20: illegal, 31: late}
META = TournamentMeta(tournament="t", name="Cup", commitment="", config="{}", created_at="", software="0")


def hearts(*words: str) -> Result:
    return CliRunner().invoke(app, ["replay", *words])


def record_file(tmp_path: Path, *records: MatchRecord) -> str:
    file = tmp_path / "records.jsonl"
    file.write_bytes(b"".join(record_to_json(record) + b"\n" for record in records))
    return str(file)


def test_a_match_with_faults_looks_like_this() -> None:
    record = play_match(deals=1, misdeeds=MISDEEDS)
    text = render(record) + "\n" + render_fault(record, 2, ["thinking", "\x1b[2Jgone"])
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")

    assert text == GOLDEN.read_text(encoding="utf-8"), "set UPDATE_GOLDEN=1 if the new text is meant"


@pytest.mark.parametrize("name", PRESETS)
def test_every_rule_set_fits_in_80_columns_whatever_the_names(name: str) -> None:
    record = play_match(rules=preset(name), bots=("a name of exactly forty characters it is", "b"), deals=2)

    for text in (render(record), render(seen_by(record, 1))):
        assert [line for line in text.splitlines() if len(line) > 80] == []
    assert render(record).count("Deal ") == 2


@pytest.mark.parametrize("ruling", Ruling)
def test_every_fault_is_shown_once_whatever_the_ruling(ruling: Ruling) -> None:
    record = play_match(misdeeds=MISDEEDS | {40: late, 41: illegal}, ruling=ruling)
    text = render(record)

    assert record.faults
    assert [text.count(f"! fault {number}:") for number in range(1, len(record.faults) + 1)] == [1] * len(
        record.faults
    )
    assert ("autopilot" in text) == any(record.autopilot)
    assert ("revoked" in text) == (ruling is Ruling.REVOKE)


def test_answers_that_answered_nothing_are_told_of_their_seat(tmp_path: Path) -> None:
    strays = tuple(Stray(seat=seat, kind=kind, count=2 + seat) for seat in (0, 1) for kind in StrayKind)
    record = replace(play_match(misdeeds=MISDEEDS), strays=strays)
    file = record_file(tmp_path, record)
    name = BOTS[record.faults[0].seat]

    line = f"answers of {record.faults[0].seat} {name} to no open turn, harmless: "
    assert line in hearts(file).stdout
    told = "strays    2 after the turn was over, 2 to a turn answered before, 2 to a turn never asked"
    assert told in " ".join(hearts(file, "--fault", "2").stdout.replace("\n ", "").split("\n"))
    assert json.loads(hearts(file, "--fault", "2", "--json").stdout)["strays"] == {
        "late": 2,
        "repeated": 2,
        "unknown": 2,
    }
    assert {stray.seat for stray in seen_by(record, 1).strays} == {1}


def test_faults_keep_their_numbers_in_every_view(tmp_path: Path) -> None:
    file = record_file(tmp_path, play_match(misdeeds=MISDEEDS | {70: late}))

    assert "! fault 4: " in hearts(file, "--deal", "2").stdout
    assert "! fault 1: " not in hearts(file, "--deal", "2").stdout
    assert "! fault 2: 0 duck" in hearts(file, "--seat", "duck").stdout
    assert "! fault 1: " not in hearts(file, "--seat", "duck").stdout


def test_a_seat_sees_its_own_hand_and_pass_and_what_came_to_it_and_nothing_else_hidden() -> None:
    record = play_match(misdeeds=MISDEEDS)
    for seat, name in enumerate(BOTS):
        seen = seen_by(record, seat)
        deal, whole = seen.deals[0], record.deals[0]
        own = [d for d in whole.decisions if d.seat == seat]

        assert [bool(hand) for hand in deal.hands] == [other == seat for other in range(4)]
        passes = {d.seat for d in deal.decisions if d.kind is TurnKind.PASS}
        assert passes == {seat, (seat - 1) % 4}, f"the first pass goes to the left of {name}"
        assert [d for d in deal.decisions if d.seat == seat] == own
        assert {d.elapsed_us for d in deal.decisions if d.seat != seat} == {0}
        assert "".join(d.note for d in deal.decisions if d.seat != seat) == ""
        assert {fault.seat for fault in seen.faults} <= {seat}


def test_what_a_seat_sees_does_not_depend_on_what_it_cannot_see() -> None:
    record = play_match(deals=1)
    deal = record.deals[0]
    passes = [d for d in deal.decisions if d.kind is TurnKind.PASS]
    changed = replace(
        deal,
        hands=(deal.hands[0], *(tuple(reversed(hand)) for hand in deal.hands[1:])),
        widow=(1, 2),
        decisions=tuple(d._replace(note="secret") if d.seat else d for d in deal.decisions if d is not passes[1]),
    )

    assert render(seen_by(replace(record, deals=(changed,)), 0)) == render(seen_by(record, 0))


def test_the_scene_of_a_fault_is_what_the_bot_held_and_had_seen() -> None:
    record = play_match(deals=1, misdeeds=MISDEEDS)
    fault = record.faults[1]

    scene = scene_of(record, fault)

    assert scene is not None
    assert set(fault.legal) <= set(scene.hand)
    assert len(scene.hand) + sum(1 for trick in scene.tricks for play in trick if play.seat == fault.seat) == 13
    assert len(scene.passed) == len(scene.received) == 3
    assert scene.scores == (0, 0, 0, 0)


def test_before_the_pass_a_seat_holds_what_it_was_dealt() -> None:
    record = play_match(deals=1, misdeeds={2: illegal})

    scene = scene_of(record, record.faults[0])

    assert scene is not None
    assert scene.hand == record.deals[0].hands[record.faults[0].seat]
    assert (scene.passed, scene.received, scene.tricks) == ((), (), [])


def test_small_parts_read_well() -> None:
    assert hand_text(parse_cards(["2C", "TC", "AC", "QS"])) == "C AT2  D -  H -  S Q"
    assert [ms_text(us) for us in (0, 449, 9_949, 9_950, 9_999_499, 9_999_500)] == [
        "0.0",
        "0.4",
        "9.9",
        "10",
        "9999",
        "10s",
    ]


def test_a_file_with_one_record_needs_no_match(tmp_path: Path) -> None:
    done = hearts(record_file(tmp_path, play_match()))

    assert done.exit_code == 0
    assert done.stdout == render(play_match(), is_single=True)


def test_an_export_is_searched_by_number_or_key(tmp_path: Path) -> None:
    file = record_file(tmp_path, play_match(number=0), play_match(number=7, board_set=1))

    assert hearts(file, "7").stdout == hearts(file, "000700").stdout == render(play_match(number=7, board_set=1))
    assert "holds 2 matches: say which one, such as 0" in hearts(file).stderr
    assert "no matches fit '9'; it holds 2 matches, numbered 0 to 7" in hearts(file, "9").stderr


def test_the_head_and_tail_of_an_export_are_no_matches(tmp_path: Path) -> None:
    file = tmp_path / "export.jsonl"
    lines = [b'{"export_version":1}', record_to_json(play_match()), b'{"records":1,"root":"00"}']
    file.write_bytes(b"\n".join(lines) + b"\n")

    assert hearts(str(file)).stdout == render(play_match())


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    (tmp_path / "cup").mkdir()
    with Store.create(tmp_path / "cup" / "tournament.db", META) as store:
        store.add_matches(
            [play_match(number=n, board_set=n, misdeeds=MISDEEDS if n == 1 else None) for n in (0, 1)]
        )
    return tmp_path / "cup"


def test_a_tournament_is_searched_by_number_or_key(cup: Path) -> None:
    shown = hearts(str(cup), "1")

    assert shown.exit_code == 0
    assert shown.stdout == render(play_match(number=1, board_set=1, misdeeds=MISDEEDS))
    assert hearts(str(cup), "000100").stdout == shown.stdout
    assert hearts(str(cup)).exit_code == 2
    assert f"holds 2 matches: say which one, such as `hearts replay {cup} 0`" in hearts(str(cup)).stderr
    assert "none of 2 finished matches has the number or key '2'" in hearts(str(cup), "2").stderr
    assert "'000' may be 000000000000000000000000, 000100010001000100010001" in hearts(str(cup), "000").stderr


def test_json_is_the_record_and_follows_the_options(tmp_path: Path) -> None:
    file = record_file(tmp_path, play_match(misdeeds=MISDEEDS))

    whole = json.loads(hearts(file, "--json").stdout)
    second = json.loads(hearts(file, "--json", "--deal", "2", "--seat", "low").stdout)

    assert whole["schema"] == 1
    assert record_from_json(json.dumps(whole["record"]).encode()) == play_match(misdeeds=MISDEEDS)
    assert [deal["deal_number"] for deal in second["record"]["deals"]] == [2]
    assert [bool(hand) for hand in second["record"]["deals"][0]["hands"]] == [False, True, False, False]


def test_a_fault_shows_what_the_bot_wrote_meanwhile(cup: Path) -> None:
    record = play_match(deals=1, misdeeds={20: illegal})
    log = cup / "logs" / "duck.log"
    log.parent.mkdir()
    trace = f'  File "/home/amy/{"bots/" * 12}strategy.py", line 17, in choose_card'
    log.write_text(f"before\nholding QS\n{trace}\nafter\n", encoding="utf-8")
    fault = replace(record.faults[0], stderr_window=("duck.log", 7, 19 + len(trace)))
    spec = replace(record.spec, number=5, key="5" * 24)
    with Store.open(cup / "tournament.db") as store:
        store.add_matches([replace(record, spec=spec, faults=(fault,))])

    text = hearts(str(cup), "5", "--fault", "1").stdout
    data = json.loads(hearts(str(cup), "5", "--fault", "1", "--json").stdout)

    assert read_log(log, 7, 18) == b"holding QS\n"
    assert f"stderr    duck.log, bytes 7 to {19 + len(trace)}\n  holding QS\n    File " in text
    assert max(map(len, text.splitlines())) <= 80
    assert " ".join(text.split()).endswith('strategy.py", line 17, in choose_card'), "its end is cut"
    assert (data["bot"], data["stderr"], data["fault"]["breach"]) == ("duck", ["holding QS", trace], fault.breach)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--deal", "5"], "--deal 5: the match has the deals 1 to 4"),
        (["--seat", "nobody"], "--seat 'nobody': give a number from 0 to 3, or one of duck, low, counter, moon"),
        (["--seat", "4"], "--seat '4': give a number from 0 to 3"),
        (["--fault", "1"], "--fault 1: the match has no faults"),
    ],
)
def test_what_cannot_be_shown_is_said(words: list[str], sentence: str, tmp_path: Path) -> None:
    done = hearts(record_file(tmp_path, play_match()), *words)

    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr


def test_a_name_at_two_seats_has_to_be_given_as_a_number(tmp_path: Path) -> None:
    file = record_file(tmp_path, play_match(bots=("a", "a", "b", "b")))

    assert "sits at the seats 0, 1: give one of the numbers" in hearts(file, "--seat", "a").stderr
    assert hearts(file, "--seat", "1").exit_code == 0


def test_files_that_are_no_records_are_refused_with_their_name(tmp_path: Path) -> None:
    empty, text, folder = tmp_path / "empty", tmp_path / "text", tmp_path / "folder"
    store = tmp_path / "tournament.db"
    empty.touch()
    text.write_text("hello")
    folder.mkdir()
    store.write_bytes(b"SQLite format 3\0 and pages")

    for path, sentence in (
        (empty, "is empty"),
        (text, "is not JSON text"),
        (store, f"is a tournament's store, not a file of records: give its folder, {tmp_path}"),
        (folder, "tournament.db' does not exist: check the path"),
        (tmp_path / "none", "there is no such file or folder"),
    ):
        done = hearts(str(path))
        assert (done.exit_code, done.stdout) == (2, "")
        assert str(path) in done.stderr
        assert sentence in done.stderr


def test_a_record_that_names_a_seat_too_many_is_refused() -> None:
    record = play_match(deals=1)
    deal = record.deals[0]
    odd = replace(deal, decisions=(deal.decisions[0]._replace(seat=4), *deal.decisions[1:]))

    with pytest.raises(RecordError, match="names the seat 4 at a table of 4"):
        check_seats(replace(record, deals=(odd,)))


def test_a_match_of_no_tournament_has_no_number_or_round(tmp_path: Path) -> None:
    record = play_match(deals=1)
    alone, one_of_two = hearts(record_file(tmp_path, record)), render(record)

    assert alone.stdout.startswith("key ")
    assert one_of_two.startswith("Match 0 · round 0")


async def test_deals_that_other_tables_have_still_to_play_are_marked(tmp_path: Path) -> None:
    config = ordered(board_sets=2)
    played = await play_cup(tmp_path / "whole", config)
    with played.read() as store:
        records, began = list(store.records()), store.events(kind="started")[0]
    whole = [record for record in records if record.spec.board_set == 0]
    others = [record for record in records if record.spec.board_set == 1]
    place = TournamentFolder(tmp_path / "running")
    with place.create(config) as store:
        store.add_event(began)
        store.add_matches([*whole, *others[:3]])

    of_whole, of_part = (hearts(str(place.path), record.spec.key) for record in (whole[0], others[0]))

    assert (of_whole.exit_code, of_whole.stderr) == (0, "")
    assert of_part.exit_code == 0
    assert of_part.stderr == (
        f"match {others[0].spec.number}: other tables have still to play these deals (board set 1 is not "
        "complete): show them to nobody who enters a bot\n"
    )
    assert hearts(str(place.path), others[0].spec.key, "--quiet").stderr == ""
    assert hearts(str(played.path), others[0].spec.key).stderr == ""
    with place.open(config) as store:
        data = {"seed": place.seed().hex()}
        store.add_event(Event(at="2026-11-30T04:00:00Z", kind="closed", message="closed", data=data))
    assert hearts(str(place.path), others[0].spec.key).stderr == "", "nothing is played any more"
