"""What a tournament is to play: its identity, and from its configuration and its store to the matches."""

from __future__ import annotations

import hashlib
import json

from referee.config import TournamentConfig
from referee.rules import dealing
from referee.store import Store


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
