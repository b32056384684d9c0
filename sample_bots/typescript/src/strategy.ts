// Ducks: plays the highest card that does not win, passes high cards, and is careful with the queen of spades.
// The same strategy is written in every language of the sample bots; proto/vectors/duck.json holds its decisions.

/** What this strategy reads of a turn; every field is described in proto/hearts/v1/table.proto. */
export interface Turn {
  turn_id: number;
  kind: number;
  seat: number;
  seats: number;
  target: number;
  hand: number[];
  legal: number[];
  played: number[];
  scores: number[];
  points: number[];
  pass_count: number;
}

const HEARTS = 2;
const SPADES = 3;
const QUEEN_OF_SPADES = 50;
const GUARDS = 4; // spades below the queen that make high spades safe to keep
export const MOON_CHOICE_ADD = 1;
export const MOON_CHOICE_SUBTRACT = 2;

// A card is a number: 1 to 13 are the clubs from two to ace, then diamonds, hearts, spades.
const suit = (card: number) => Math.floor((card - 1) / 13);
const rank = (card: number) => ((card - 1) % 13) + 2;
const byRank = (card: number) => 4 * rank(card) + suit(card);

/** The card with the largest key; keys of different cards differ. */
const most = (cards: number[], key: (card: number) => number) => cards.reduce((a, b) => (key(b) > key(a) ? b : a));

/** Pass unguarded high spades, then what is highest, of equals the heart. */
export function choosePass(turn: Turn): number[] {
  const guards = turn.hand.filter((card) => suit(card) === SPADES && card < QUEEN_OF_SPADES).length;
  const danger = (card: number) => {
    if (card >= QUEEN_OF_SPADES) return guards >= GUARDS ? 0 : 20 + card;
    return suit(card) === SPADES ? 0 : 2 * rank(card) + (suit(card) === HEARTS ? 1 : 0);
  };
  return [...turn.legal].sort((a, b) => danger(a) - danger(b) || a - b).slice(-turn.pass_count);
}

export function chooseCard(turn: Turn): number {
  const { legal, played, seats } = turn;
  const trick = played.slice(played.length - (played.length % seats));
  const queenLurks = !played.includes(QUEEN_OF_SPADES) && !turn.hand.includes(QUEEN_OF_SPADES);
  if (trick.length === 0) return lead(legal, queenLurks);
  if (suit(legal[0]) === suit(trick[0])) return follow(legal, trick, trick.length === seats - 1);
  return discard(legal, queenLurks);
}

/** Give the moon to the others, unless that would end the match and this seat would not have won it alone. */
export function chooseMoon(turn: Turn): number {
  const own = turn.scores[turn.seat];
  const others = turn.scores.filter((_, seat) => seat !== turn.seat).map((total) => total + turn.points[turn.seat]);
  const ends = Math.max(...others) >= turn.target;
  return ends && Math.min(...others) <= own ? MOON_CHOICE_SUBTRACT : MOON_CHOICE_ADD;
}

/** How badly a high spade may end: 2 is the queen herself, 1 what she can be played under. */
function risk(card: number, queenLurks: boolean): number {
  if (card === QUEEN_OF_SPADES) return 2;
  return card > QUEEN_OF_SPADES && queenLurks ? 1 : 0;
}

function lead(legal: number[], queenLurks: boolean): number {
  return most(legal, (card) => -(100 * risk(card, queenLurks) + byRank(card)));
}

/** Stay below the best card so far, as high as can be; where that cannot be, keep the queen back. */
function follow(legal: number[], trick: number[], isLast: boolean): number {
  const ranks = trick.filter((card) => suit(card) === suit(trick[0])).map(rank);
  const standing = ranks.filter((r) => ranks.indexOf(r) === ranks.lastIndexOf(r)); // twins cancel each other
  const best = Math.max(0, ...standing);
  const safe = legal.filter((card) => rank(card) < best || ranks.includes(rank(card)));
  if (safe.includes(QUEEN_OF_SPADES)) return QUEEN_OF_SPADES;
  if (safe.length > 0) return Math.max(...safe);
  const others = legal.filter((card) => card !== QUEEN_OF_SPADES);
  const choice = others.length > 0 ? others : legal;
  return isLast ? Math.max(...choice) : Math.min(...choice);
}

function discard(legal: number[], queenLurks: boolean): number {
  return most(legal, (card) => 200 * risk(card, queenLurks) + (suit(card) === HEARTS ? 100 : 0) + byRank(card));
}
