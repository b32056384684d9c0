"""What a schedule draws from results: who goes into the next round, and in which order.

A draw is made once and kept in the store as an event. So a resumed tournament meets the rounds that it had begun,
whatever has been corrected since.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Literal, Protocol

from referee.records import BoardResult
from referee.schedule.pairing import Seating
from referee.store.model import Event
from referee.store.store import Store

Groups = Sequence[Sequence[str]]


class Draws(Protocol):
    """Where the rounds of a schedule that depends on results come from."""

    def drawn(self, stage: int) -> tuple[str, ...] | None:
        """Give who goes into a round, best first; None if that is not drawn yet."""
        ...

    def draw(
        self,
        stage: int,
        played: Sequence[Seating],
        groups: Groups,
        choose: Callable[[Groups], Sequence[str]],
        least: int,
    ) -> tuple[str, ...]:
        """Draw a round, when all tables in `played` are finished, and keep it.

        Args:
            stage: of the schedule, from 1.
            played: the tables whose results decide.
            groups: who is placed among whom, in the order that stands where results say nothing.
            choose: makes one order of the groups, each best first.
            least: how many are needed; bots that left the schedule go on only where the others are fewer.
        """
        ...


class AsTheyStand:
    """Draws by the order that stands where results say nothing: to count a schedule through before it is played."""

    def drawn(self, stage: int) -> tuple[str, ...] | None:  # noqa: ARG002  nothing is kept
        """Nothing is, before it is asked for."""
        return None

    def draw(
        self,
        stage: int,  # noqa: ARG002
        played: Sequence[Seating],  # noqa: ARG002
        groups: Groups,
        choose: Callable[[Groups], Sequence[str]],
        least: int,  # noqa: ARG002
    ) -> tuple[str, ...]:
        """Let everybody be placed as named."""
        return tuple(choose(groups))


class StoredDraws:
    """Draws from the results in a store, and keeps them there.

    Args:
        store: of the tournament; open for writing where anything is to be drawn.
        rank_by: what decides: `elo` the share of opponents left behind, board by board, `points` the mean points.
    """

    def __init__(self, store: Store, rank_by: Literal["elo", "points"]) -> None:
        self._store = store
        self._rank_by = rank_by

    def drawn(self, stage: int) -> tuple[str, ...] | None:
        """Look the round up."""
        for event in self._store.events(kind="drawn"):
            if event.data["stage"] == stage:
                ranked = event.data["ranked"]
                assert isinstance(ranked, list)
                return tuple(ranked)
        return None

    def draw(
        self,
        stage: int,
        played: Sequence[Seating],
        groups: Groups,
        choose: Callable[[Groups], Sequence[str]],
        least: int,
    ) -> tuple[str, ...]:
        """Draw the round from the results and keep it."""
        numbers = {seating.board_set for seating in played}
        of_rounds = [board for board in self._store.results() if int(board.deal_id.split(".")[0]) in numbers]
        gone = {str(event.data["bot"]) for event in self._store.events(kind="removed")}
        placed = [in_order(group, of_rounds, self._rank_by, gone) for group in groups]
        chosen = sorted(choose(placed), key=gone.__contains__)  # the order among the others stays
        ranked = tuple(chosen[: max(least, sum(name not in gone for name in chosen))])
        data = {"stage": stage, "ranked": list(ranked)}
        self._store.add_event(Event(at=now_utc(), kind="drawn", message=f"round {stage + 1} is drawn", data=data))
        return ranked


def in_order(
    names: Sequence[str], boards: Iterable[BoardResult], rank_by: str, gone: Iterable[str] = ()
) -> list[str]:
    """Order bots by results, best first; those that left come last, and equals keep the order they are given in."""
    loss: dict[str, list[float]] = defaultdict(list)
    for board in boards:
        for seat, bot in enumerate(board.bots):
            if rank_by == "points":
                loss[bot].append(board.points[seat])
            else:
                others = [place for other, place in enumerate(board.places) if other != seat]
                beaten = sum((place > board.places[seat]) + (place == board.places[seat]) / 2 for place in others)
                loss[bot].append(-beaten / len(others))
    field_mean = sum(map(sum, loss.values())) / max(1, sum(map(len, loss.values())))
    mean = {bot: sum(values) / len(values) for bot, values in loss.items()}
    absent = set(gone)
    return sorted(names, key=lambda name: (name in absent, mean.get(name, field_mean)))


def now_utc() -> str:
    """The wall clock in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
