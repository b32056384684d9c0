// Ducks: plays the highest card that does not win, passes high cards, and is careful with the queen of spades.
// The same strategy is written in every language of the sample bots; proto/vectors/duck.json holds its decisions.
import static java.util.Comparator.comparingInt;

import hearts.v1.CardOuterClass.Card;
import hearts.v1.Rules.MoonChoice;
import hearts.v1.Table.Turn;
import java.util.Collections;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

final class Strategy {
  private static final int HEARTS = 2;
  private static final int SPADES = 3;
  private static final Card QUEEN_OF_SPADES = Card.CARD_QS;
  private static final int GUARDS_NEEDED = 4; // spades below the queen that make high spades safe to keep

  private Strategy() {}

  // A card is a number: 1 to 13 are the clubs from two to ace, then diamonds, hearts, spades.
  private static int suit(Card card) {
    return (card.getNumber() - 1) / 13;
  }

  private static int rank(Card card) {
    return (card.getNumber() - 1) % 13 + 2;
  }

  private static int byRank(Card card) {
    return 4 * rank(card) + suit(card);
  }

  /** The card with the largest key; keys of different cards differ. */
  private static Card most(List<Card> cards, ToIntFunction<Card> key) {
    return Collections.max(cards, comparingInt(key));
  }

  /** Passes unguarded high spades, then what is highest, of equals the heart. */
  static List<Card> choosePass(Turn turn) {
    long guards = turn.getHandList().stream().filter(card -> suit(card) == SPADES && card.compareTo(QUEEN_OF_SPADES) < 0).count();
    ToIntFunction<Card> danger = card -> {
      if (suit(card) == SPADES) {
        return card.compareTo(QUEEN_OF_SPADES) >= 0 && guards < GUARDS_NEEDED ? 20 + card.getNumber() : 0;
      }
      return 2 * rank(card) + (suit(card) == HEARTS ? 1 : 0);
    };
    List<Card> cards = turn.getLegalList().stream().sorted(comparingInt(danger).thenComparing(card -> card)).toList();
    return cards.subList(cards.size() - turn.getPassCount(), cards.size());
  }

  static Card chooseCard(Turn turn) {
    List<Card> legal = turn.getLegalList();
    List<Card> played = turn.getPlayedList();
    List<Card> trick = played.subList(played.size() - played.size() % turn.getSeats(), played.size());
    boolean queenLurks = !played.contains(QUEEN_OF_SPADES) && !turn.getHandList().contains(QUEEN_OF_SPADES);
    if (trick.isEmpty()) {
      return lead(legal, queenLurks);
    }
    if (suit(legal.get(0)) == suit(trick.get(0))) {
      return follow(legal, trick, trick.size() == turn.getSeats() - 1);
    }
    return discard(legal, queenLurks);
  }

  /** Gives the moon to the others, unless that would end the match and this seat would not have won it alone. */
  static MoonChoice chooseMoon(Turn turn) {
    int own = turn.getScores(turn.getSeat());
    int[] others = IntStream.range(0, turn.getScoresCount())
        .filter(seat -> seat != turn.getSeat())
        .map(seat -> turn.getScores(seat) + turn.getPoints(turn.getSeat()))
        .sorted()
        .toArray();
    boolean ends = others[others.length - 1] >= turn.getTarget();
    return ends && others[0] <= own ? MoonChoice.MOON_CHOICE_SUBTRACT : MoonChoice.MOON_CHOICE_ADD;
  }

  /** How badly a high spade may end: 2 is the queen herself, 1 what she can be played under. */
  private static int risk(Card card, boolean queenLurks) {
    if (card == QUEEN_OF_SPADES) {
      return 2;
    }
    return card.compareTo(QUEEN_OF_SPADES) > 0 && queenLurks ? 1 : 0;
  }

  private static Card lead(List<Card> legal, boolean queenLurks) {
    return most(legal, card -> -(100 * risk(card, queenLurks) + byRank(card)));
  }

  /** Stays below the best card so far, as high as can be; where that cannot be, keeps the queen back. */
  private static Card follow(List<Card> legal, List<Card> trick, boolean isLast) {
    List<Integer> ranks = trick.stream().filter(card -> suit(card) == suit(trick.get(0))).map(Strategy::rank).toList();
    int best = ranks.stream()
        .filter(rank -> Collections.frequency(ranks, rank) == 1) // twins cancel each other
        .max(Integer::compare)
        .orElse(0);
    List<Card> safe = legal.stream().filter(card -> rank(card) < best || ranks.contains(rank(card))).toList();
    if (safe.contains(QUEEN_OF_SPADES)) {
      return QUEEN_OF_SPADES;
    }
    if (!safe.isEmpty()) {
      return Collections.max(safe);
    }
    List<Card> others = legal.stream().filter(card -> card != QUEEN_OF_SPADES).toList();
    if (others.isEmpty()) {
      return QUEEN_OF_SPADES;
    }
    return isLast ? Collections.max(others) : Collections.min(others);
  }

  private static Card discard(List<Card> legal, boolean queenLurks) {
    return most(legal, card -> 200 * risk(card, queenLurks) + (suit(card) == HEARTS ? 100 : 0) + byRank(card));
  }
}
