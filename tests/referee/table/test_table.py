"""The table: what it asks, how it rules, and what a match comes to."""

from __future__ import annotations

import itertools

import pytest

from referee.records import Blame, DecidedBy, Fault, FaultKind, Ruling, TurnKind
from referee.rules.presets import preset
from referee.table import Answer, DealEnded, Failure, MatchEnded, SeatFaulted, Step, Timing
from referee.table.places import places_with_autopilot
from referee.table.table import Table, TableError
from tests.referee.table.tables import lowest_legal, play_out, sure_moon, table, to_first_play, to_moon

SILENCE = Failure(FaultKind.TIMEOUT, "no answer in time")
NO_CARD = Answer((99,))


def decided_by(ended: MatchEnded, seat: int) -> list[DecidedBy]:
    return [d.decided_by for deal in ended.deals for d in deal.decisions if d.seat == seat]


def faults_of(step: Step) -> list[Fault]:
    return [event.fault for event in step.events if isinstance(event, SeatFaulted)]


def fail_always(table: Table, seat: int, step: Step | None = None) -> MatchEnded:
    """Play to the end while one seat never answers."""
    events = list((step or table.open()).events)
    while pending := table.pending():
        ask = min(pending, key=lambda a: a.turn_number)
        step = table.fail(seat, SILENCE) if ask.seat == seat else table.answer(ask.seat, lowest_legal(ask))
        events += step.events
    ended = events[-1]
    assert isinstance(ended, MatchEnded)
    return ended


# -- asking ------------------------------------------------------------------------------------------------------


def test_all_seats_are_asked_to_pass_at_once_and_one_to_play() -> None:
    match = table()
    step = match.open()
    assert [(a.seat, a.kind, a.turn_number) for a in step.asks] == [(s, TurnKind.PASS, s + 1) for s in range(4)]

    assert to_first_play(table()).kind is TurnKind.PLAY


def test_a_deal_without_a_pass_begins_with_the_lead_of_the_lowest_club() -> None:
    match = table(deals=4)
    play_out(match)
    hold = match.deals[3]

    assert hold.pass_offset == 0
    assert hold.decisions[0].cards == (1,)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))), ids=str)
def test_the_order_in_which_passes_arrive_changes_nothing(order: tuple[int, ...]) -> None:
    def with_passes_in(order: tuple[int, ...]) -> MatchEnded:
        match = table()
        asks = {ask.seat: ask for ask in match.open().asks}
        for seat in order[:-1]:
            assert match.answer(seat, lowest_legal(asks[seat])).asks == []
        return play_out(match, step=match.answer(order[-1], lowest_legal(asks[order[-1]])))

    assert with_passes_in(order) == with_passes_in((0, 1, 2, 3))


def test_an_answer_of_a_seat_that_is_not_asked_is_the_owners_mistake_and_changes_nothing() -> None:
    match = table()
    leader = to_first_play(match)
    other = (leader.seat + 1) % 4

    with pytest.raises(TableError, match=f"'m': seat {other} has no open turn"):
        match.answer(other, Answer((1,)))
    with pytest.raises(TableError, match=f"'m': seat {other} has no open turn"):
        match.fail(other, SILENCE)

    assert match.pending() == [leader]
    assert match.faults == []


def test_a_match_to_the_target_goes_on_until_somebody_reaches_it() -> None:
    ended = play_out(table(deals=0))

    assert max(ended.totals) >= preset("american").target
    assert max(ended.deals[-2].totals) < preset("american").target


@pytest.mark.parametrize("rules_name", ["american", "three", "omnibus-choice", "cancellation-8", "five-wide"])
def test_a_match_of_honest_seats_has_no_fault_and_every_card_is_played(rules_name: str) -> None:
    ended = play_out(table(rules_name, deals=2))

    assert ended.faults == ()
    for deal in ended.deals:
        plays = [d.cards[0] for d in deal.decisions if d.kind is TurnKind.PLAY]
        assert sorted(plays) == sorted(card for hand in deal.hands for card in hand)


