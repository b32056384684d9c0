"""The floor when something stands still, a referee, a bot or a match: lag, voids, the wall cap, the watchdog."""

from __future__ import annotations

import asyncio
import random

import pytest

from referee.floor import LagMeter, Voided
from referee.records import DecidedBy, FaultKind, Ruling, TimeControl, TurnKind
from tests.referee.floor.fakes import CLOCK, FakeHall, faults_by, record_of, through_the_pass
from tests.referee.table.tables import table

# -- lag and voids ------------------------------------------------------------------------------------------------


async def test_lag_moves_the_deadline_and_is_charged_to_nobody() -> None:
    hall = FakeHall()
    run = hall.start(table())
    leader = through_the_pass(hall)
    hall.pass_ms(550)
    hall.stand_still_ms(900)
    hall.wake()
    assert faults_by(leader) == []
    hall.pass_ms(30)
    leader.answer()

    assert faults_by(leader) == []
    assert not run.outcome.done()
    assert run.lag_ns_max == 888_000_000


async def test_an_answer_read_after_a_stall_is_charged_without_it() -> None:
    hall = FakeHall()
    hall.start(table())
    leader = through_the_pass(hall)
    hall.stand_still_ms(900)
    leader.answer()  # it was readable all the time; no heartbeat has come yet
    while leader not in hall.asked():
        hall.asked()[0].answer()

    (turn,) = leader.pending.values()
    assert turn.charged_us <= 12_000


async def test_a_referee_that_stood_still_for_three_seconds_voids_what_is_played_and_charges_nobody() -> None:
    hall = FakeHall()
    runs = [hall.start(table(board_set=n, key=str(n))) for n in range(2)]
    through_the_pass_of_all = [bot for bot in hall.bots if bot.pending]
    assert through_the_pass_of_all
    hall.stand_still_ms(3000)
    hall.wake()

    for run in runs:
        assert run.outcome.result() == Voided("the referee stood still for 3.0 s while turns were open")
    assert [bot.faults for bot in hall.bots] == [[]] * 4
    assert [bot.ends for bot in hall.bots] == [[None, None]] * 4
    assert [(bot.pending, bot.queue) for bot in hall.bots] == [({}, [])] * 4
    assert hall.floor.runs == {}


async def test_a_referee_that_stood_still_while_it_read_voids_what_is_played_and_charges_nobody() -> None:
    hall = FakeHall()
    run = hall.start(table())
    hall.beat_and_stand_still_ms(1500)
    hall.floor.sweep()

    assert run.outcome.result() == Voided("the referee stood still for 1.5 s while turns were open")
    assert [bot.faults for bot in hall.bots] == [[]] * 4


async def test_the_timekeeper_itself_sees_that_it_stood_still_between_its_heartbeat_and_its_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = FakeHall()
    run = hall.start(table())

    async def sleep(seconds: float) -> None:
        if run.outcome.done():
            raise asyncio.CancelledError
        hall.clock.ns += round(seconds * 1e9) or 700_000_000

    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(asyncio.CancelledError):
        await hall.floor.keep_time()

    assert run.outcome.result() == Voided("the referee stood still for 1.4 s while turns were open")
    assert [bot.faults for bot in hall.bots] == [[]] * 4


async def test_lag_while_the_referee_reads_moves_the_deadline_and_is_charged_to_nobody() -> None:
    hall = FakeHall()
    run = hall.start(table())
    leader = through_the_pass(hall)
    hall.pass_ms(550)
    hall.beat_and_stand_still_ms(900)
    hall.floor.sweep()
    hall.pass_ms(20)
    assert faults_by(leader) == []
    assert run.lag_ns_max == 888_000_000

    hall.pass_ms(10)
    (fault,) = faults_by(leader)
    assert (fault.elapsed_us, fault.allowed_us, fault.lag_us) == (602_000, 600_000, 888_000)


async def test_a_turn_that_is_handed_over_amid_a_stall_is_charged_what_it_took() -> None:
    hall = FakeHall()
    hall.start(table())
    leader = through_the_pass(hall)
    hall.beat_and_stand_still_ms(900)
    leader.answer()  # it was readable; the next bot is asked now
    (follower,) = hall.asked()
    hall.floor.sweep()
    hall.pass_ms(610)

    (fault,) = faults_by(follower)
    assert (fault.elapsed_us, fault.lag_us) == (610_000, 0)


