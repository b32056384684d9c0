"""The floor on a clock that tests turn: matches, charges, deadlines, turns of many tables. Nothing here waits."""

from __future__ import annotations

import statistics
from functools import partial

import pytest

from referee.records import DecidedBy, FaultKind, Ruling, TurnKind
from referee.table import Answer, Ask
from tests.referee.floor.fakes import FakeHall, faults_by, record_of, through_the_pass
from tests.referee.table.tables import lowest_legal, sure_moon, table

# -- a match ------------------------------------------------------------------------------------------------------


async def test_a_match_of_prompt_bots_ends_without_a_fault_and_everybody_is_told() -> None:
    hall = FakeHall()
    run = hall.start(table(deals=4))
    hall.play_on(run)

    record = record_of(run)
    assert record.faults == ()
    assert record.started_at == "2026-01-02T03:04:05+00:00"
    assert [(len(bot.started), len(bot.deals), len(bot.ends)) for bot in hall.bots] == [(1, 4, 1)] * 4
    assert hall.floor.runs == {}


async def test_a_bot_learns_what_it_was_charged_and_what_is_left_of_its_bank() -> None:
    hall = FakeHall()
    hall.start(table())
    through_the_pass(hall)
    (leader,) = hall.asked()
    hall.pass_ms(150)
    leader.answer()
    while leader not in hall.asked():
        hall.asked()[0].answer()
    (turn,) = leader.pending.values()

    assert (turn.charged_us, turn.bank_ms, turn.turn_ms) == (150_000, 450, 100)


# -- the clock ----------------------------------------------------------------------------------------------------


async def test_turn_time_and_bank_are_allowed_to_the_millisecond_and_no_longer() -> None:
    hall = FakeHall()
    hall.start(table())
    leader = through_the_pass(hall)
    hall.pass_ms(600)
    assert faults_by(leader) == []

    hall.pass_ms(10)
    (fault,) = faults_by(leader)
    assert (fault.kind, fault.elapsed_us, fault.allowed_us) == (FaultKind.TIMEOUT, 610_000, 600_000)
    assert fault.message == "no answer in time: 610 ms, 600 ms were allowed"


async def test_a_late_answer_is_judged_by_the_same_rule_as_a_missing_one() -> None:
    hall = FakeHall()
    hall.start(table())
    leader = through_the_pass(hall)
    hall.pass_unswept_ms(601)
    leader.answer()

    (fault,) = faults_by(leader)
    assert (fault.kind, fault.answer, fault.elapsed_us) == (FaultKind.TIMEOUT, (1,), 601_000)
    assert fault.message == "answered late: 601 ms, 600 ms were allowed"


def as_given(answer: Answer, _ask: Ask) -> Answer:
    return answer


@pytest.mark.parametrize(
    ("comes", "message"),
    [
        (False, "no answer in time: 611 ms, 600 ms were allowed"),
        (True, "answered late: 601 ms, 600 ms were allowed"),
    ],
    ids=["never", "late"],
)
async def test_a_moon_choice_that_comes_late_or_never_is_made_by_the_rules_default(
    comes: bool, message: str
) -> None:
    hall = FakeHall()
    run = hall.start(sure_moon())
    passes = {0: (14, 15, 16), 3: (11, 12, 13)}
    while (turn := next(iter(hall.asked()[0].pending.values()))).ask.kind is not TurnKind.MOON:
        seat = turn.ask.seat
        is_given = turn.ask.kind is TurnKind.PASS and seat in passes
        given = Answer(passes[seat]) if is_given else lowest_legal(turn.ask)
        hall.asked()[0].answer(partial(as_given, given))
    hall.pass_unswept_ms(601)
    if comes:
        hall.asked()[0].answer(partial(as_given, Answer((), "subtract")))
    hall.pass_ms(10)

    record = record_of(run)
    assert record.faults[0].message == message
    assert [(fault.kind, fault.turn_kind, fault.seat) for fault in record.faults] == [
        (FaultKind.TIMEOUT, TurnKind.MOON, 0)
    ]
    assert record.deals[0].decisions[-1].decided_by is DecidedBy.SUBSTITUTE