# -- breaches -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "breach"),
    [
        (Answer(()), "WRONG_KIND"),
        (Answer((1, 2)), "WRONG_KIND"),
        (Answer((1,), moon_choice="add"), "WRONG_KIND"),
        (Answer((99,)), "CARD_NOT_HELD"),
        (Answer((0,)), "CARD_NOT_HELD"),
        (Answer((-1,)), "CARD_NOT_HELD"),
    ],
    ids=str,
)
def test_a_play_that_is_none_is_a_breach_with_its_evidence(answer: Answer, breach: str) -> None:
    match = table()
    leader = to_first_play(match)

    step = match.answer(leader.seat, answer, Timing(1500, 6000, 20))

    (fault,) = faults_of(step)
    assert (fault.kind, fault.blame, fault.breach) == (FaultKind.BREACH, Blame.BOT, breach)
    assert (fault.seat, fault.turn_number, fault.turn_kind) == (leader.seat, leader.turn_number, TurnKind.PLAY)
    assert (fault.answer, fault.legal) == (answer.cards, (1,))
    assert (fault.elapsed_us, fault.allowed_us, fault.lag_us) == (1500, 6000, 20)
    assert fault.message.endswith("legal: 2C.") or breach == "WRONG_KIND"


@pytest.mark.parametrize(
    ("cards", "breach"),
    [
        ((), "PASS_WRONG_COUNT"),
        ((1,), "PASS_WRONG_COUNT"),
        ("four", "PASS_WRONG_COUNT"),
        ("thrice", "PASS_CARD_REPEATED"),
        ((0, 99, 53), "CARD_NOT_HELD"),
    ],
    ids=str,
)
def test_a_pass_that_is_none_is_a_breach_and_the_three_highest_are_passed(
    cards: tuple[int, ...] | str, breach: str
) -> None:
    match = table()
    ask = match.open().asks[2]
    if cards == "four":
        cards = tuple(ask.legal[:4])
    elif cards == "thrice":
        cards = (ask.legal[0],) * 3
    assert isinstance(cards, tuple)

    (fault,) = faults_of(match.answer(2, Answer(cards)))
    ended = play_out(match, step=Step([], [], []))

    assert (fault.breach, fault.ruling, fault.seat) == (breach, Ruling.SUBSTITUTE, 2)
    decision = ended.deals[0].decisions[2]
    assert (decision.cards, decision.decided_by) == (lowest_legal(ask).cards, DecidedBy.SUBSTITUTE)


def test_a_moon_choice_that_is_none_gives_the_default_of_the_rules() -> None:
    match = sure_moon()
    ask = to_moon(match)

    ended = match.answer(0, Answer((), "double")).events[-1]

    assert isinstance(ended, MatchEnded)
    (fault,) = ended.faults
    assert (fault.breach, fault.turn_kind, fault.turn_number) == (
        "MOON_CHOICE_UNKNOWN", TurnKind.MOON, ask.turn_number,
    )  # fmt: skip
    decision = ended.deals[0].decisions[-1]
    assert decision.decided_by is DecidedBy.SUBSTITUTE
    assert decision.moon_choice == preset("omnibus-choice").moon_choice_default


def test_a_shooter_that_does_not_answer_gets_the_default_of_the_rules() -> None:
    match = sure_moon()
    to_moon(match)

    ended = match.fail(0, SILENCE).events[-1]

    assert isinstance(ended, MatchEnded)
    assert [(fault.kind, fault.turn_kind, fault.legal) for fault in ended.faults] == [
        (FaultKind.TIMEOUT, TurnKind.MOON, ())
    ]
    (deal,) = ended.deals
    assert (deal.decisions[-1].moon_choice, deal.moon_seat) == (preset("omnibus-choice").moon_choice_default, 0)
    assert [score - bonus for score, bonus in zip(deal.scores, (-10, 0, 0, 0), strict=True)] == [0, 26, 26, 26]


def test_a_shooter_that_revokes_has_no_moon() -> None:
    match = sure_moon(Ruling.REVOKE)
    to_moon(match)

    ended = match.fail(0, SILENCE).events[-1]

    assert isinstance(ended, MatchEnded)
    assert (ended.deals[0].scores, ended.deals[0].moon_seat) == ((26, 0, 0, 0), None)


