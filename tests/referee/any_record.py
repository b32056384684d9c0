"""Records as they may be, for properties that hold for all; and one to change, for the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from referee.records import (
    Blame,
    DealRecord,
    DecidedBy,
    DecisionRecord,
    Fault,
    FaultKind,
    MatchRecord,
    MatchSpec,
    Ruling,
    Stray,
    StrayKind,
    TimeControl,
    TurnKind,
)

counts = st.integers(0, 2**40)
small = st.integers(-200, 200)
cards = st.lists(st.integers(1, 52), max_size=13).map(tuple)
texts = st.text(max_size=12)
numbers = st.one_of(st.integers(-(2**31), 2**32), st.integers(1, 52))


def each(seats: int, values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, min_size=seats, max_size=seats).map(tuple)


def faults(seats: int) -> st.SearchStrategy[Fault]:
    return st.builds(
        Fault,
        kind=st.sampled_from(FaultKind),
        blame=st.sampled_from(Blame),
        seat=st.integers(0, seats - 1),
        deal_number=st.integers(1, 9),
        turn_number=counts,
        turn_kind=st.none() | st.sampled_from(TurnKind),
        breach=st.none() | texts,
        message=texts,
        ruling=st.none() | st.sampled_from(Ruling),
        legal=cards,
        answer=st.lists(numbers, max_size=4).map(tuple),
        elapsed_us=counts,
        allowed_us=counts,
        lag_us=counts,
        exit_code=st.none() | small,
        stderr_window=st.none() | st.tuples(texts, counts, counts),
    )


def strays(seats: int) -> st.SearchStrategy[Stray]:
    return st.builds(Stray, seat=st.integers(0, seats - 1), kind=st.sampled_from(StrayKind), count=counts)


def decisions(seats: int) -> st.SearchStrategy[DecisionRecord]:
    return st.builds(
        DecisionRecord,
        turn_number=counts,
        seat=st.integers(0, seats - 1),
        kind=st.sampled_from(TurnKind),
        cards=cards,
        moon_choice=st.none() | st.sampled_from(["add", "subtract"]),
        decided_by=st.sampled_from(DecidedBy),
        elapsed_us=counts,
        note=texts,
    )


def deals(seats: int) -> st.SearchStrategy[DealRecord]:
    return st.builds(
        DealRecord,
        deal_number=st.integers(1, 9),
        dealer=st.integers(0, seats - 1),
        pass_offset=st.integers(-1, 2),
        hands=each(seats, cards),
        widow=cards,
        decisions=st.lists(decisions(seats), max_size=2).map(tuple),
        winners=st.lists(st.none() | st.integers(0, 5), max_size=13).map(tuple),
        points=each(seats, small),
        moon_seat=st.none() | st.integers(0, 5),
        scores=each(seats, small),
        totals=each(seats, small),
        autopilot=each(seats, st.booleans()),
        revoked_seat=st.none() | st.integers(0, 5),
    )


@st.composite
def records(draw: st.DrawFn) -> MatchRecord:
    seats = draw(st.integers(3, 6))
    spec = st.builds(
        MatchSpec,
        key=texts,
        number=counts,
        round_number=counts,
        board_set=counts,
        attempt=st.integers(0, 9),
        rotation=st.integers(0, 5),
        bots=each(seats, texts),
        deals=st.integers(0, 4),
    )
    rules = st.dictionaries(texts, st.none() | st.booleans() | small | texts | st.lists(small), max_size=3)
    return draw(
        st.builds(
            MatchRecord,
            spec=spec,
            rules=rules,
            ruling=st.sampled_from(Ruling),
            faults_max=st.integers(0, 9),
            clock=st.builds(TimeControl, turn_ms=counts, bank_ms=counts),
            versions=each(seats, texts),
            content=each(seats, texts),
            deals=st.lists(deals(seats), min_size=1, max_size=2).map(tuple),
            places=each(seats, st.integers(1, 6)),
            totals=each(seats, small),
            faults=st.lists(faults(seats), max_size=2).map(tuple),
            started_at=texts,
            duration_ms=counts,
            lag_us_max=counts,
            strays=st.lists(strays(seats), max_size=2).map(tuple),
        )
    )


def deal(number: int = 1, scores: tuple[int, ...] = (0, 7, 13, 6), **changes: Any) -> DealRecord:
    plain = DealRecord(
        deal_number=number,
        dealer=(number - 1) % 4,
        pass_offset=1,
        hands=((1, 2), (14, 15), (27, 28), (50, 51)),
        widow=(),
        decisions=(
            DecisionRecord(
                turn_number=71,
                seat=0,
                kind=TurnKind.PLAY,
                cards=(50,),
                moon_choice=None,
                decided_by=DecidedBy.BOT,
                elapsed_us=140,
                note="längste Farbe",
            ),
        ),
        winners=(2,),
        points=scores,
        moon_seat=None,
        scores=scores,
        totals=scores,
        autopilot=(False,) * 4,
    )
    return replace(plain, **changes)


def fault(**changes: Any) -> Fault:
    plain = Fault(
        kind=FaultKind.BREACH,
        blame=Blame.BOT,
        seat=1,
        deal_number=1,
        turn_number=72,
        turn_kind=TurnKind.PLAY,
        breach="must_follow_suit",
        message="you hold clubs: 2C",
        ruling=Ruling.SUBSTITUTE,
        legal=(1,),
        answer=(50, 99, 0),
        elapsed_us=900,
        allowed_us=1_000_000,
        lag_us=3,
        exit_code=None,
        stderr_window=("duck.err", 0, 812),
    )
    return replace(plain, **changes)


def match(**changes: Any) -> MatchRecord:
    plain = MatchRecord(
        spec=MatchSpec(
            key="5f1c",
            number=6,
            round_number=2,
            board_set=3,
            attempt=1,
            rotation=2,
            bots=("ann", "bob", "cid", "dot"),
            deals=2,
        ),
        rules={"name": "american", "seats": 4, "pass_cycle": [1, -1, 2, 0], "target": 100},
        ruling=Ruling.SUBSTITUTE,
        faults_max=3,
        clock=TimeControl(),
        versions=("1", "1", "2", ""),
        content=("a0", "a0", "b1", ""),
        deals=(deal(1), deal(2, (5, 5, 3, 13))),
        places=(1, 2, 3, 4),
        totals=(5, 12, 16, 19),
        faults=(fault(),),
        started_at="2026-01-01T00:00:00Z",
        duration_ms=812,
        lag_us_max=350,
    )
    return replace(plain, **changes)
