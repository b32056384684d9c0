// Tests of the strategy over a few positions: `mvn test`.
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.util.JsonFormat;
import hearts.v1.CardOuterClass.Card;
import hearts.v1.Table.Decision;
import hearts.v1.Table.Turn;
import hearts.v1.Table.TurnKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StrategyTest {
  /** The turns of positions.json, by situation. */
  private static Map<String, Turn> positions() throws Exception {
    Map<String, Turn> turns = new LinkedHashMap<>();
    JsonObject file = JsonParser.parseString(Files.readString(Path.of("positions.json"))).getAsJsonObject();
    for (JsonElement element : file.getAsJsonArray("positions")) {
      JsonObject position = element.getAsJsonObject();
      Turn.Builder turn = Turn.newBuilder();
      JsonFormat.parser().merge(position.get("turn").toString(), turn);
      turns.put(position.get("situation").getAsString(), turn.build());
    }
    return turns;
  }

  @Test
  void everyPositionGetsALegalDecision() throws Exception {
    positions().forEach((situation, turn) -> {
      Decision decision = WireLoop.answer(turn);
      int expected = turn.getKind() == TurnKind.TURN_KIND_PASS ? turn.getPassCount() : turn.getKind() == TurnKind.TURN_KIND_PLAY ? 1 : 0;
      assertEquals(expected, decision.getCardsCount(), situation);
      assertEquals(expected, new HashSet<>(decision.getCardsList()).size(), situation + ": a card twice");
      assertTrue(turn.getLegalList().containsAll(decision.getCardsList()), situation);
    });
  }

  // What this strategy should do, as you want it: change this with Strategy.java.
  @Test
  void theQueenOfSpadesGoesWhereAnotherTakesHer() throws Exception {
    assertEquals(Card.CARD_QS, Strategy.chooseCard(positions().get("discard with the queen of spades")));
  }
}
