"""The turn seeds of a recorded match, worked out again where the seed it was dealt from is at hand.

A record holds no turn seeds: they follow from the tournament's seed (docs/dealing.md, D1.6 and D1.7), which is
secret until the tournament is over. Whether a seed is the right one is seen from the hands that it deals.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from referee.cli.console import fail
from referee.cli.tournament_folder import TournamentFolder
from referee.config.tournament import TournamentConfig
from referee.plan import salt_of
from referee.records import MatchRecord
from referee.rules.dealing import deal_cards, deal_seed, integer_seed, turn_key, turn_seed
from referee.rules.ruleset import RuleSet
from referee.store import StoreError
from referee.store.export import ExportReader


@dataclass(frozen=True, slots=True)
class SeedAtHand:
    """A seed that a match was dealt from, with what was mixed into it."""

    seed: bytes
    salt: str

    def turn_seed(self, record: MatchRecord, deal_number: int, seat: int, index: int) -> int:
        """The seed of a turn, where `index` counts the turns of this seat in this deal from 0."""
        spec = record.spec
        return turn_seed(turn_key(self.seed, self.salt, spec.board_set, spec.attempt, deal_number), seat, index)

    def has_dealt(self, record: MatchRecord) -> bool:
        """Whether it gives the hands of the record's first deal."""
        spec, rules = record.spec, RuleSet.from_dict(record.rules)
        dealt = deal_cards(rules, deal_seed(self.seed, self.salt, spec.board_set, spec.attempt, 1))
        return dealt.hands == record.deals[0].hands


def seed_at_hand(source: Path, record: MatchRecord, given: str | None) -> SeedAtHand | None:
    """Return the seed that a match was dealt from; None where it is neither given nor with the records.

    Args:
        source: where the record is from: a tournament's folder, or a file of records.
        record: of the match.
        given: the value of --seed, a whole number or 64 hexadecimal digits.

    Raises:
        Failure: what is given is no seed, or not this match's.
    """
    if given is None:
        found = _in_folder(source) if source.is_dir() else _in_export(source)
        return found if found is not None and found.has_dealt(record) else None
    salt = _in_folder_salt(source) if source.is_dir() else ""
    found = SeedAtHand(_parsed(given), salt)
    if not found.has_dealt(record):
        fail(f"--seed {given}: deals other hands than those of this match: give the seed that it was played with")
    return found


def _in_folder(source: Path) -> SeedAtHand | None:
    place = TournamentFolder(source)
    if not place.seed_file.is_file():
        return None
    return SeedAtHand(place.seed(), _in_folder_salt(source))


def _in_folder_salt(source: Path) -> str:
    place = TournamentFolder(source)
    with place.read() as store:
        return salt_of(place.config(), store)


def _in_export(source: Path) -> SeedAtHand | None:
    """The public seed of an export; a secret one is not in it, nor a salt that was learned after the commitment."""
    try:
        with source.open("rb") as stream:
            raw = json.loads(ExportReader(stream, str(source)).meta.config)
    except (StoreError, ValueError, RecursionError):  # the record of one match, or an export of a repaired store
        return None
    config = TournamentConfig.from_dict(raw, where=str(source))
    return None if config.seed is None else SeedAtHand(integer_seed(config.seed), config.salt)


def _parsed(given: str) -> bytes:
    if given.isdecimal() and len(given) <= 20 and int(given) < 1 << 64:
        return integer_seed(int(given))
    try:
        seed = bytes.fromhex(given)
    except ValueError:
        seed = b""
    if len(seed) != 32:
        fail(f"--seed {given}: a whole number below 2^64 or 64 hexadecimal digits are expected")
    return seed
