# Ducks: plays the highest card that does not win, passes high cards, and is careful with the queen of spades.
# The same strategy is written in every language of the sample bots; proto/vectors/duck.json holds its decisions.

HEARTS = 2
SPADES = 3
QUEEN_OF_SPADES = 50
GUARDS_NEEDED = 4 # spades below the queen that make high spades safe to keep

# A card is a number: 1 to 13 are the clubs from two to ace, then diamonds, hearts, spades.
def numbers(cards) = cards.map { |card| Hearts::V1::Card.resolve(card) }
def suit(card) = (card - 1) / 13
def rank(card) = (card - 1) % 13 + 2

# Sort key: lowest rank first, then clubs, diamonds, hearts, spades.
def by_rank(card) = 4 * rank(card) + suit(card)

# Passes unguarded high spades, then what is highest, of equals the heart.
def choose_pass(turn)
  guards = numbers(turn.hand).count { |card| suit(card) == SPADES && card < QUEEN_OF_SPADES }
  numbers(turn.legal).sort_by { |card| [danger(card, guards), card] }.last(turn.pass_count)
end

def danger(card, guards)
  return card >= QUEEN_OF_SPADES && guards < GUARDS_NEEDED ? 20 + card : 0 if suit(card) == SPADES
  2 * rank(card) + (suit(card) == HEARTS ? 1 : 0)
end

def choose_card(turn)
  legal, played = numbers(turn.legal), numbers(turn.played)
  trick = played.last(played.size % turn.seats)
  queen_lurks = !played.include?(QUEEN_OF_SPADES) && !numbers(turn.hand).include?(QUEEN_OF_SPADES)
  return lead(legal, queen_lurks) if trick.empty?
  return follow(legal, trick, trick.size == turn.seats - 1) if suit(legal.first) == suit(trick.first)
  discard(legal, queen_lurks)
end

# Gives the moon to the others, unless that would end the match and this seat would not have won it alone.
def choose_moon(turn)
  others = turn.scores.to_a
  own = others.delete_at(turn.seat)
  others.map! { |total| total + turn.points[turn.seat] }
  others.max >= turn.target && others.min <= own ? :MOON_CHOICE_SUBTRACT : :MOON_CHOICE_ADD
end

# How badly a high spade may end: 2 is the queen herself, 1 what she can be played under.
def risk(card, queen_lurks)
  return 2 if card == QUEEN_OF_SPADES
  card > QUEEN_OF_SPADES && queen_lurks ? 1 : 0
end

def lead(legal, queen_lurks) = legal.min_by { |card| [risk(card, queen_lurks), by_rank(card)] }

# Stays below the best card so far, as high as can be; where that cannot be, keeps the queen back.
def follow(legal, trick, is_last)
  ranks = trick.select { |card| suit(card) == suit(trick.first) }.map { |card| rank(card) }
  best = ranks.select { |each| ranks.count(each) == 1 }.max || 0 # twins cancel each other
  safe = legal.select { |card| rank(card) < best || ranks.include?(rank(card)) }
  return QUEEN_OF_SPADES if safe.include?(QUEEN_OF_SPADES)
  return safe.max unless safe.empty?
  others = legal - [QUEEN_OF_SPADES]
  (is_last ? others.max : others.min) || QUEEN_OF_SPADES
end

def discard(legal, queen_lurks)
  legal.max_by { |card| [risk(card, queen_lurks), suit(card) == HEARTS ? 1 : 0, by_rank(card)] }
end
