"""A bot's line without a stream: what it is owed, what it is charged, what it may send."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from hearts.v1 import referee_service_pb2 as service
from hearts.v1 import table_pb2
from referee.records import FaultKind, StrayKind
from referee.table import Answer
from referee.table.turns import MatchStart, Turn
from referee.wire import line as line_module
from referee.wire.line import Line
from tests.referee.table.tables import table, to_first_play


class FakeDesk:
    """Notes what is delivered."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, tuple[int, ...], int]] = []
        self.failures: list[tuple[int, FaultKind, int]] = []
        self.expelled: list[tuple[FaultKind, str, list[int]]] = []
        self.floods: list[str] = []
        self.failed_answers: list[tuple[int, ...]] = []
        self.lags_us: list[int] = []
        self.stalls_from_ns = 1 << 62

    def answered(self, turn: Turn, answer: Answer, elapsed_us: int, lag_us: int) -> None:
        self.answers.append((turn.turn_id, answer.cards, elapsed_us))
        self.lags_us.append(lag_us)

    def failed(
        self, turn: Turn, kind: FaultKind, message: str, answer: tuple[int, ...], elapsed_us: int, lag_us: int
    ) -> None:
        self.failures.append((turn.turn_id, kind, elapsed_us))
        self.failed_answers.append(answer)

    def expel(self, bot: Line, kind: FaultKind, message: str, match_ids: Collection[int]) -> None:
        self.expelled.append((kind, message, list(match_ids)))

    def flooded(self, bot: Line, message: str) -> None:
        self.floods.append(message)

    def stalled_ns(self, at_ns: int) -> int:
        return max(0, at_ns - self.stalls_from_ns)


class FakeSession:
    """A stream that only notes what becomes of it."""

    is_blocked = False

    def __init__(self) -> None:
        self.resend: list[Turn] = []
        self.closed: list[str] = []
        self.floods: list[str] = []

    def wake(self) -> None:
        pass

    def close(self, reason: str, message: str) -> None:
        self.closed.append(reason)

    def flooded(self, message: str) -> None:
        self.floods.append(message)


def start_of(match_id: int) -> MatchStart:
    return MatchStart(match_id, 0, table().rules.to_dict(), (), 4, 100, 0, 3, "substitute", "")


class Bench:
    """A line on a clock that tests turn."""

    def __init__(self, *, tables_max: int = 8) -> None:
        self.now_ns = 1_000_000_000
        self.desk = FakeDesk()
        self.line = Line("duck", "r0", self.desk, lambda: self.now_ns)
        self.tables_max = tables_max
        self.session = self.attach()

    def attach(self) -> FakeSession:
        session = FakeSession()
        self.line.attach(session, "1.0", self.tables_max)  # type: ignore[arg-type]
        return session

    def ask(self, count: int) -> list[int]:
        """Ask so many turns and hand over what there is room for; give the ids of those."""
        ask = to_first_play(table())
        for _ in range(count):
            self.line.ask(Turn(ask, 1, "american", 100, 1000, 0, 0))
        return [turn.turn_id for turn in self.line.hand_over(self.now_ns, 256)]

    def receive(self, *turn_ids: int, after_ms: int = 0, card: int = 1) -> None:
        self.now_ns += after_ms * 1_000_000
        decisions = [table_pb2.Decision(turn_id=turn_id, cards=[card]) for turn_id in turn_ids]  # type: ignore[list-item]
        self.line.receive(decisions, self.now_ns)


async def test_the_time_of_a_message_is_shared_by_the_turns_it_answers() -> None:
    bench = Bench()
    ids = bench.ask(4)
    bench.receive(*ids, after_ms=8)

    assert [elapsed_us for _, _, elapsed_us in bench.desk.answers] == [2000] * 4


async def test_what_answers_nothing_has_no_share_in_the_charge() -> None:
    bench = Bench()
    (turn_id,) = bench.ask(1)
    bench.receive(turn_id, turn_id, turn_id, 123, 456, after_ms=6)

    assert bench.desk.answers == [(turn_id, (1,), 6000)]


async def test_what_answers_nothing_does_not_stop_the_clock() -> None:
    bench = Bench()
    (turn_id,) = bench.ask(1)
    for _ in range(5):
        bench.receive(77, after_ms=10)
    bench.receive(turn_id, after_ms=1)

    assert bench.desk.answers == [(turn_id, (1,), 51_000)]


async def test_the_clock_of_a_turn_begins_with_the_answer_before_it() -> None:
    bench = Bench()
    first, second = bench.ask(2)
    bench.receive(first, after_ms=5)
    bench.receive(second, after_ms=3)

    assert [elapsed_us for _, _, elapsed_us in bench.desk.answers] == [5000, 3000]


