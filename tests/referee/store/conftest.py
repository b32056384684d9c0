"""Plausible records and an empty store, for every test of the store."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.record_json import record_digest
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
    TimeControl,
    TurnKind,
)
from referee.store import Store, TournamentMeta

MakeRecord = Callable[..., MatchRecord]
META = TournamentMeta(
    tournament="7d0c",
    name="cup",
    commitment="ab" * 32,
    config='name = "cup"\n',
    created_at="2026-01-01T00:00:00Z",
    software="0.1.0",
)
BOTS = ("ann", "bob", "cid", "dot")


def _deal(number: int, draw: random.Random, *, autopilot: tuple[bool, ...], decisions_max: int) -> DealRecord:
    pack = list(range(1, 53))
    draw.shuffle(pack)
    points = [0] * 4
    for _ in range(26):
        points[draw.randrange(4)] += 1
    return DealRecord(
        deal_number=number,
        dealer=(number - 1) % 4,
        pass_offset=(1, -1, 2, 0)[(number - 1) % 4],
        hands=tuple(tuple(sorted(pack[seat::4])) for seat in range(4)),
        widow=(),
        decisions=tuple(
            DecisionRecord(
                turn_number=1000 * number + index,
                seat=index % 4,
                kind=TurnKind.PLAY,
                cards=(card,),
                moon_choice=None,
                decided_by=DecidedBy.AUTOPILOT if autopilot[index % 4] else DecidedBy.BOT,
                elapsed_us=draw.randrange(50, 4000),
                note="",
            )
            for index, card in enumerate(pack[:decisions_max])
        ),
        winners=tuple(draw.randrange(4) for _ in range(13)),
        points=tuple(points),
        moon_seat=None,
        scores=tuple(points),
        totals=tuple(points),
        autopilot=autopilot,
    )


def build_record(
    number: int = 0,
    *,
    bots: tuple[str, ...] = BOTS,
    attempt: int = 0,
    deals: int = 2,
    to_target: bool = False,
    faults: tuple[Fault, ...] = (),
    autopilot: tuple[bool, ...] = (False,) * 4,
    decisions_max: int = 52,
) -> MatchRecord:
    """The match at a position of the schedule; four rotations make a board set."""
    draw = random.Random(number)
    played = tuple(
        _deal(index + 1, draw, autopilot=autopilot, decisions_max=decisions_max) for index in range(deals)
    )
    totals = tuple(sum(scores) for scores in zip(*(deal.scores for deal in played), strict=True))
    return MatchRecord(
        spec=MatchSpec(
            key=record_digest(f"{number}.{attempt}".encode())[:32],
            number=number,
            round_number=number // 8,
            board_set=number // 4,
            attempt=attempt,
            rotation=number % 4,
            bots=bots,
            deals=0 if to_target else deals,
        ),
        rules={"name": "american", "seats": 4, "target": 100},
        ruling=Ruling.SUBSTITUTE,
        faults_max=3,
        clock=TimeControl(),
        versions=("1", "2", "3", "4"),
        content=("aa", "bb", "cc", ""),
        deals=played,
        places=tuple(1 + sum(other < total for other in totals) for total in totals),
        totals=totals,
        faults=faults,
        started_at="2026-01-01T00:00:00Z",
        duration_ms=900 + number,
        lag_us_max=120,
    )


def build_fault(seat: int = 0, kind: FaultKind = FaultKind.TIMEOUT, blame: Blame = Blame.BOT) -> Fault:
    return Fault(
        kind=kind,
        blame=blame,
        seat=seat,
        deal_number=1,
        turn_number=8,
        turn_kind=TurnKind.PLAY,
        breach=None,
        message="no decision within 1000 ms\x00",  # PostgreSQL takes no NUL in a text
        ruling=Ruling.SUBSTITUTE,
        legal=(1, 2),
        answer=(),
        elapsed_us=5_000_000_000,
        allowed_us=1_000_000,
        lag_us=20,
        stderr_window=("bot\udce9.err", 3, 9),
    )


@pytest.fixture
def make_fault() -> Callable[..., Fault]:
    return build_fault


@pytest.fixture
def make_record() -> MakeRecord:
    return build_record


@pytest.fixture
def meta() -> TournamentMeta:
    return META


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cup.db"


@pytest.fixture
def backend() -> str:
    """The database of `store`; a module that runs on both parametrizes it."""
    return "sqlite"


@pytest.fixture
def place(backend: str, request: pytest.FixtureRequest) -> str | Path:
    found: str | Path = request.getfixturevalue("path" if backend == "sqlite" else "postgres_url")
    return found


@pytest.fixture
def store(place: str | Path) -> Iterator[Store]:
    with Store.create(place, META) as opened:
        yield opened