async def test_the_bank_is_spent_once() -> None:
    hall = FakeHall()
    hall.start(table())
    leader = through_the_pass(hall)
    hall.pass_ms(590)
    leader.answer()
    while leader not in hall.asked():
        hall.asked()[0].answer()
    hall.pass_ms(110)
    assert faults_by(leader) == []
    hall.pass_ms(10)

    assert [fault.allowed_us for fault in faults_by(leader)] == [110_000]


async def test_a_second_answer_under_retry_is_charged_on_the_same_clock_and_only_once() -> None:
    hall = FakeHall()
    run = hall.start(table(ruling=Ruling.RETRY))
    leader = through_the_pass(hall)
    hall.pass_ms(300)
    leader.answer(lambda _: Answer((99,)))
    (turn,) = leader.pending.values()
    assert (turn.turn_ms, turn.bank_ms, turn.spent_us) == (0, 300, 300_000)

    hall.pass_ms(290)
    leader.answer()

    assert [fault.kind for fault in faults_by(leader)] == [FaultKind.BREACH]
    assert run.bank_us[hall.bots.index(leader)] == 10_000


async def test_retry_ends_with_the_clock() -> None:
    hall = FakeHall()
    hall.start(table(ruling=Ruling.RETRY))
    leader = through_the_pass(hall)
    hall.pass_ms(300)
    leader.answer(lambda _: Answer((99,)))
    hall.pass_ms(300)
    assert len(faults_by(leader)) == 1
    hall.pass_ms(10)

    assert [fault.kind for fault in faults_by(leader)] == [FaultKind.BREACH, FaultKind.TIMEOUT]
    assert faults_by(leader)[1].elapsed_us == 610_000


@pytest.mark.parametrize("tables", [1, 64, 256])
async def test_a_bot_that_thinks_two_ms_is_charged_two_ms_at_any_number_of_tables(tables: int) -> None:
    hall = FakeHall(tables_max=256)
    runs = [hall.start(table(board_set=n, key=str(n))) for n in range(tables)]
    charged: list[int] = []
    while hall.floor.runs:
        for bot in hall.bots:
            count = min(len(bot.pending), 128)
            if count:
                hall.pass_unswept_ms(count * 2)
                bot.answer(turns=count)
    for run in runs:
        charged += [d.elapsed_us for deal in record_of(run).deals for d in deal.decisions]

    assert abs(statistics.median(charged) - 2000) < 1000


async def test_a_batch_may_take_as_long_as_all_its_turns_may() -> None:
    hall = FakeHall(tables_max=64)
    for n in range(64):
        hall.start(table(board_set=n, key=str(n)))
    bot = hall.bots[0]
    hall.pass_ms(64 * 99)
    bot.answer(turns=64)

    assert faults_by(bot) == []


async def test_a_silent_bot_with_many_turns_is_timed_out_when_none_of_them_can_be_in_time() -> None:
    hall = FakeHall(tables_max=8)
    for n in range(8):
        hall.start(table(board_set=n, key=str(n)))
    hall.pass_ms(8 * 100 + 500)
    assert faults_by(hall.bots[0]) == []
    hall.pass_ms(20)

    faults = faults_by(hall.bots[0])
    assert len(faults) == 8
    assert {(fault.elapsed_us, fault.allowed_us) for fault in faults} == {(610_000, 600_000)}


async def test_a_bot_that_is_not_connected_shares_no_clock_between_its_turns() -> None:
    hall = FakeHall(tables_max=8)
    bot = hall.bots[0]
    bot.is_away = True
    for n in range(8):
        hall.start(table(board_set=n, key=str(n)))
    hall.pass_ms(620)

    assert len(faults_by(bot)) == 8


