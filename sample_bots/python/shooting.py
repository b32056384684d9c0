"""The plan to shoot the moon, made afresh at every turn from what the turn shows.

It stands as long as nobody else has taken a point and few cards of the hand could lose a trick.
"""

from cards import HEARTS, SUIT, by_rank, running_trick

HEARTS_MIN = 3  # at the pass: fewer hearts are too easily taken by somebody else


def moon_pays(rules_name):
    """Whether a moon is worth anything; in two of the named rule sets it is not."""
    return not rules_name.startswith(("british", "black-maria-3"))


def losers(memory, cards):
    """The cards that would lose a trick if this seat led every suit from the top and the others kept their best."""
    lost = []
    for suit in range(4):
        out = list(memory.unseen[suit])
        for card in sorted((card for card in cards if SUIT[card] == suit), reverse=True):
            if out and out[-1] > card:
                lost.append(card)
                out.pop()
            else:
                out = out[len(memory.others) :]  # everybody follows with the lowest
    return lost


def pass_for_moon(turn, memory, losers_max):
    """The pass of a hand that keeps at most so many losers; None if the hand promises no moon."""
    hand = list(turn.hand)
    lost = losers(memory, hand)
    hearts = sum(SUIT[card] == HEARTS for card in hand)
    if len(lost) > turn.pass_count + losers_max or hearts < HEARTS_MIN:
        return None
    # Give the losers away, hearts first: a heart that loses a trick ends the plan.
    rest = sorted((card for card in hand if card not in lost), key=by_rank)
    lost.sort(key=lambda card: (SUIT[card] != HEARTS, by_rank(card)))
    return (lost + rest)[: turn.pass_count]


def play_for_moon(turn, memory, losers_max):
    """The card that goes on with the plan; None if it does not stand."""
    spoiled = any(points > 0 for seat, points in enumerate(turn.points) if seat != turn.seat)
    lost = losers(memory, turn.hand)
    if spoiled or len(lost) > losers_max:
        return None
    legal, trick = list(turn.legal), running_trick(turn)
    if not trick:
        return max(legal, key=lambda card: (card not in lost, by_rank(card)))
    if SUIT[legal[0]] != SUIT[trick[0]]:
        return min(legal, key=lambda card: (card not in lost, SUIT[card] == HEARTS, by_rank(card)))
    best = max(card for card in trick if SUIT[card] == SUIT[trick[0]])
    winners = [card for card in legal if card > best]
    if not winners:
        return min(legal)
    return min(winners) if len(trick) == turn.seats - 1 else max(winners)
