"""Plays anything legal at random. All chance comes from the turn's seed: asked again, it answers the same."""

from random import Random


def choose_pass(turn):
    return Random(turn.turn_seed).sample(list(turn.legal), turn.pass_count)


def choose_card(turn):
    return Random(turn.turn_seed).choice(turn.legal)


def choose_moon(turn):
    return Random(turn.turn_seed).choice([1, 2])  # MOON_CHOICE_ADD, MOON_CHOICE_SUBTRACT