def test_a_card_is_no_answer_to_a_moon_choice() -> None:
    match = sure_moon()
    to_moon(match)

    step = match.answer(0, Answer((1,), "add"))

    assert [fault.breach for fault in faults_of(step)] == ["WRONG_KIND"]


def test_the_shooter_chooses_and_nobody_is_at_fault() -> None:
    match = sure_moon()
    to_moon(match)

    ended = match.answer(0, Answer((), "subtract")).events[-1]

    assert isinstance(ended, MatchEnded)
    assert ended.faults == ()
    assert ended.totals[0] < 0


# -- rulings ------------------------------------------------------------------------------------------------------


def test_substitute_decides_single_turns_and_takes_the_seat_over_at_the_last_fault() -> None:
    match = table(deals=2, faults_max=3)
    ended = fail_always(match, 1)

    sources = decided_by(ended, 1)
    assert sources[:3] == [DecidedBy.SUBSTITUTE, DecidedBy.SUBSTITUTE, DecidedBy.AUTOPILOT]
    assert set(sources[3:]) == {DecidedBy.AUTOPILOT}
    assert len(ended.faults) == 3
    assert match.fault_counts == [0, 3, 0, 0]
    assert [deal.autopilot for deal in ended.deals] == [(False, True, False, False)] * 2
    assert ended.places[1] == 4


def test_the_other_seats_play_beside_silence_as_beside_an_honest_seat_that_plays_the_substituted_cards() -> None:
    honest, silent = play_out(table(deals=4)), fail_always(table(deals=4), 2)

    def choices(ended: MatchEnded) -> list[tuple[int, tuple[int, ...]]]:
        return [(d.seat, d.cards) for deal in ended.deals for d in deal.decisions]

    assert choices(silent) == choices(honest)
    assert silent.totals == honest.totals


def test_forfeit_takes_the_seat_over_at_the_first_fault() -> None:
    ended = fail_always(table(ruling=Ruling.FORFEIT), 3)

    assert set(decided_by(ended, 3)) == {DecidedBy.AUTOPILOT}
    assert [fault.ruling for fault in ended.faults] == [Ruling.FORFEIT]
    assert ended.places[3] == 4


def test_revoke_ends_the_deal_with_all_its_points_to_the_offender() -> None:
    match = table(deals=2, ruling=Ruling.REVOKE)
    leader = to_first_play(match)

    step = match.answer(leader.seat, NO_CARD)

    record = next(event.record for event in step.events if isinstance(event, DealEnded))
    assert record.scores == tuple(26 if seat == leader.seat else 0 for seat in range(4))
    assert (record.revoked_seat, record.winners) == (leader.seat, ())
    assert [ask.kind for ask in step.asks] == [TurnKind.PASS] * 4
    assert [ask.seat for ask in match.pending()] == [0, 1, 2, 3]


def test_revoke_while_all_are_passing_takes_the_other_turns_back() -> None:
    match = table(deals=2, ruling=Ruling.REVOKE)
    first = match.open().asks

    step = match.fail(1, SILENCE)

    assert step.withdrawn == [0, 2, 3]
    assert {ask.turn_number for ask in match.pending()} == {5, 6, 7, 8}
    assert all(ask not in first for ask in match.pending())


def test_a_match_of_nothing_but_revokes_ends_with_the_offender_last() -> None:
    ended = fail_always(table(deals=4, ruling=Ruling.REVOKE, faults_max=3), 0)

    assert ended.totals[0] >= 3 * 26
    assert [deal.revoked_seat for deal in ended.deals] == [0, 0, 0, None]
    assert ended.places[0] == 4


def test_retry_asks_the_same_turn_again_and_counts_the_fault() -> None:
    match = table(ruling=Ruling.RETRY)
    leader = to_first_play(match)

    step = match.answer(leader.seat, NO_CARD)
    again = match.answer(leader.seat, lowest_legal(leader))

    assert step.asks == [leader]
    assert [fault.ruling for fault in match.faults] == [Ruling.RETRY]
    assert again.asks[0].seat == (leader.seat + 1) % 4
    assert match.fault_counts[leader.seat] == 1