async def test_a_turn_that_is_starved_by_others_waits_no_longer_than_the_whole_load_may_take() -> None:
    hall = FakeHall(tables_max=2)
    runs = [hall.start(table(board_set=n, key=str(n))) for n in range(2)]
    bot = hall.bots[0]
    starved = next(turn for turn in bot.pending.values() if turn.match_id == runs[1].match_id)
    others = hall.bots[1:]
    while not faults_by(bot):
        hall.pass_ms(40)
        for other in others:
            while other.pending:
                other.answer()
        for turn in [t for t in bot.pending.values() if t is not starved]:
            bot.pending = {turn.turn_id: turn} | bot.pending  # it is answered first, whenever it came
            bot.answer()
        assert hall.clock.ns < 5_000_000_000, "the starved turn waits for ever"

    assert faults_by(bot)[0].elapsed_us // 1000 in range(700, 760)


async def test_turns_behind_those_that_a_bot_holds_are_asked_when_a_place_is_free() -> None:
    hall = FakeHall(tables_max=1)
    for n in range(3):
        hall.start(table(board_set=n, key=str(n)))
    silent = hall.bots[0]
    assert (len(silent.pending), len(silent.queue)) == (1, 2)
    hall.pass_ms(620)

    assert [fault.seat for fault in faults_by(silent)] == [0]
    assert (len(silent.pending), len(silent.queue)) == (1, 1)


async def test_a_bot_that_has_ended_for_good_fails_its_turns_at_once() -> None:
    hall = FakeHall()
    run = hall.start(table(deals=4))
    dead = hall.bots[2]
    dead.is_gone = True
    dead.why_silent = (FaultKind.EXIT, "no answer, its process exited with code 3", 3)
    began_ns = hall.clock.ns
    hall.play_on(run, dead)

    record = record_of(run)
    assert hall.clock.ns - began_ns < 100_000_000
    assert [(fault.kind, fault.exit_code) for fault in record.faults] == [(FaultKind.EXIT, 3)] * 3
    assert record.places[2] == 4


async def test_the_reason_of_a_silence_is_the_kind_of_the_fault() -> None:
    hall = FakeHall()
    hall.start(table())
    leader = through_the_pass(hall)
    leader.why_silent = (FaultKind.DISCONNECT, "no answer, the connection was lost", None)
    hall.pass_ms(620)

    assert [fault.kind for fault in faults_by(leader)] == [FaultKind.DISCONNECT]


async def test_a_fault_points_to_what_the_process_wrote_meanwhile() -> None:
    hall = FakeHall()
    leader = hall.bots[0]
    leader.log = ("a-1.log", 100)
    hall.start(table())
    leader.log = ("a-1.log", 250)
    hall.pass_ms(620)
    assert faults_by(leader)[0].stderr_window == ("a-1.log", 100, 250)

    leader.log = ("a-2.log", 30)  # it was restarted
    leader.answer(lambda _: Answer(()))
    hall.pass_ms(620)
    assert faults_by(leader)[-1].stderr_window == ("a-2.log", 0, 30)


async def test_something_that_is_no_decision_is_malformed_and_charged_its_time() -> None:
    hall = FakeHall()
    hall.start(table())
    leader = through_the_pass(hall)
    (turn,) = leader.pending.values()
    leader.pending.clear()
    hall.floor.failed(turn, FaultKind.MALFORMED, "card number 77 is not a card", (77,), 1234, 34)

    (fault,) = faults_by(leader)
    assert (fault.kind, fault.answer, fault.elapsed_us, fault.lag_us) == (FaultKind.MALFORMED, (77,), 1200, 34)


async def test_an_answer_to_a_turn_that_a_revoke_took_back_changes_nothing() -> None:
    hall = FakeHall()
    run = hall.start(table(deals=2, ruling=Ruling.REVOKE))
    old = dict(hall.bots[1].pending)
    hall.bots[0].answer(lambda _: Answer(()))
    (turn,) = old.values()
    decisions = len(run.table.deals[0].decisions)

    hall.floor.answered(turn, Answer((1, 2, 3)), 10, 0)
    hall.floor.failed(turn, FaultKind.MALFORMED, "nonsense", (), 10, 0)

    assert (len(run.table.deals), decisions, len(run.table.faults)) == (1, 0, 1)
