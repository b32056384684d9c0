// The wire loop: plays the strategy at every table that the referee offers, until it says farewell.
import hearts.v1.*;
import hearts.v1.RefereeServiceOuterClass.*;
import io.grpc.*;

public final class WireLoop {
  // Decisions of one message, by the protocol; failures running, with the pauses between them more than a minute.
  static final int DECISIONS_MAX = 128, FAILURES_MAX = 60;
  // A call that ends with one of these would end so again.
  static final String REFUSALS = "UNAUTHENTICATED|PERMISSION_DENIED|INVALID_ARGUMENT|FAILED_PRECONDITION|UNIMPLEMENTED";
  static final String COME_BACK = "FAREWELL_REASON_UNSPECIFIED|FAREWELL_REASON_DRAINING";

  static Table.Decision answer(Table.Turn turn) {
    var decision = Table.Decision.newBuilder().setTurnId(turn.getTurnId());
    if (turn.getKind() == Table.TurnKind.TURN_KIND_PLAY) return decision.addCards(Strategy.chooseCard(turn)).build();
    if (turn.getKind() == Table.TurnKind.TURN_KIND_PASS) return decision.addAllCards(Strategy.choosePass(turn)).build();
    return decision.setMoonChoice(Strategy.chooseMoon(turn)).build();
  }

  static void end(int exitCode, String why) {
    System.err.println(why);
    System.exit(exitCode);
  }

  public static void main(String[] args) throws Exception {
    java.util.logging.LogManager.getLogManager().reset(); // or netty complains of unix sockets; what goes wrong has a status
    sun.misc.Signal.handle(new sun.misc.Signal("TERM"), signal -> System.exit(0));
    var env = System.getenv();
    if (env.get("HEARTS_REFEREE") == null || env.get("HEARTS_TOKEN") == null) end(2, "HEARTS_REFEREE and HEARTS_TOKEN must be set.");
    var identity = new Metadata();
    identity.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + env.get("HEARTS_TOKEN"));
    identity.put(Metadata.Key.of("hearts-instance", Metadata.ASCII_STRING_MARSHALLER), env.getOrDefault("HEARTS_INSTANCE", ""));
    var security = !env.containsKey("HEARTS_CA") ? InsecureChannelCredentials.create()
        : TlsChannelCredentials.newBuilder().trustManager(new java.io.File(env.get("HEARTS_CA"))).build();
    var farewell = Farewell.getDefaultInstance();
    for (int failures = 1; farewell.getReason().name().matches(COME_BACK); failures++) {
      var channel = Grpc.newChannelBuilder(env.get("HEARTS_REFEREE"), security).maxInboundMessageSize(65536)
          .intercept(io.grpc.stub.MetadataUtils.newAttachHeadersInterceptor(identity)).build();
      try {
        var call = RefereeServiceGrpc.newBlockingV2Stub(channel).play();
        call.write(BotMessage.newBuilder().setHello(Hello.newBuilder().setProtocolMin(1).setProtocolMax(1)
            .setBotName("duck-java").setBotVersion("1.0").setSdk("java grpc").setTablesMax(256)).build());
        for (RefereeMessage message; (message = call.read()) != null; failures = 0) {
          farewell = message.getFarewell();
          for (int start = 0; start < message.getTurnsCount(); start += DECISIONS_MAX)
            call.write(BotMessage.newBuilder().addAllDecisions(message.getTurnsList().stream()
                .skip(start).limit(DECISIONS_MAX).map(WireLoop::answer).toList()).build());
        }
      } catch (StatusException error) {
        var status = error.getStatus();
        if (status.getCode().name().matches(REFUSALS) || failures > FAILURES_MAX) end(1, "No more play: " + status.getDescription());
      }
      channel.shutdownNow();
      Thread.sleep((long) (100 * Math.pow(2, Math.min(failures, 4)) * (1 - Math.random() / 2))); // jitter: not all bots at once
    }
    end(0, farewell.getMessage());
  }
}
