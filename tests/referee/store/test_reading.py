"""Finding one match among many by what a person types."""

from __future__ import annotations

from dataclasses import replace

from referee.store import Store
from tests.referee.cli.matches import play_match

KEYS = {3: "3a" * 12, 30: "3b" * 12, 31: "ff" * 12}


def filled(store: Store) -> Store:
    record = play_match(deals=1)
    specs = {number: replace(record.spec, key=key, number=number) for number, key in KEYS.items()}
    store.add_matches([replace(record, spec=spec) for spec in specs.values()])
    return store


def test_a_number_wins_over_keys_that_begin_like_it(store: Store) -> None:
    assert filled(store).matches_meant("3") == [(3, KEYS[3])]


def test_a_key_or_its_beginning_is_found(store: Store) -> None:
    assert filled(store).matches_meant(KEYS[30]) == [(30, KEYS[30])]
    assert store.matches_meant("3b3") == [(30, KEYS[30])]


def test_what_is_ambiguous_gives_two_and_what_is_unknown_none(store: Store) -> None:
    assert filled(store).matches_meant("") == [(3, KEYS[3]), (30, KEYS[30])]
    assert store.matches_meant("%") == []
    assert store.matches_meant("9" * 40) == []