async def test_lag_while_deadlines_are_looked_at_is_charged_to_nobody() -> None:
    hall = FakeHall(tables_max=2)
    runs = [hall.start(table(board_set=n, key=str(n))) for n in range(2)]
    gone, other = hall.bots[:2]
    gone.is_gone = True
    slow = gone.silence

    def silence() -> tuple[FaultKind, str, int | None]:
        hall.stand_still_ms(450)
        return slow()

    gone.silence = silence  # type: ignore[method-assign]
    hall.wake()
    gone.is_gone = False
    assert len(gone.faults) == 2
    assert [run.lag_ns_max for run in runs] == [888_000_000] * 2
    hall.pass_ms(680)  # two turns may take 200 ms and the bank 500 ms
    assert faults_by(other) == []


@pytest.mark.parametrize("seed", range(20))
def test_the_lag_meter_never_falls_and_never_outruns_the_clock(seed: int) -> None:
    draw = random.Random(seed)
    now_ns = said_ns = began_ns = 5_000_000_000
    meter = LagMeter(now_ns)
    said_ns = 0
    for _ in range(2_000):
        step_ns = draw.choice((0, 1_000, 9_000_000, 13_000_000, 1_500_000_000))
        now_ns += step_ns
        before_ns, said_ns = said_ns, meter.stalled_ns(now_ns)
        assert before_ns <= said_ns <= before_ns + step_ns
        if draw.random() < 0.5:
            assert meter.beat(now_ns) <= said_ns
            assert meter.stalled_ns(now_ns) == said_ns
    assert 0 < said_ns < now_ns - began_ns


async def test_a_silence_that_was_mostly_the_referees_own_stalls_is_void() -> None:
    hall = FakeHall()
    run = hall.start(table())
    leader = through_the_pass(hall)
    for _ in range(4):
        hall.stand_still_ms(900)
        hall.wake()
    assert not run.outcome.done()
    hall.pass_ms(620)

    assert isinstance(run.outcome.result(), Voided)
    assert faults_by(leader) == []


async def test_bots_that_are_silent_together_are_all_charged() -> None:
    hall = FakeHall()
    run = hall.start(table(deals=4))
    hall.play_on(run, hall.bots[0], hall.bots[2])

    record = record_of(run)
    assert {fault.seat for fault in record.faults} == {0, 2}
    assert sorted(record.places) == [1, 2, 3, 3]


async def test_a_bot_that_floods_is_expelled_and_the_lag_it_made_voids_nothing() -> None:
    hall = FakeHall()
    run = hall.start(table())
    through_the_pass(hall)
    hall.stand_still_ms(3000)
    hall.floor.flooded(hall.bots[3], "a flood")
    hall.wake()
    hall.play_on(run)

    record = record_of(run)
    assert [(fault.kind, fault.seat, fault.ruling) for fault in record.faults] == [
        (FaultKind.RESOURCE, 3, Ruling.FORFEIT)
    ]
    assert record.places[3] == 4


async def test_some_time_after_a_flood_a_stall_is_the_hosts_fault_again() -> None:
    hall = FakeHall()
    slow = TimeControl(turn_ms=60_000)
    run = hall.start(table(), slow)
    hall.floor.flooded(hall.bots[3], "a flood")
    hall.pass_ms(8_000)
    hall.stand_still_ms(4_000)
    hall.wake()
    assert not run.outcome.done(), "it may still be the flood's"
    hall.stand_still_ms(1_100)
    hall.wake()

    assert isinstance(run.outcome.result(), Voided)


async def test_a_bot_that_reconnects_too_often_leaves_that_match_and_its_stalls_are_the_hosts_still() -> None:
    hall = FakeHall(tables_max=2)
    often, other = (hall.start(table(board_set=n, key=str(n))) for n in range(2))
    hall.floor.expel(hall.bots[1], FaultKind.RESOURCE, "reconnected 21 times", [often.match_id, 77])
    assert [often.table.autopilot[1], other.table.autopilot[1]] == [True, False]
    hall.stand_still_ms(1_500)
    hall.wake()

    assert isinstance(often.outcome.result(), Voided)
    assert isinstance(other.outcome.result(), Voided)


async def test_a_bot_is_expelled_from_all_its_matches_and_the_others_finish_them() -> None:
    hall = FakeHall(tables_max=4)
    runs = [hall.start(table(board_set=n, key=str(n))) for n in range(4)]
    hall.pass_ms(20)
    hall.floor.flooded(hall.bots[1], "a flood")
    assert not hall.bots[1].pending
    for run in runs:
        hall.play_on(run)

    assert [record_of(run).places[1] for run in runs] == [4] * 4
    assert len(hall.bots[1].faults) == 4
    assert hall.bots[1].faults[0].fault.elapsed_us == 20_000


