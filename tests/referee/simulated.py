"""A tournament without processes: bots that play by rule of thumb, and an executor that plays at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from referee.cli.results import publish_results
from referee.cli.tournament_folder import TournamentFolder
from referee.cli.tournament_host import Watch
from referee.config import TournamentConfig
from referee.executors.local import Outcome, Played
from referee.plan import Plan, plan_for, revealed_seed, salt_of, started
from referee.records import FaultKind, MatchRecord, MatchSpec, TurnKind
from referee.rules.cards import highest, lowest
from referee.rules.dealing import deal_cards, deal_seed
from referee.rules.ruleset import RuleSet
from referee.schedule.pairing import Entrant
from referee.store import Event, Store
from referee.table import Answer, Ask, Failure, MatchEnded, Table, Timing
from referee.tournament import Ending, Progress, Tournament

BOTS = ("amy", "bob", "cid", "dot", "eve", "fay")


def simulate(spec: MatchSpec, config: TournamentConfig, seed: bytes, salt: str) -> MatchRecord:
    """Play a match: bots play high or low by the length of the suit led, and `fay` is late now and then."""
    rules = config.rules
    table = Table(
        spec,
        rules,
        deal_cards=lambda n: deal_cards(rules, deal_seed(seed, salt, spec.board_set, spec.attempt, n)),
        turn_seeds=lambda _: lambda seat, index: 0,
        ruling=config.faults.ruling,
        faults_max=config.faults.faults_max,
    )
    step = table.open()
    while asks := table.pending():
        ask = asks[0]
        timing = Timing(elapsed_us=10 * ask.turn_number, allowed_us=6_000_000)
        if spec.bots[ask.seat] == "fay" and ask.turn_number % 41 == 0:
            step = table.fail(
                ask.seat, Failure(FaultKind.TIMEOUT, "too late"), replace(timing, elapsed_us=7_000_000)
            )
        else:
            step = table.answer(ask.seat, _decide(ask, rules, spec.bots[ask.seat]), timing)
    (ended,) = [event for event in step.events if isinstance(event, MatchEnded)]
    return MatchRecord(
        spec=spec,
        rules=rules.to_dict(),
        ruling=table.ruling,
        faults_max=table.faults_max,
        clock=config.clock,
        versions=tuple("1.0" for _ in spec.bots),
        content=tuple(f"{len(bot):064x}" for bot in spec.bots),
        deals=ended.deals,
        places=ended.places,
        totals=ended.totals,
        faults=ended.faults,
        started_at="2026-11-30T00:00:00+00:00",
        duration_ms=812,
        lag_us_max=150,
    )


def _decide(ask: Ask, rules: RuleSet, bot: str) -> Answer:
    match ask.kind:
        case TurnKind.PASS:
            return Answer(tuple(sorted(highest(ask.legal, rules.pass_count))))
        case TurnKind.PLAY:
            is_bold = (len(ask.legal) + ord(bot[0])) % 3 == 0
            return Answer((max(ask.legal) if is_bold else lowest(ask.legal),))
        case TurnKind.MOON:
            return Answer((), "subtract")


class SimulatedExecutor:
    """Plays what it is given when it is asked for outcomes, the last first, so that nothing may rest on order."""

    def __init__(self, config: TournamentConfig, seed: bytes, salt: str = "") -> None:
        self._config, self._seed, self._salt = config, seed, salt
        self.specs: list[MatchSpec] = []
        self.submitted: list[MatchSpec] = []
        self.on_outcome: Callable[[MatchSpec], Outcome | None] = lambda spec: None

    @property
    def in_flight(self) -> int:
        return len(self.specs)

    def submit(self, spec: MatchSpec) -> None:
        self.specs.append(spec)
        self.submitted.append(spec)

    async def outcomes(self) -> list[Outcome]:
        spec = self.specs.pop()
        return [self.on_outcome(spec) or Played(simulate(spec, self._config, self._seed, self._salt))]


class AnyOrder(SimulatedExecutor):
    """Has matches end in any order, and some at once."""

    def __init__(self, config: TournamentConfig, seed: bytes, *, chance: random.Random) -> None:
        super().__init__(config, seed)
        self._chance = chance

    async def outcomes(self) -> list[Outcome]:
        return [self._any() for _ in range(self._chance.randrange(1, len(self.specs) + 1))]

    def _any(self) -> Outcome:
        spec = self.specs.pop(self._chance.randrange(len(self.specs)))
        return Played(simulate(spec, self._config, self._seed, self._salt))


async def play_until(
    plan: Plan, store: Store, executor: SimulatedExecutor, watch: Watch, kill_at: int | None
) -> Ending | None:
    """Play until a watch ends it; None where it was killed, after so many matches."""

    def look(progress: Progress) -> None:
        if kill_at is not None and progress.played >= kill_at:
            raise KilledError
        if (seen := watch.look(progress.settled)).is_over:
            tournament.close(seen.end)

    tournament = Tournament(plan, store, executor, ahead=watch.ahead, on_stored=watch.take, on_progress=look)
    try:
        return await tournament.run()
    except KilledError:
        return None


class KilledError(Exception):
    pass


def ordered(**keys: object) -> TournamentConfig:
    """A configuration in which a match is one deal."""
    return TournamentConfig.from_dict(
        {"name": "Cup", "seed": 7, "rules": {"base": "american", "pass_cycle": [0]}, **keys}
    )


async def play_on(
    place: TournamentFolder,
    config: TournamentConfig,
    store: Store,
    *,
    stop_after: int | None = None,
    executor: SimulatedExecutor | None = None,
    bots: Sequence[str] = BOTS,
) -> Ending:
    """Go on with a tournament of simulated bots, from its store alone, and end it as a run does."""
    present = [(Entrant(name), False) for name in bots]
    if not store.events(kind="started"):
        store.add_event(started(present, "2026-11-30T00:00:00+00:00"))
    executor = executor or SimulatedExecutor(config, place.seed(), salt_of(config, store))

    def stop_in_time(progress: Progress) -> None:
        if stop_after is not None and progress.played >= stop_after:
            tournament.stop()

    tournament = Tournament(plan_for(config, store, present), store, executor, on_progress=stop_in_time)
    ending = await tournament.run()
    if ending is Ending.FINISHED and revealed_seed(store) is None:
        data = {"seed": place.seed().hex()}
        store.add_event(Event(at="2026-11-30T00:01:00+00:00", kind="finished", message="all is played", data=data))
    return ending


async def play_cup(folder: Path, config: TournamentConfig, *, bots: Sequence[str] = BOTS) -> TournamentFolder:
    """Play a tournament of simulated bots through and publish it."""
    place = TournamentFolder(folder)
    with place.create(config) as store:
        assert await play_on(place, config, store, bots=bots) is Ending.FINISHED
        publish_results(place, config, store)
    return place
