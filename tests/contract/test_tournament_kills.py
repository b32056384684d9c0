"""Kill a tournament's processes at random moments, resume it, and find the results of an undisturbed run."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from tests.contract.killing import Run, Victim, play_to_the_end, tournament_file
from tests.contract.untimed import assert_same

KILLS = int(os.environ.get("HEARTS_TOURNAMENT_KILLS", "20"))  # `make soak` sets 200
BOARD_SETS = 10
PAUSE_S_MAX = 1.5  # between two kills, and from the start of a process to its end while it starts
COMMIT = "in a commit"


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nobody disturbs."""
    folder = tmp_path_factory.mktemp("quiet")
    play_to_the_end(folder, "run", str(tournament_file(folder, BOARD_SETS)), "--workers", "2")
    return folder / "cup"


@dataclass
class Killer:
    """Plays tournaments one after the other and kills their processes, until it has killed enough."""

    root: Path
    store: Callable[[], str | None]  # the URL for a new tournament
    chance: random.Random
    kills: int
    done: Counter[str] = field(default_factory=Counter)
    played: list[Path] = field(default_factory=list)
    forced: list[tuple[str, Victim]] = field(default_factory=list)  # moments and victims to begin with

    @property
    def is_done(self) -> bool:
        return self.done.total() >= self.kills

    def play(self) -> None:
        """Play one tournament to its end; what is left to kill is killed in it."""
        folder = self.root / f"disturbed-{len(self.played)}"
        folder.mkdir()
        tournament_file(folder, BOARD_SETS)
        url = self.store()
        is_over = False
        while not is_over:
            with Run(folder, url) as run:
                self.kill_in(run)
                is_over = not run.is_killed
        self.played.append(folder / "cup")

    def kill_in(self, run: Run) -> None:
        """Kill in one run until its coordinator is dead, or leave it to its own end."""
        if not self.is_done and not self.forced and self.chance.random() < 1 / 3:
            victim = self.chance.choice(list(Victim))
            run.wait_for(lambda: bool(run.living(victim)))
            self.wait(run)
            self.kill(run, "at the start", victim)
        while not self.is_done and not run.is_killed and not run.is_over:
            run.wait_for(partial(has_gone_on, run, run.watch.matches()))
            moment, victim = self.forced.pop() if self.forced else self.drawn()
            if moment == COMMIT:
                run.wait_for(run.watch.begins(), look_s=0)
            else:
                self.wait(run)
            self.kill(run, moment, victim)
        if not run.is_killed:
            run.wait_for(lambda: False)

    def drawn(self) -> tuple[str, Victim]:
        if self.chance.random() < 1 / 3:
            return COMMIT, Victim.COORDINATOR
        return "at play", self.chance.choice(list(Victim))

    def kill(self, run: Run, moment: str, victim: Victim) -> None:
        if run.kill(victim, self.chance.choice):
            self.done[f"{victim} {moment}{' of a resumed run' if run.is_resumed else ''}"] += 1

    def wait(self, run: Run) -> None:
        """Let some time go by: the moment is what is random here."""
        run.sleep(self.chance.uniform(0.0, PAUSE_S_MAX))


def has_gone_on(run: Run, before: int) -> bool:
    return run.watch.matches() > before


def voids_in(folder: Path) -> list[str]:
    """Why board sets were dealt anew: never for a kill, but where the machine stood still for a second."""
    with TournamentFolder(folder).read() as store:
        return [attempt.reason for attempt in store.attempts()]


def disturb(killer: Killer, quiet: Path) -> None:
    """Kill and compare. A tournament in which the machine stood still has other deals, and is verified only."""
    assert not voids_in(quiet), "the machine is too busy for this test"
    compared = 0
    while not killer.is_done or not compared:
        killer.play()
        folder = killer.played[-1]
        verified = CliRunner().invoke(app, ["verify", str(folder)])
        assert verified.exit_code == 0, verified.stdout
        reasons = voids_in(folder)
        assert [reason for reason in reasons if not reason.startswith("the referee stood still for ")] == []
        if reasons:
            print(f"{folder.parent.name}: not compared, since {reasons[0]}")
        else:
            assert_same(folder, quiet)
            compared += 1
            print(f"{killer.done.total()} kills, equal", flush=True)
    print(f"{killer.done.total()} kills, {compared} of {len(killer.played)} tournaments compared:")
    print("\n".join(f"  {count} times {what}" for what, count in sorted(killer.done.items())))


def seeded() -> random.Random:
    seed = os.environ.get("HEARTS_KILL_SEED") or str(random.SystemRandom().randrange(10**6))
    print(f"seed {seed}: HEARTS_KILL_SEED={seed} chooses the same again, but for what chance itself does")
    return random.Random(seed)


@pytest.mark.kills
@pytest.mark.timeout(300)
def test_a_tournament_killed_three_times_ends_as_if_it_never_was(tmp_path: Path, quiet: Path) -> None:
    forced = [(COMMIT, Victim.COORDINATOR), ("at play", Victim.WORKER), ("at play", Victim.BOT)]
    disturb(Killer(tmp_path, lambda: None, seeded(), kills=3, forced=forced), quiet)


@pytest.mark.kills
@pytest.mark.timeout(120 + 30 * KILLS)
def test_tournaments_in_a_file_killed_at_random_end_as_if_they_never_were(tmp_path: Path, quiet: Path) -> None:
    disturb(Killer(tmp_path, lambda: None, seeded(), KILLS), quiet)


@pytest.mark.kills
@pytest.mark.timeout(120 + 30 * KILLS)
def test_tournaments_in_postgresql_killed_at_random_end_as_if_they_never_were(
    tmp_path: Path, quiet: Path, new_postgres_database: Callable[[], str]
) -> None:
    disturb(Killer(tmp_path, new_postgres_database, seeded(), KILLS), quiet)
