// Compares the duck with its expected decisions: `make check`, or `mvn test`.
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.google.protobuf.util.JsonFormat;
import hearts.v1.Table.Decision;
import hearts.v1.Table.Turn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DuckTest {
  @Test
  void theDuckDecidesAsExpected() throws Exception {
    String file = Objects.requireNonNullElse(System.getenv("HEARTS_VECTORS"), "../../proto/vectors/duck.json");
    var vectors = JsonParser.parseString(Files.readString(Path.of(file))).getAsJsonObject().getAsJsonArray("vectors");
    for (JsonElement vector : vectors) {
      Turn.Builder turn = Turn.newBuilder();
      Decision.Builder expected = Decision.newBuilder();
      JsonFormat.parser().merge(vector.getAsJsonObject().get("turn").toString(), turn);
      JsonFormat.parser().merge(vector.getAsJsonObject().get("decision").toString(), expected);
      assertEquals(expected.build(), WireLoop.answer(turn.build()), vector::toString);
    }
    System.out.printf("duck: %d decisions as expected%n", vectors.size());
  }
}