async def test_a_stall_between_the_arrival_of_a_message_and_its_delivery_is_lag_of_the_turn_after_it() -> None:
    bench = Bench()
    first, second = bench.ask(2)
    bench.now_ns += 5_000_000
    arrival_ns = bench.desk.stalls_from_ns = bench.now_ns
    bench.now_ns += 900_000_000
    bench.line.receive([table_pb2.Decision(turn_id=first, cards=[1])], arrival_ns)  # type: ignore[list-item]
    bench.receive(second)

    assert [elapsed_us for _, _, elapsed_us in bench.desk.answers] == [5000, 900_000]
    assert bench.desk.lags_us == [0, 900_000]


async def test_a_turn_is_answered_once() -> None:
    bench = Bench()
    (turn_id,) = bench.ask(1)
    bench.receive(turn_id)
    bench.receive(turn_id)

    assert len(bench.desk.answers) == 1


async def test_a_match_counts_the_answers_that_answer_nothing_by_what_they_are() -> None:
    bench = Bench()
    for match_id in (1, 2):
        bench.line.start_match(MatchStart(match_id, 0, {}, (), 4, 100, 1000, 3, "substitute", ""))
    answered, taken_back, open_turn = bench.ask(3)
    bench.line.withdraw(bench.line.pending[taken_back])
    never_asked = open_turn + 1
    bench.receive(answered, answered, taken_back, answered, never_asked)

    assert bench.line.strays(1) == {StrayKind.REPEATED: 2, StrayKind.LATE: 1, StrayKind.UNKNOWN: 1}
    assert bench.line.strays(2) == {StrayKind.UNKNOWN: 1}
    bench.line.end_match(1, None, (0,))
    assert bench.line.strays(1) == {}


async def test_a_turn_that_was_taken_back_is_not_answered_any_more() -> None:
    bench = Bench()
    (turn_id,) = bench.ask(1)
    bench.line.withdraw(bench.line.pending[turn_id])
    bench.receive(turn_id)

    assert bench.desk.answers == []


async def test_something_that_is_no_card_goes_to_the_desk_as_malformed() -> None:
    bench = Bench()
    (turn_id,) = bench.ask(1)
    bench.receive(turn_id, after_ms=2, card=99)

    assert bench.desk.failures == [(turn_id, FaultKind.MALFORMED, 2000)]


async def test_of_a_decision_with_sixty_thousand_cards_a_few_are_kept_as_evidence() -> None:
    bench = Bench()
    (turn_id,) = bench.ask(1)
    bench.line.receive([table_pb2.Decision(turn_id=turn_id, cards=[1] * 60_000)], bench.now_ns)  # type: ignore[list-item]

    assert bench.desk.failures == [(turn_id, FaultKind.MALFORMED, 0)]
    assert bench.desk.failed_answers == [(1,) * 34]


@pytest.mark.parametrize(
    ("said", "kept"),
    [("2.1", "2.1"), ("1\0\x1b[31m.0\n", "1[31m.0"), ("9" * 60_000, "9" * 64), ("1\u202e2\u200bé", "12é")],
    ids=["plain", "controls", "60 kB", "odd letters"],
)
async def test_a_bots_version_is_kept_as_printable_and_short(said: str, kept: str) -> None:
    bench = Bench()
    bench.line.attach(FakeSession(), said, 1)  # type: ignore[arg-type]

    assert bench.line.version == kept


async def test_a_bot_holds_no_more_turns_than_it_asked_for() -> None:
    bench = Bench(tables_max=2)
    assert len(bench.ask(5)) == 2
    bench.receive(*bench.line.pending)

    assert len(bench.line.hand_over(bench.now_ns, 256)) == 2


async def test_a_bot_may_not_hold_more_tables_than_its_manifest_allows() -> None:
    bench = Bench(tables_max=500)
    bench.line.tables_max_allowed = 3
    bench.attach()

    assert bench.line.tables_max == 3


async def test_turn_ids_are_never_zero_and_wrap() -> None:
    bench = Bench()
    bench.line._turn_id = line_module.TURN_ID_MAX - 1

    assert bench.ask(3) == [line_module.TURN_ID_MAX, 1, 2]


async def test_clocks_run_while_nobody_is_there() -> None:
    bench = Bench(tables_max=2)
    bench.line.detach(bench.session)  # type: ignore[arg-type]
    ask = to_first_play(table())
    for _ in range(3):
        bench.line.ask(Turn(ask, 1, "american", 100, 1000, 0, 0))

    assert [turn.handed_ns for turn in bench.line.pending.values()] == [bench.now_ns] * 2
    bench.line.withdraw(next(iter(bench.line.pending.values())))
    assert len(bench.line.pending) == 2


