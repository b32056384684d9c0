"""Shoots the moon when the hand promises it, and ducks otherwise."""

from cards import choose_moon  # noqa: F401  the wire loop asks this module for it
from duck import strategy as duck
from memory import Memory
from shooting import pass_for_moon, play_for_moon

LOSERS_MAX = 1  # cards that may lose a trick and the plan still stands


def choose_pass(turn):
    return pass_for_moon(turn, Memory(turn), LOSERS_MAX) or duck.choose_pass(turn)


def choose_card(turn):
    return play_for_moon(turn, Memory(turn), LOSERS_MAX) or duck.choose_card(turn)
