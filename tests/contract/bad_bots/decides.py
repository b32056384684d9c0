"""Bots whose decisions are wrong, late or not asked for: `python decides.py HOW`."""

import random
import sys
import time

from bot import TURN_KIND_PASS, TURN_KIND_PLAY, Decision, honest, play

how = sys.argv[1]
held = []
used = set()  # matches in which it has done its one misdeed: a match may be void through no doing of its own


def first_time(turn):
    is_first = turn.match_id not in used
    used.add(turn.match_id)
    return is_first


def suit(card):
    return (card - 1) // 13


def wrong_card(turn):
    """A card against the rule named, or None where the turn gives no occasion."""
    held = [card for card in turn.hand if card not in turn.legal]
    in_trick = len(turn.played) % turn.seats
    is_first = len(turn.played) < turn.seats
    follows = in_trick and suit(turn.legal[0]) == suit(turn.played[-in_trick])
    if how == "CARD_NOT_HELD":
        return next(card for card in range(1, 53) if card not in turn.hand)
    if how == "MUST_FOLLOW_SUIT" and follows and held:
        return held[0]
    if how == "MUST_LEAD_LOWEST_CLUB" and not turn.played:
        return held[0]
    if how == "NO_POINTS_ON_FIRST_TRICK" and is_first and in_trick and not follows and held:
        return held[0]
    if how == "HEARTS_NOT_BROKEN" and not in_trick and turn.played and held:
        return held[0]
    return None


def act(stream, turn):
    decision = honest(turn)
    is_play, is_pass = turn.kind == TURN_KIND_PLAY, turn.kind == TURN_KIND_PASS
    if how == "late-always":
        time.sleep(3.5)  # the misdeed itself, by a process that the referee times
    elif {"late-once": is_play, "late-on-the-pass": is_pass}.get(how) and first_time(turn):
        stream.await_fault()  # no time is long enough to be late on a busy machine, whose lag nobody is charged for
    elif how == "silent":
        return
    elif how == "another-tables-turn" and len(held) < 2:
        held.append(decision)
        if len(held) == 2:  # one turn of each of its two tables
            held[0].turn_id, held[1].turn_id = held[1].turn_id, held[0].turn_id
            stream.decide(*held)
        return
    elif how == "wrong-turn-id":
        decision.turn_id = decision.turn_id % (2**32 - 1) + 1
    elif how == "random-turn-id":
        decision.turn_id = random.randrange(1, 2**32)
    elif how == "twice":
        stream.decide(decision, decision)
    elif how == "before-being-asked":
        stream.decide(*(Decision(turn_id=(turn.turn_id + n) % 2**32, cards=[1]) for n in range(1, 4)))
    elif how == "two-cards" and is_play:
        decision.cards.append(decision.cards[0])
    elif how == "four-cards" and is_pass:
        decision.cards[:] = turn.legal[:4]
    elif how == "same-card-thrice" and is_pass:
        decision.cards[:] = turn.legal[:1] * 3
    elif how == "unknown-card":
        decision.cards[:] = [77]
    elif how == "moon-choice" and is_play:
        decision.moon_choice = 1
    elif how == "empty":
        decision.cards[:] = []
    elif how == "long-note":
        decision.note = "é" * 5_000
    elif how.isupper() and is_play and (card := wrong_card(turn)) and first_time(turn):
        decision.cards[:] = [card]
    stream.decide(decision)


play(act)
