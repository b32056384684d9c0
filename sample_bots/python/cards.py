"""Words for cards. A card is a number: 1 to 13 are the clubs from two to ace, then diamonds, hearts, spades."""

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
JACK_OF_DIAMONDS, QUEEN_OF_SPADES, KING_OF_SPADES, ACE_OF_SPADES = 23, 50, 51, 52
MOON_CHOICE_ADD, MOON_CHOICE_SUBTRACT = 1, 2

SUIT = [None] + [card // 13 for card in range(52)]
RANK = [None] + [card % 13 + 2 for card in range(52)]  # 11 jack, 12 queen, 13 king, 14 ace


def by_rank(card):
    """Sort key: lowest rank first, then clubs, diamonds, hearts, spades."""
    return RANK[card], SUIT[card]


def running_trick(turn):
    """The cards of the trick that is being played, in order; none if this seat leads."""
    played = turn.played
    return list(played[len(played) - len(played) % turn.seats :])


def choose_moon(turn):
    """Give the moon to the others, unless that would end the match and this seat would not have won it alone."""
    others = [total + turn.points[turn.seat] for seat, total in enumerate(turn.scores) if seat != turn.seat]
    if max(others) >= turn.target and min(others) <= turn.scores[turn.seat]:
        return MOON_CHOICE_SUBTRACT
    return MOON_CHOICE_ADD
