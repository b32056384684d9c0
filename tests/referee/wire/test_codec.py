"""What goes over the wire: never a hidden card, and nothing that a bot sends is trusted."""

from __future__ import annotations

import random

import pytest

from hearts.v1 import card_pb2, table_pb2
from referee.records import FaultKind, TurnKind
from referee.rules.cards import CARDS
from referee.rules.parameters import RulesError
from referee.rules.presets import preset
from referee.rules.ruleset import RuleSet
from referee.table import Answer, Ask, Failure, MatchEnded, SeatFaulted, Table, Timing
from referee.table.turns import MatchStart, Turn
from referee.wire import codec
from tests.referee.table.tables import lowest_legal, table, to_first_play


def written(ask: Ask) -> bytes:
    turn = Turn(ask, 7, "american", 100, 1000, 5000, 12, turn_id=99)
    return codec.turn_message(turn).SerializeToString(deterministic=True)


def hands(seed: int, kept: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Seat 0 gets its cards, the others the rest in an order of their own."""
    rest = [card for card in CARDS if card not in kept]
    random.Random(seed).shuffle(rest)
    return (kept, *(tuple(rest[i : i + 13]) for i in range(0, 39, 13)))


def test_a_view_does_not_change_when_only_hidden_cards_change() -> None:
    kept = tuple(range(1, 14))  # all clubs: seat 0 leads the lowest one whatever the others hold
    views: set[tuple[bytes, ...]] = set()
    for seed in range(20):
        match = table(hands=hands(seed, kept), deals=4)
        match.open()
        passing = written(match.pending()[0])
        for seat in range(3, -1, -1):  # the deal passes to the left, so seat 3 gives to seat 0
            ask = match.pending()[seat]
            match.answer(seat, lowest_legal(ask))
            if seat:
                assert written(match.pending()[0]) == passing, f"seed {seed}: the pass of seat {seat} shows"
        views.add((passing,))

    assert len(views) == 1


def test_a_view_in_play_is_the_same_whoever_of_the_others_holds_what() -> None:
    """Two deals in which seats 1 to 3 have played the same cards but hold different ones."""
    kept = (2, *range(15, 27))
    rest = [card for card in CARDS if card not in (*kept, 1, 3, 4)]
    views = []
    for seed in (1, 2):
        random.Random(seed).shuffle(rest)
        dealt = (kept, (1, *rest[:12]), (3, *rest[12:24]), (4, *rest[24:]))
        match = table(hands=dealt, deals=4)
        for number in range(1, 4):  # on to the deal without a pass, which seat 1 leads
            play_deal(match, number)
        scores = match.totals
        for seat, card in ((1, 1), (2, 3), (3, 4)):
            match.answer(seat, Answer((card,)))
        (ask,) = match.pending()
        assert (ask.seat, ask.deal.played, ask.scores) == (0, [1, 3, 4], scores)
        ask.scores = (0, 0, 0, 0)  # known to all, and different as the deals before were
        views.append(table_pb2.Turn.FromString(written(ask)))
        views[-1].ClearField("turn_seed")

    assert views[0] == views[1]
    assert list(views[0].hand) == sorted(kept)


def play_deal(match: Table, number: int) -> None:
    if number == 1:
        match.open()
    while match.pending()[0].deal.deal_number == number:
        ask = match.pending()[0]
        match.answer(ask.seat, lowest_legal(ask))


def test_a_turn_says_all_that_a_seat_may_know() -> None:
    match = table()
    ask = to_first_play(match)
    message = table_pb2.Turn.FromString(written(ask))

    assert list(message.hand) == ask.deal.hand(ask.seat)
    assert list(message.passed_cards) == list(ask.deal.passed[ask.seat])
    assert list(message.received_cards) == list(ask.deal.received[ask.seat])
    assert (list(message.legal), list(message.played), list(message.leaders)) == ([1], [], [ask.seat])
    assert (message.turn_ms, message.bank_ms, message.charged_us) == (1000, 5000, 12)


def test_a_turn_that_is_sent_again_has_only_the_time_that_is_left() -> None:
    ask = to_first_play(table())
    turn = Turn(ask, 7, "american", 100, 1000, 5000, 0, turn_id=9, handed_ns=1_000_000_000, stalled_ns=70)

    early = codec.turn_message_again(turn, 1_400_000_000, 70)
    late = codec.turn_message_again(turn, 4_000_000_000, 70)
    over = codec.turn_message_again(turn, 90_000_000_000, 70)
    lagged = codec.turn_message_again(turn, 4_000_000_000, 2_600_000_070)

    assert (early.turn_ms, early.bank_ms) == (600, 5000)
    assert (late.turn_ms, late.bank_ms) == (0, 3000)
    assert (over.turn_ms, over.bank_ms) == (0, 0)
    assert (lagged.turn_ms, lagged.bank_ms) == (600, 5000), "the referee's own lag is not charged"


@pytest.mark.parametrize("card", [0, 53, 99, 2**31 - 1, -1])
def test_a_number_that_is_no_card_is_no_decision(card: int) -> None:
    answer = codec.answer_of(table_pb2.Decision(turn_id=1, cards=[card]))  # type: ignore[list-item]

    assert answer == f"card number {card} is not a card: cards are 1 (2C) to 52 (AS)"


def test_more_cards_than_any_pass_has_are_no_decision() -> None:
    most, more = (table_pb2.Decision(turn_id=1, cards=[1] * count) for count in (34, 35))  # type: ignore[list-item]

    assert codec.answer_of(most) == Answer((1,) * 34)
    assert codec.answer_of(more) == "35 cards in one decision: a play has one, and no pass more than 34"


def test_no_preset_passes_more_cards_than_a_decision_may_have() -> None:
    with pytest.raises(RulesError, match="pass_count"):
        RuleSet.from_dict({"pass_count": codec.CARDS_MAX + 1}, base=preset("american"))


def test_an_unknown_moon_choice_is_no_decision() -> None:
    answer = codec.answer_of(table_pb2.Decision(turn_id=1, moon_choice=7))  # type: ignore[arg-type]

    assert answer == "moon choice 7 is unknown: 1 is add, 2 is subtract"


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        ("", ""),
        ("x" * 200, "x" * 200),
        ("x" * 10_000, "x" * 200),
        ("é" * 150, "é" * 100),
        ("x" + "é" * 100, "x" + "é" * 99),
    ],
    ids=["none", "full", "10 kB", "two bytes each", "cut in a letter"],
)
def test_a_note_is_cut_at_200_bytes(note: str, kept: str) -> None:
    answer = codec.answer_of(table_pb2.Decision(turn_id=1, cards=[card_pb2.CARD_2C], note=note))

    assert isinstance(answer, Answer)
    assert answer.note == kept
    assert len(answer.note.encode()) <= codec.NOTE_BYTES_MAX


def test_a_fault_tells_the_author_what_was_legal_and_what_follows() -> None:
    match = table()
    leader = to_first_play(match)
    (event,) = match.answer(leader.seat, Answer((99,))).events
    assert isinstance(event, SeatFaulted)

    told = codec.fault_told(7, event).fault

    assert (told.kind, told.breach, told.ruling) == (
        table_pb2.FAULT_KIND_BREACH, table_pb2.BREACH_CARD_NOT_HELD, table_pb2.RULING_SUBSTITUTE,
    )  # fmt: skip
    assert (list(told.legal), list(told.answer), told.fault_count) == ([1], [99], 1)
    assert told.turn_kind == table_pb2.TURN_KIND_PLAY


def test_a_time_that_is_too_long_for_the_wire_is_told_as_the_longest() -> None:
    match = table()
    leader = to_first_play(match)
    timing = Timing(7_200_000_001, 7_200_000_000, 0)
    (event,) = match.fail(leader.seat, Failure(FaultKind.TIMEOUT, "late"), timing).events
    assert isinstance(event, SeatFaulted)

    told = codec.fault_told(7, event).fault

    assert event.fault.elapsed_us == 7_200_000_001
    assert (told.elapsed_us, told.allowed_us) == (2**32 - 1, 2**32 - 1)


def test_a_fault_outside_any_turn_can_be_told() -> None:
    match = table()
    seat = (to_first_play(match).seat + 1) % 4
    (event,) = match.expel(seat, Failure(FaultKind.RESOURCE, "a flood")).events
    assert isinstance(event, SeatFaulted)

    told = codec.fault_told(7, event).fault

    assert (told.kind, told.turn_kind) == (table_pb2.FAULT_KIND_RESOURCE, table_pb2.TURN_KIND_UNSPECIFIED)


def test_the_end_of_a_void_match_is_told_as_such() -> None:
    assert codec.match_ended(3, None, (0, 0)).match_ended.voided
    ended = MatchEnded((), (1, 2), (5, 9), ())
    assert list(codec.match_ended(3, ended, (0, 1)).match_ended.fault_counts) == [0, 1]


def test_the_start_of_a_match_carries_the_rules_in_full() -> None:
    rules = preset("black-maria").to_dict()
    start = MatchStart(5, 2, rules, ("a", "b", "c"), 3, 100, 500, 3, "retry", "ab" * 32)

    told = codec.match_started(start).match_started

    assert told.rules.name == rules["name"]
    assert (told.seat, told.ruling, told.deal_commitment) == (2, table_pb2.RULING_RETRY, "ab" * 32)
    assert TurnKind.PLAY in codec.TURN_KINDS