async def test_a_stream_that_breaks_in_a_handover_starts_the_clock_at_that_moment() -> None:
    bench = Bench()
    ask = to_first_play(table())
    bench.line.ask(Turn(ask, 1, "american", 100, 1000, 0, 0))
    (turn,) = bench.line.hand_over(bench.now_ns, 256, 2_000_000_000)
    bench.line.detach(bench.session)  # type: ignore[arg-type]

    assert turn.handed_ns == bench.now_ns


async def test_a_newer_stream_fences_the_older_one_and_is_owed_everything_again() -> None:
    bench = Bench()
    bench.line.start_match(MatchStart(1, 0, table().rules.to_dict(), (), 4, 100, 0, 3, "substitute", ""))
    ids = bench.ask(2)
    newer = bench.attach()

    assert bench.session.closed == ["FENCED"]
    assert [turn.turn_id for turn in newer.resend] == ids
    (owed,) = bench.line.notices
    assert [notice.match_id for notice in service.RefereeMessage.FromString(owed).notices] == [1]
    bench.line.detach(bench.session)  # type: ignore[arg-type]
    assert bench.line.is_attached.is_set(), "the end of the old stream does not concern the new one"


async def test_reconnects_are_bounded_and_the_bound_is_per_match() -> None:
    bench = Bench()
    bench.line.reconnects_max = 3
    bench.line.start_match(start_of(1))
    assert [bench.line.may_attach() for _ in range(6)] == [True] * 3 + [False] * 3
    assert bench.desk.expelled == [(FaultKind.RESOURCE, "reconnected 4 times, 3 times are allowed", [1])]

    bench.line.start_match(start_of(2))
    assert bench.line.may_attach()


async def test_a_bot_may_come_back_as_often_as_it_likes_while_it_plays_no_match() -> None:
    bench = Bench()
    bench.line.reconnects_max = 3
    assert [bench.line.may_attach() for _ in range(50)] == [True] * 50
    bench.line.start_match(start_of(1))
    bench.line.end_match(1, None, (0,))
    assert [bench.line.may_attach() for _ in range(50)] == [True] * 50

    assert bench.desk.expelled == []


async def test_matches_that_begin_meanwhile_do_not_give_the_older_ones_more_reconnects() -> None:
    bench = Bench()
    bench.line.reconnects_max = 3
    for match_id in range(1, 6):
        bench.line.start_match(start_of(match_id))
        assert bench.line.may_attach(), "it is needed in the younger matches"

    assert [match_ids for _, _, match_ids in bench.desk.expelled] == [[1], [2]]


async def test_a_flood_of_what_answers_nothing_ends_the_stream_and_expels_the_bot() -> None:
    bench = Bench()
    for _ in range(8):
        bench.receive(*range(1, 129))

    assert bench.session.floods == [
        "a flood: over 1000 messages or decisions that answer nothing within 10 s",
    ]
    assert bench.desk.floods == bench.session.floods


async def test_a_bot_of_many_tables_may_send_more_and_is_told_how_much() -> None:
    bench = Bench(tables_max=500)
    for _ in range(15):
        bench.receive(*range(1, 129))
    assert bench.session.floods == []
    bench.receive(*range(1, 129))

    assert bench.session.floods == ["a flood: over 2000 messages or decisions that answer nothing within 10 s"]


async def test_a_bot_that_is_late_now_and_then_is_no_flood() -> None:
    bench = Bench()
    for _ in range(5_000):
        bench.receive(5, after_ms=11)

    assert bench.session.floods == []


async def test_nonsense_is_the_answer_to_everything_that_is_pending() -> None:
    bench = Bench()
    ids = bench.ask(2)
    bench.line.receive_nonsense(FaultKind.MALFORMED, "no message", bench.now_ns + 4_000_000)

    assert bench.desk.failures == [(turn_id, FaultKind.MALFORMED, 2000) for turn_id in ids]
    assert bench.line.pending == {}


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("ended", (FaultKind.EXIT, "no answer, its process exited with code 3", 3)),
        ("away", (FaultKind.DISCONNECT, "no answer, the connection was lost", None)),
        ("blocked", (FaultKind.TIMEOUT, "no answer, the bot does not read its stream", None)),
        ("quiet", (FaultKind.TIMEOUT, "no answer in time", None)),
    ],
)
async def test_a_silence_has_its_reason(state: str, expected: tuple[FaultKind, str, int | None]) -> None:
    bench = Bench()
    if state == "ended":
        bench.line.end(3, "exited with code 3")
    elif state == "away":
        bench.line.detach(bench.session)  # type: ignore[arg-type]
    elif state == "blocked":
        bench.session.is_blocked = True

    assert bench.line.silence() == expected
