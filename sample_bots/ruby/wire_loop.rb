# The wire loop: plays the strategy at every table that the referee offers, until it says farewell.
require "grpc"
require "hearts/v1/referee_service_services_pb"
require_relative "strategy"

include Hearts::V1
DECISIONS_MAX, FAILURES_MAX = 128, 60 # by the protocol; with the pauses between them more than a minute
# A call that ends with one of these would end so again.
REFUSALS = [GRPC::Unauthenticated, GRPC::PermissionDenied, GRPC::FailedPrecondition, GRPC::InvalidArgument, GRPC::Unimplemented]
COME_BACK = [:FAREWELL_REASON_UNSPECIFIED, :FAREWELL_REASON_DRAINING]
HELLO = { protocol_min: 1, protocol_max: 1, bot_name: "duck-ruby", bot_version: "1.0", sdk: "ruby grpc #{GRPC::VERSION}", tables_max: 256 }

def answer(turn)
  case turn.kind
  when :TURN_KIND_PLAY then Decision.new(turn_id: turn.turn_id, cards: [choose_card(turn)])
  when :TURN_KIND_PASS then Decision.new(turn_id: turn.turn_id, cards: choose_pass(turn))
  else Decision.new(turn_id: turn.turn_id, moon_choice: choose_moon(turn))
  end
end

def connect(address, ca_file)
  options = { "grpc.max_receive_message_length" => 65536, "grpc.max_reconnect_backoff_ms" => 1000 }
  options["grpc.default_authority"] = "localhost" if address.start_with?("unix:")
  security = ca_file ? GRPC::Core::ChannelCredentials.new(File.read(ca_file)) : :this_channel_is_insecure
  RefereeService::Stub.new(address, security, channel_args: options)
end

# Runs one stream to its end; gives each message to the block.
def play(stub, identity)
  outbox = Queue.new
  outbox << BotMessage.new(hello: Hello.new(HELLO))
  stub.play(Enumerator.new { |out| while (message = outbox.pop) do out << message end }, metadata: identity).each do |message|
    yield message
    outbox << nil if message.farewell # close this side, or the library waits for it
    message.turns.each_slice(DECISIONS_MAX) { |turns| outbox << BotMessage.new(decisions: turns.map { |turn| answer(turn) }) }
  end
ensure
  outbox << nil
end

def main
  %w[HEARTS_REFEREE HEARTS_TOKEN].each { |name| abort "#{name} must be set." unless ENV[name] }
  trap("TERM") { exit!(0) }
  stub = connect(ENV["HEARTS_REFEREE"], ENV["HEARTS_CA"])
  identity = { "authorization" => "Bearer #{ENV["HEARTS_TOKEN"]}", "hearts-instance" => ENV.fetch("HEARTS_INSTANCE", "") }
  failures, farewell = 1, Farewell.new
  while COME_BACK.include?(farewell.reason)
    begin
      play(stub, identity) { |message| failures, farewell = 0, message.farewell || Farewell.new }
    rescue GRPC::BadStatus => error
      abort "No more play: #{error.details}" if REFUSALS.include?(error.class) || failures > FAILURES_MAX
    end
    sleep 0.1 * 2**[failures, 4].min * rand(0.5..1.0) # jitter: not all bots at once
    failures += 1
  end
  warn farewell.message
end

main if $PROGRAM_NAME == __FILE__
