"""From a configuration and those who were admitted to the plan of a tournament."""

from __future__ import annotations

from collections.abc import Sequence

from referee.cli.admission import Candidate
from referee.config.tournament import TournamentConfig
from referee.schedule.pairing import Entrant
from referee.store.store import Store
from referee.tournament import DuelPlan, Plan


def plan_for(config: TournamentConfig, store: Store, present: Sequence[Candidate], *, workers: int = 1) -> Plan:
    """Say what is to be played.

    Args:
        config: the tournament's.
        store: its store, which knows its identity.
        present: who was admitted, house bots included.
        workers: worker processes; each has `config.tables` matches under way.
    """
    kind = DuelPlan if config.schedule == "duel" else Plan
    return kind(
        tournament=store.tournament.tournament,
        entrants=[Entrant(c.name, c.owner, c.is_house) for c in present],
        remote=frozenset(c.name for c in present if c.is_remote),
        seats=config.rules.seats,
        deals=config.deals,
        cycles=config.cycles,
        board_sets=config.board_sets,
        in_flight_max=config.tables * workers,
    )