async def test_a_turn_that_nobody_has_been_given_is_no_evidence_against_its_bot() -> None:
    hall = FakeHall(tables_max=1)
    first = hall.start(table(board_set=0, key="0"))
    waiting = hall.start(table(board_set=1, key="1"))
    hall.stand_still_ms(500)
    hall.wake()
    hall.bots[1].tables_max = 0  # nor is it given when the place before it is free
    hall.floor.flooded(hall.bots[1], "a flood")

    given, in_line = first.table.faults[0], waiting.table.faults[0]
    assert (given.elapsed_us, given.lag_us) == (500_000 - given.lag_us, 488_000)
    assert (in_line.elapsed_us, in_line.allowed_us, in_line.lag_us) == (0, 600_000, 0)


async def test_the_host_can_void_the_matches_of_one_bot() -> None:
    hall = FakeHall()
    run = hall.start(table())
    hall.floor.void_matches_of(hall.bots[0], "the supervisor was lost")

    assert run.outcome.result() == Voided("the supervisor was lost")


async def test_a_match_whose_owner_has_gone_can_still_be_voided() -> None:
    hall = FakeHall()
    run = hall.start(table())
    run.outcome.cancel()
    hall.floor.void(run, "stopped")

    assert hall.floor.runs == {}


# -- liveness -----------------------------------------------------------------------------------------------------


async def test_the_wall_cap_takes_over_the_seat_that_the_match_has_waited_for_most() -> None:
    hall = FakeHall()
    run = hall.start(table(deals=4), TimeControl(turn_ms=10_000, bank_ms=0, match_ms_max=8_000))
    slow = hall.bots[2]
    while not run.outcome.done():
        (first, *_) = [bot for bot in hall.asked() if bot is not slow] or [slow]
        hall.pass_ms(400 if first is slow else 10)
        first.answer()

    record = record_of(run)
    assert [(fault.kind, fault.seat, fault.ruling) for fault in record.faults] == [
        (FaultKind.TIMEOUT, 2, Ruling.FORFEIT)
    ]
    assert record.faults[0].message == "the match took longer than 8 s, and most of that it waited for this seat"
    assert record.duration_ms < 2 * 8_000
    assert record.places[2] == 4


async def test_a_match_of_slow_bots_lasts_no_longer_than_twice_its_wall_time() -> None:
    hall = FakeHall()
    run = hall.start(table(deals=4), TimeControl(turn_ms=10_000, bank_ms=0, match_ms_max=2_000))
    while not run.outcome.done():
        hall.pass_ms(900)
        for bot in hall.asked()[:1]:
            bot.answer()

    record = record_of(run)
    assert record.duration_ms <= 4_000 + 1_000
    assert {d.decided_by for d in record.deals[-1].decisions} == {DecidedBy.AUTOPILOT}


async def test_the_wall_time_of_a_match_does_not_run_while_the_referee_stands_still() -> None:
    hall = FakeHall()
    run = hall.start(table(), TimeControl(turn_ms=10_000, bank_ms=0, match_ms_max=2_000))
    hall.pass_ms(500)
    for _ in range(4):
        hall.stand_still_ms(500)
        hall.wake()
    hall.pass_ms(1_000)
    assert run.table.faults == []

    hall.pass_ms(750)
    assert run.table.faults[0].message.startswith("the match took longer than 2 s")


async def test_the_watchdog_names_match_seat_and_turn() -> None:
    hall = FakeHall()
    run = hall.start(table(key="match-7"), TimeControl(turn_ms=60_000))
    leader = through_the_pass(hall)
    hall.pass_ms(5_000)

    (wait,) = hall.floor.waits(4_000)
    assert (wait.match, wait.bot, wait.seat) == ("match-7", leader.name, hall.bots.index(leader))
    assert (wait.turn_number, wait.turn_kind) == (5, TurnKind.PLAY)
    assert str(wait) == (
        f"waiting for {leader.name} in a match, the longest 5 s: match match-7, seat {wait.seat}, turn 5 (play)"
    )
    leader.answer()
    hall.pass_ms(500)
    assert hall.floor.waits(4_000) == []
    assert not run.outcome.done()


async def test_every_clock_ends_every_wait() -> None:
    hall = FakeHall(tables_max=3)
    runs = [hall.start(table(board_set=n, key=str(n), deals=2), CLOCK) for n in range(9)]
    began_ns = hall.clock.ns
    while hall.floor.runs:
        hall.pass_ms(100)
        assert hall.clock.ns - began_ns < 60_000_000_000, hall.floor.waits(0)

    assert {record_of(run).places for run in runs} == {(1, 1, 1, 1)}
