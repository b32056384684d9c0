"""What a tournament is to play: from its configuration, its entrants and its store to the matches."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from referee.config import TournamentConfig
from referee.draws import Draws, StoredDraws
from referee.field import FieldChange, Origin, changes_of, field_after
from referee.records import MatchSpec
from referee.rules import dealing
from referee.schedule.duel import duel
from referee.schedule.gauntlet import gauntlet
from referee.schedule.knockout import KnockoutRound, knockout_round, knockout_seatings
from referee.schedule.pairing import Entrant, ScheduleError, Seating, field_of, match_key, matches_at_most, spec_of
from referee.schedule.round_robin import round_robin
from referee.schedule.swiss import swiss_round
from referee.store.model import Event
from referee.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A round robin, and what all plans share.

    Args:
        tournament: identity; match keys and the order of the schedule follow from it.
        entrants: who was admitted at the start, house bots included.
        remote: names of the bots that dial in: their tables are played once, not in every rotation.
        seats: of one table.
        deals: of one match; 0 to the target.
        cycles: of the schedule; None for as many as `board_sets` needs.
        board_sets: how many tables of the schedule to play; None for whole cycles.
        in_flight_max: matches under way at once.
        owners_apart: seat bots of one owner together only where there is no other way.
        changes: of the field since the start, in order; of a round robin alone.
    """

    tournament: str
    entrants: Sequence[Entrant]
    remote: frozenset[str]
    seats: int
    deals: int
    cycles: int | None
    board_sets: int | None
    in_flight_max: int
    owners_apart: bool = False
    changes: Sequence[FieldChange] = ()

    def seatings(self) -> Iterator[Seating | None]:
        """Walk the schedule, lazily. None stands where the next round waits for the results of those before.

        Whoever walks goes on from there once everything before is finished, or stops.
        """
        return itertools.islice(self._round_robin(), self.board_sets)

    def _round_robin(self) -> Iterator[Seating]:
        """Walk the schedule of each field up to the round in which the next one takes over."""
        played: list[Seating] = []
        for number, change in enumerate([*self.changes, None]):
            seatings = round_robin(
                field_after(self.entrants, self.changes[:number]),
                self.seats,
                self.tournament,
                self.cycles,
                played=tuple(played),
                owners_apart=self.owners_apart,
            )
            if change is None:
                yield from seatings
                return
            for seating in seatings:
                if seating.board_set >= change.board_set:
                    break
                played.append(seating)
                yield seating

    def rotations(self, seating: Seating) -> Sequence[int]:
        """In which rotations a table is played: in each, or in one where a bot would see the deals again."""
        return range(1 if self.remote.intersection(seating.bots) else self.seats)

    def matches_total(self) -> int:
        """Count all matches of the schedule; of rounds that are not drawn yet, as many as there can be."""
        return sum(len(self.rotations(seating)) for seating in self.drawn_seatings())

    def drawn_seatings(self) -> Iterator[Seating]:
        """Walk the schedule as far as it is known."""
        for seating in self.seatings():
            if seating is None:
                return
            yield seating

    def board_set(self, seating: Seating, attempt: int, first_number: int) -> Iterator[MatchSpec]:
        """Walk the matches that a table stands for."""
        for place, rotation in enumerate(self.rotations(seating)):
            yield spec_of(self.tournament, seating, rotation, self.deals, attempt, first_number + place)

    def board_set_of(self, spec: MatchSpec, attempt: int) -> list[MatchSpec]:
        """Give the matches of one attempt at the board set that a match belongs to, in schedule order."""
        seating = Seating(spec.round_number, spec.board_set, unrotated(spec))
        first = spec.number - list(self.rotations(seating)).index(spec.rotation)
        return list(self.board_set(seating, attempt, first))

    def specs(self, attempts: Mapping[int, int]) -> Iterator[MatchSpec | None]:
        """Walk all matches in schedule order, lazily; None as in `seatings`.

        Args:
            attempts: the attempt that each board set has come to; 0 where it says nothing.
        """
        number = 0
        for seating in self.seatings():
            if seating is None:
                yield None
                continue
            yield from self.board_set(seating, attempts.get(seating.board_set, 0), number)
            number += len(self.rotations(seating))

    def drawn_specs(self, attempts: Mapping[int, int]) -> Iterator[MatchSpec]:
        """Walk the matches in schedule order as far as they are known."""
        for spec in self.specs(attempts):
            if spec is None:
                return
            yield spec


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelPlan(Plan):
    """A duel: the first entrant against the second, in the company of the others, if there are any."""

    def seatings(self) -> Iterator[Seating | None]:
        """Walk the schedule, lazily; a cycle is one board set."""
        names = [entrant.name for entrant in self.entrants]
        if len(names) < 2:
            raise ScheduleError(f"duel: {names} is no pair: enter two bots.")
        first, second, *company = names
        return iter(duel(first, second, self.seats, self.board_sets or self.cycles, company))

    def rotations(self, seating: Seating) -> Sequence[int]:
        """As seated, and with the seats of the two exchanged."""
        return 0, len(seating.bots) // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class GauntletPlan(Plan):
    """Challengers against the field of all others."""

    challengers: frozenset[str]

    def seatings(self) -> Iterator[Seating | None]:
        """Walk the schedule, lazily."""
        sides = (
            [e for e in self.entrants if e.name in self.challengers],
            [e for e in self.entrants if e.name not in self.challengers],
        )
        return itertools.islice(gauntlet(*sides, self.seats, self.tournament, self.cycles), self.board_sets)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwissPlan(Plan):
    """Rounds in which bots of about equal standing meet.

    Args:
        rounds: how many.
        draws: who goes into each, drawn from the results before it.
    """

    rounds: int
    draws: Draws

    def seatings(self) -> Iterator[Seating | None]:
        """Walk the schedule as far as it is drawn, then one None, then the next round, and so on."""
        by_name = {entrant.name: entrant for entrant in field_of(self.entrants, self.seats)}
        played: list[Seating] = []
        ranked: Sequence[str] | None = tuple(by_name)
        for number in range(self.rounds):
            if number and (ranked := self.draws.drawn(number)) is None:
                yield None
                ranked = self.draws.draw(number, played, (list(by_name),), lambda placed: placed[0], self.seats)
            tables = swiss_round(
                [by_name[name] for name in ranked or ()],
                self.seats,
                self.tournament,
                (ranked or ()) if number else (),
                played,
                owners_apart=self.owners_apart,
            )
            yield from tables
            played += tables

    def matches_total(self) -> int:
        """Count the rounds that are drawn, and as many tables for each that is not."""
        drawn = list(self.drawn_seatings())
        rounds = len({seating.round_number for seating in drawn})
        names = [entrant.name for entrant in field_of(self.entrants, self.seats)]
        known = sum(len(self.rotations(seating)) for seating in drawn)
        remote = len(self.remote.intersection(names))
        return known + (self.rounds - rounds) * matches_at_most(len(names), remote, self.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutPlan(Plan):
    """Groups of one table each, of which the best go on, until one group is left.

    Args:
        advance: how many of each group go on.
        group_board_sets: how many board sets each group plays.
        draws: who goes into each round, drawn from the results of the one before.
    """

    draws: Draws
    advance: int
    group_board_sets: int

    def seatings(self) -> Iterator[Seating | None]:
        """Walk the schedule as far as it is drawn, then one None, then the next round, and so on."""
        ranked: Sequence[str] | None = [entrant.name for entrant in field_of(self.entrants, self.seats)]
        stage, tables = 0, 0
        last: list[Seating] = []
        drawn: KnockoutRound | None = None
        while drawn is None or not drawn.is_final:
            if drawn is not None and (ranked := self.draws.drawn(stage)) is None:
                yield None
                ranked = self.draws.draw(stage, last, drawn.groups, drawn.survivors, self.seats)
            drawn = knockout_round(ranked or (), self.seats, self.advance)
            first_round = stage * self.group_board_sets
            seatings = knockout_seatings(
                drawn, f"{self.tournament} {stage}", self.group_board_sets, first_round, tables
            )
            last = list(seatings)
            yield from last
            tables += len(last)
            stage += 1

    def matches_total(self) -> int:
        """Count the rounds that are drawn, and play the others through as they stand: only their sizes count."""
        known = list(self.drawn_seatings())
        total = sum(len(self.rotations(seating)) for seating in known)
        stages = len({seating.round_number for seating in known}) // self.group_board_sets
        named: Sequence[str] = [entrant.name for entrant in field_of(self.entrants, self.seats)]
        ranked, stage = named, 0
        while True:
            drawn = knockout_round(ranked, self.seats, self.advance)
            if stage >= stages:
                remote = len(self.remote.intersection(named)) - (len(named) - len(ranked))
                total += self.group_board_sets * matches_at_most(len(ranked), remote, self.seats)
            if drawn.is_final:
                return total
            stage += 1
            ranked = self.draws.drawn(stage) or drawn.survivors(drawn.groups)
            named = self.draws.drawn(stage) or named  # the last of whom it is known who they are


def plan_for(
    config: TournamentConfig, store: Store, present: Sequence[tuple[Entrant, bool]], *, workers: int = 1
) -> Plan:
    """Say what is to be played.

    Args:
        config: the tournament's.
        store: its store, which knows its identity and what was drawn; what is drawn now is written there.
        present: who was admitted, house bots included, and whether it dials in.
        workers: worker processes; each has `config.tables` matches under way.
    """
    draws = StoredDraws(store, config.rank_by)
    return planned_for(
        config, store.tournament.tournament, present, draws, changes=changes_of(store), workers=workers
    )


def planned_for(
    config: TournamentConfig,
    tournament: str,
    present: Sequence[tuple[Entrant, bool]],
    draws: Draws,
    *,
    changes: Sequence[FieldChange] = (),
    workers: int = 1,
) -> Plan:
    """The same for a tournament that has no store yet, with draws of another kind."""
    entrants = [entrant for entrant, _ in present]
    remote = frozenset(entrant.name for entrant, is_remote in present if is_remote)
    remote |= {change.entered.name for change in changes if change.entered is not None and change.is_remote}
    common: dict[str, Any] = {
        "tournament": tournament,
        "entrants": entrants,
        "remote": remote,
        "seats": config.rules.seats,
        "deals": config.deals,
        "cycles": config.cycles,
        "board_sets": config.board_sets,
        "in_flight_max": config.tables * workers,
        "owners_apart": config.owners_apart,
    }
    match config.schedule:
        case "duel":
            if remote:
                raise ScheduleError(
                    f"duel: {min(remote)!r} is remote, but copies of it are needed: give its folder."
                )
            return DuelPlan(**common)
        case "gauntlet":
            return GauntletPlan(**common, challengers=frozenset(config.challengers))
        case "swiss":
            return SwissPlan(**common, draws=draws, rounds=config.rounds)
        case "knockout":
            return KnockoutPlan(
                **common, draws=draws, advance=config.advance, group_board_sets=config.group_board_sets
            )
        case _:
            return Plan(**common, changes=changes)


def plan_of(config: TournamentConfig, store: Store) -> Plan | None:
    """Give what is to be played, from the store alone; None before the bots are admitted."""
    began = store.events(kind="started")
    if not began:
        return None
    return plan_for(config, store, admitted_in(began[0]))


def progress_of(plan: Plan, store: Store) -> tuple[int, int]:
    """Count the matches that are finished and stand, and all that are to be."""
    attempts = attempts_of(store)
    if not attempts:
        return store.finished_count(), plan.matches_total()
    voided = store.finished_count_before(attempts)
    return store.finished_count() - voided, plan.matches_total()


def planned(plan: Plan, attempts: Mapping[int, int]) -> Iterator[MatchSpec]:
    """Walk all matches that may be in the store: those of the schedule, and of the attempts that were voided."""
    for spec in plan.drawn_specs(attempts):
        yield spec
        for attempt in range(spec.attempt):
            yield replace(
                spec, attempt=attempt, key=match_key(plan.tournament, spec.board_set, attempt, spec.rotation)
            )


def started(present: Sequence[tuple[Entrant, bool]], at: str, origins: Mapping[str, Origin] | None = None) -> Event:
    """The event of a tournament that begins: who was admitted, and where they come from as far as is known."""
    names = [entrant.name for entrant, _ in present]
    admitted = [
        {"name": e.name, "owner": e.owner, "is_house": e.is_house, "is_remote": is_remote}
        | asdict((origins or {}).get(e.name, Origin()))
        for e, is_remote in present
    ]
    data = {"entrants": names, "admitted": admitted}
    return Event(at=at, kind="started", message=f"{len(names)} bots play", data=data)


def admitted_in(event: Event) -> list[tuple[Entrant, bool]]:
    """Who was admitted, and whether it dials in: what `started` wrote."""
    admitted: Any = event.data["admitted"]
    return [(Entrant(e["name"], e["owner"], e["is_house"]), e["is_remote"]) for e in admitted]


def attempts_of(store: Store) -> dict[int, int]:
    """The attempt that each board set has come to: one more than its last void."""
    attempts: dict[int, int] = {}
    for attempt in store.attempts():
        if attempt.whole_board_set:
            attempts[attempt.board_set] = max(attempts.get(attempt.board_set, 0), attempt.attempt + 1)
    return attempts


def unrotated(spec: MatchSpec) -> tuple[str, ...]:
    """The table of a match as the schedule seated it."""
    seats = len(spec.bots)
    return tuple(spec.bots[(seat + spec.rotation) % seats] for seat in range(seats))


def tournament_id(config: TournamentConfig, seed: bytes) -> str:
    """Name a tournament by what fixes its results: name, rules, kind of match and the commitment to its deals."""
    parts = [config.name, config.rules.digest(), config.match, config.schedule, dealing.commitment(seed)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def salt_of(config: TournamentConfig, store: Store) -> str:
    """The salt of the deals: the one that was learned after the commitment, else the configured one."""
    learned = store.events(kind="salt")
    return str(learned[-1].data["salt"]) if learned else config.salt


def revealed_seed(store: Store) -> bytes | None:
    """The tournament's seed, once it was revealed.

    Raises:
        ValueError: the event that reveals it is damaged.
    """
    for kind in ("finished", "closed"):
        for event in store.events(kind=kind):
            return bytes.fromhex(str(event.data["seed"]))
    return None