def test_retry_does_not_ask_again_where_the_clock_has_run_out_nor_after_the_last_fault() -> None:
    late = table(ruling=Ruling.RETRY)
    leader = to_first_play(late)
    late.fail(leader.seat, SILENCE)
    assert [fault.ruling for fault in late.faults] == [Ruling.SUBSTITUTE]

    stubborn = table(ruling=Ruling.RETRY, faults_max=3)
    leader = to_first_play(stubborn)
    for _ in range(3):
        stubborn.answer(leader.seat, NO_CARD)
    assert [fault.ruling for fault in stubborn.faults] == [Ruling.RETRY, Ruling.RETRY, Ruling.SUBSTITUTE]
    assert stubborn.autopilot[leader.seat]


@pytest.mark.parametrize("ruling", list(Ruling))
@pytest.mark.parametrize("rules_name", ["american", "three", "cancellation-6", "omnibus-choice"])
def test_every_match_ends_under_every_ruling_whoever_is_silent(ruling: Ruling, rules_name: str) -> None:
    for seat in range(preset(rules_name).seats):
        ended = fail_always(table(rules_name, deals=2, ruling=ruling), seat)
        assert ended.places[seat] == len(ended.places)
        assert {fault.seat for fault in ended.faults} == {seat}


def test_a_match_in_which_nobody_ever_answers_is_played_out_by_the_referee() -> None:
    match = table(deals=4)
    match.open()
    while pending := match.pending():
        match.fail(pending[0].seat, SILENCE)

    assert match.autopilot == [True] * 4
    assert len(match.deals) == 4
    assert len(match.faults) == 12


# -- expelled seats -----------------------------------------------------------------------------------------------


def test_a_seat_can_be_expelled_while_another_is_asked() -> None:
    match = table(faults_max=3)
    leader = to_first_play(match)
    seat = (leader.seat + 2) % 4

    step = match.expel(seat, Failure(FaultKind.RESOURCE, "a flood"))

    (fault,) = faults_of(step)
    assert (fault.kind, fault.turn_number, fault.turn_kind, fault.ruling) == (
        FaultKind.RESOURCE, 0, None, Ruling.FORFEIT,
    )  # fmt: skip
    assert step.asks == []
    assert match.pending() == [leader]
    ended = play_out(match, step=Step([], [], []))
    assert ended.places[seat] == 4


def test_a_seat_that_is_asked_is_expelled_with_its_turn() -> None:
    match = table()
    leader = to_first_play(match)

    step = match.expel(leader.seat, Failure(FaultKind.RESOURCE, "a flood"))

    assert faults_of(step)[0].turn_number == leader.turn_number
    assert step.asks[0].seat == (leader.seat + 1) % 4


def test_expelling_a_seat_twice_is_one_fault() -> None:
    match = table()
    match.open()
    for _ in range(2):
        match.expel(1, Failure(FaultKind.RESOURCE, "a flood"))

    assert match.fault_counts == [0, 1, 0, 0]


# -- places -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("places", "autopilot", "expected"),
    [
        ((1, 2, 3, 4), "....", (1, 2, 3, 4)),
        ((1, 2, 3, 4), "x...", (4, 1, 2, 3)),
        ((1, 1, 3, 4), "x...", (4, 1, 2, 3)),
        ((1, 1, 3, 3), "..x.", (1, 1, 4, 3)),
        ((1, 2, 3, 4), "x.x.", (3, 1, 3, 2)),
        ((1, 2, 2, 4), "xxxx", (1, 1, 1, 1)),
    ],
    ids=str,
)
def test_seats_on_autopilot_are_last_and_the_others_keep_their_order(
    places: tuple[int, ...], autopilot: str, expected: tuple[int, ...]
) -> None:
    assert places_with_autopilot(places, [flag == "x" for flag in autopilot]) == expected
