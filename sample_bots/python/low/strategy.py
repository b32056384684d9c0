"""Always plays the lowest legal card, and passes the highest: the simplest bot that is not silly."""

from cards import by_rank, choose_moon  # noqa: F401


def choose_pass(turn):
    return sorted(turn.legal, key=by_rank)[-turn.pass_count :]


def choose_card(turn):
    return min(turn.legal, key=by_rank)
