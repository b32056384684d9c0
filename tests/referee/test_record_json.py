"""The written form of a record: it comes back whole, it is stable, and nothing unexpected is let in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.record_json import (
    RecordError,
    board_results,
    comparable,
    record_digest,
    record_from_json,
    record_to_json,
    rules_digest,
)
from referee.records import (
    MatchRecord,
    Stray,
    StrayKind,
    TimeControl,
)
from referee.rules.presets import preset
from tests.referee.any_record import deal, fault, match, records


@settings(max_examples=60, deadline=None)
@given(records())
def test_every_record_comes_back_whole_and_is_written_the_same_again(record: MatchRecord) -> None:
    data = record_to_json(record)
    again = record_from_json(data)

    assert again == record
    assert record_to_json(again) == data


def test_the_text_is_canonical_and_cards_are_text() -> None:
    data = record_to_json(match())

    assert b'"cards":["QS"]' in data
    assert b'"answer":["QS",99,0]' in data  # what is no card stays the number it was
    assert "längste Farbe".encode() in data
    parsed = json.loads(data)
    assert data == json.dumps(parsed, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def test_spaces_and_the_order_of_keys_do_not_matter_to_the_reader() -> None:
    parsed = json.loads(record_to_json(match()))
    shuffled = json.dumps(dict(reversed(parsed.items())), indent=2).encode()

    assert record_from_json(shuffled) == match()


def test_a_record_without_strays_has_no_word_of_them_as_before_there_were_any() -> None:
    some = match(strays=(Stray(seat=1, kind=StrayKind.REPEATED, count=3),))

    assert b"strays" not in record_to_json(match())
    assert b'"strays":[{"count":3,"kind":"repeated","seat":1}]' in record_to_json(some)
    assert record_from_json(record_to_json(some)) == some
    assert comparable(some) == comparable(match()), "how late an answer comes differs from run to run"


def test_a_file_name_that_is_no_utf8_survives() -> None:
    record = match(faults=(fault(stderr_window=("caf\udce9.err", 1, 2)),))

    assert record_from_json(record_to_json(record)) == record


def test_the_digest_is_sha256_of_the_bytes() -> None:
    data = record_to_json(match())

    assert record_digest(data) == hashlib.sha256(data).hexdigest()


def _spoil(change: Callable[[Any], None]) -> bytes:
    parsed = json.loads(record_to_json(match()))
    change(parsed)
    return json.dumps(parsed).encode()


SPOILT = [
    (b"\xff", "match record: is not JSON text in UTF-8"),
    (b"[1,", "match record: is not JSON text in UTF-8"),
    (b"[]", "match record: is [] where an object was expected"),
    (b'{"record_version":1,"totals":NaN}', "match record: holds NaN, which is no JSON number"),
    (b"[" * 100_000, "match record: is not JSON text in UTF-8"),
    (b"1" * 5_000, "match record: is no record: a whole number in it has 5000 digits"),
    (b"9223372036854775808", "match record: is no record: a whole number in it has 19 digits"),
    (b"1e999", "match record: holds '1e999', which is no JSON number"),
    (_spoil(lambda r: r.pop("record_version")), "record_version is None, not a version number from 1"),
    (_spoil(lambda r: r.update(record_version=True)), "record_version is True, not a version number"),
    (
        _spoil(lambda r: r.update(record_version=2)),
        "this version reads up to 1: install a newer hearts-arena",
    ),
    (_spoil(lambda r: r.pop("places")), "match record: lacks the key 'places'"),
    (_spoil(lambda r: r.update(place=1)), "match record: has the unknown key 'place'"),
    (_spoil(lambda r: r["spec"].pop("key")), "match record: spec lacks the key 'key'"),
    (_spoil(lambda r: r.update(spec=3)), "match record: spec is 3 where an object was expected"),
    (_spoil(lambda r: r.update(faults_max="3")), "faults_max is '3' where an integer was expected"),
    (_spoil(lambda r: r.update(faults_max=True)), "faults_max is True where an integer was expected"),
    (_spoil(lambda r: r.update(ruling="mercy")), "ruling is 'mercy', not one of substitute, revoke"),
    (_spoil(lambda r: r.update(deals=[])), "deals is empty"),
    (_spoil(lambda r: r.update(totals=[1, 2, 3])), "totals has 3 entries for 4 seats"),
    (
        _spoil(lambda r: r["deals"][1]["decisions"][0].update(cards=["1S"])),
        "match record: deals[1].decisions[0].cards[0] is '1S', which is no card such as 'QS'",
    ),
    (_spoil(lambda r: r["deals"][0].update(hands=[[]] * 5)), "deals[0].hands has 5 entries for 4 seats"),
    (_spoil(lambda r: r["deals"][0].update(widow="2C")), "deals[0].widow is '2C' where a list was expected"),
    (
        _spoil(lambda r: r["faults"][0].update(seat=4)),
        "decisions, faults and strays name the seats [0, 4], but the table has 4",
    ),
    (_spoil(lambda r: r["faults"][0].update(legal=[7])), "faults[0].legal[0] is 7, which is no card"),
    (_spoil(lambda r: r["faults"][0].update(stderr_window=["f", 1])), "faults[0].stderr_window is ['f', 1]"),
]


@pytest.mark.parametrize(("data", "sentence"), SPOILT, ids=[sentence for _, sentence in SPOILT])
def test_anything_unexpected_is_refused_in_a_sentence_that_names_the_place(data: bytes, sentence: str) -> None:
    with pytest.raises(RecordError) as caught:
        record_from_json(data)

    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 255))
def test_one_changed_byte_is_refused_or_changes_the_digest(where: int, value: int) -> None:
    data = bytearray(record_to_json(match()))
    where %= len(data)
    changed = data[where] != value
    data[where] = value
    try:
        record_from_json(bytes(data))
    except RecordError:
        return

    assert (record_digest(bytes(data)) != record_digest(record_to_json(match()))) is changed


def test_two_runs_that_differ_in_times_and_attempt_compare_equal() -> None:
    first = match()
    late = tuple(each.decisions[0]._replace(elapsed_us=8) for each in first.deals)
    second = replace(
        first,
        spec=replace(first.spec, key="77aa", attempt=4),
        clock=TimeControl(turn_ms=5),
        deals=tuple(replace(each, decisions=(decision,)) for each, decision in zip(first.deals, late, strict=True)),
        faults=(fault(message="other", elapsed_us=1, allowed_us=2, lag_us=4, stderr_window=None),),
        started_at="2027-01-01T00:00:00Z",
        duration_ms=1,
        lag_us_max=1,
    )

    assert record_to_json(first) != record_to_json(second)
    assert comparable(first) == comparable(second)


@pytest.mark.parametrize(
    "changes",
    [
        {"totals": (5, 12, 16, 18)},
        {"faults": ()},
        {"faults": (fault(answer=(51,)),)},
        {"deals": (deal(1), deal(2, (5, 5, 13, 3)))},
        {"versions": ("1", "1", "2", "3")},
    ],
)
def test_two_runs_that_were_played_differently_do_not_compare_equal(changes: dict[str, Any]) -> None:
    assert comparable(match()) != comparable(match(**changes))


def test_a_match_of_a_fixed_number_of_deals_gives_one_board_a_deal() -> None:
    first, second = board_results(match())

    assert (first.unit, first.deal_id, second.deal_id) == ("board", "3.1.1", "3.1.2")
    assert (first.match_id, first.number, first.round_number, first.deals) == ("5f1c", 6, 2, 1)
    assert first.bots == ("ann", "bob", "cid", "dot")
    assert (first.points, first.places) == ((0.0, 7.0, 13.0, 6.0), (1, 3, 4, 2))
    assert (second.points, second.places) == ((5.0, 5.0, 3.0, 13.0), (2, 2, 1, 4))
    assert not any(first.autopilot)


def test_rotations_of_a_board_set_share_the_deal_id_and_other_attempts_do_not() -> None:
    spec = match().spec
    rotated = board_results(match(spec=replace(spec, rotation=0, key="other")))
    repeated = board_results(match(spec=replace(spec, attempt=2)))
    ids = [board.deal_id for board in board_results(match())]

    assert [board.deal_id for board in rotated] == ids
    assert not {board.deal_id for board in repeated} & set(ids)


def test_a_match_to_the_target_is_one_observation_with_its_judged_places() -> None:
    spec = replace(match().spec, deals=0)
    (board,) = board_results(match(spec=spec, totals=(80, 80, 101, 90), places=(2, 1, 4, 3)))

    assert (board.unit, board.deal_id, board.deals) == ("match", "3.1", 2)
    assert (board.points, board.places) == ((80.0, 80.0, 101.0, 90.0), (2, 1, 4, 3))


@pytest.mark.parametrize(
    ("autopilot", "places"),
    [
        ((True, False, False, False), (4, 1, 1, 1)),
        ((True, False, True, False), (3, 1, 3, 1)),
        ((True, True, True, True), (1, 1, 1, 1)),
    ],
)
def test_a_seat_on_autopilot_loses_to_each_other_seat_and_the_others_are_level(
    autopilot: tuple[bool, ...], places: tuple[int, ...]
) -> None:
    boards = board_results(match(deals=(deal(1), deal(2, autopilot=autopilot))))

    assert not any(boards[0].autopilot)
    assert (boards[1].places, boards[1].autopilot) == (places, autopilot)
    to_target = match(spec=replace(match().spec, deals=0), deals=(deal(1), deal(2, autopilot=autopilot)))
    assert board_results(to_target)[0].places == places


def test_rules_are_pooled_by_their_parameters_and_not_by_their_name() -> None:
    rules = match().rules

    assert rules_digest({**rules, "name": "house"}) == rules_digest(rules)
    assert rules_digest({**rules, "target": 50}) != rules_digest(rules)
    assert rules_digest(preset("omnibus").to_dict()) == preset("omnibus").digest()
    with pytest.raises(RecordError, match=r"match record: rules cannot be played: seat = 4 is not"):
        rules_digest({**rules, "seat": 4})
