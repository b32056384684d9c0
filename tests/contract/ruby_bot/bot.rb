# The first legal card, and the last cards to pass: a whole bot from the protocol's page alone.
require "grpc"
require "hearts/v1/referee_service_services_pb"

V1 = Hearts::V1
FINAL = [GRPC::Unauthenticated, GRPC::PermissionDenied, GRPC::FailedPrecondition, GRPC::InvalidArgument, GRPC::Unimplemented]
COME_BACK = [:FAREWELL_REASON_UNSPECIFIED, :FAREWELL_REASON_DRAINING]

def decide(turn)
  case turn.kind
  when :TURN_KIND_PASS then V1::Decision.new(turn_id: turn.turn_id, cards: turn.legal.to_a.last(turn.pass_count))
  when :TURN_KIND_PLAY then V1::Decision.new(turn_id: turn.turn_id, cards: [turn.legal.first])
  when :TURN_KIND_MOON then V1::Decision.new(turn_id: turn.turn_id, moon_choice: :MOON_CHOICE_ADD)
  end
end

def connect
  address = ENV.fetch("HEARTS_REFEREE")
  options = { "grpc.max_receive_message_length" => 65536, "grpc.max_reconnect_backoff_ms" => 1000 }
  options["grpc.default_authority"] = "localhost" if address.start_with?("unix:")
  ca = ENV["HEARTS_CA"]
  credentials = ca ? GRPC::Core::ChannelCredentials.new(File.read(ca)) : :this_channel_is_insecure
  V1::RefereeService::Stub.new(address, credentials, channel_args: options)
end

# One stream, from hello to farewell; returns the farewell, or nil if there was none.
def play(stub)
  identity = { "authorization" => "Bearer #{ENV.fetch("HEARTS_TOKEN")}", "hearts-instance" => ENV.fetch("HEARTS_INSTANCE", "") }
  outbox = Queue.new
  outbox << V1::BotMessage.new(hello: V1::Hello.new(protocol_min: 1, protocol_max: 1, bot_name: "ruby", bot_version: "1.0", tables_max: 64))
  farewell = nil
  stub.play(Enumerator.new { |out| while (message = outbox.pop) do out << message end }, metadata: identity).each do |message|
    $failures = 0
    farewell = message.farewell || farewell
    outbox << nil if farewell # close this side, or the library waits for it
    message.turns.map { |turn| decide(turn) }.compact.each_slice(128) do |decisions|
      outbox << V1::BotMessage.new(decisions: decisions)
    end
  end
  farewell
ensure
  outbox << nil
end

%w[HEARTS_REFEREE HEARTS_TOKEN].each { |name| abort "#{name} must be set." unless ENV[name] }
trap("TERM") { exit!(0) }
$failures = 0
stub = connect
loop do
  begin
    farewell = play(stub)
    unless farewell.nil? || COME_BACK.include?(farewell.reason)
      warn farewell.message
      exit
    end
  rescue *FINAL => error
    abort "No more play: #{error.details}"
  rescue GRPC::BadStatus
    abort "The referee does not answer." if $failures >= 20
  end
  $failures += 1
  sleep 0.1 * 2**[$failures, 6].min * rand(0.5..1.0)
end
