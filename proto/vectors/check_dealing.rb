# Deals every example of dealing.json as docs/dealing.md says, and names what differs. Ruby, nothing else:
#   ruby proto/vectors/check_dealing.rb proto/vectors/dealing.json
require "json"
require "openssl"

def sha256(bytes) = OpenSSL::Digest.digest("SHA256", bytes)
def hmac(key, bytes) = OpenSSL::HMAC.digest("SHA256", key, bytes)
def u32be(number) = [number].pack("N")
def u64be(number) = [number].pack("Q>")
def hex(bytes) = bytes.unpack1("H*")

# D1.5 and D1.6, which differ by their label
def from_seed(label, seed, deal)
  place = u64be(deal["board_set"]) + u32be(deal["attempt"]) + u32be(deal["deal_number"])
  hmac(seed, label.b + sha256(deal["salt"]) + place)
end

# D2 and D3
def shuffle(pack, deal_seed)
  cards = pack.dup
  rejected = []
  used = 0
  block = ""
  next_byte = lambda do
    block = sha256(deal_seed + u32be(used / 32)) if (used % 32).zero?
    used += 1
    block.getbyte((used - 1) % 32)
  end
  (cards.length - 1).downto(1) do |i|
    byte = next_byte.call
    until byte < 256 - 256 % (i + 1)
      rejected << { "position" => i, "byte" => byte }
      byte = next_byte.call
    end
    j = byte % (i + 1)
    cards[i], cards[j] = cards[j], cards[i]
  end
  [cards, rejected, used]
end

# D3.1: the canonical order of the very cards that the example deals
def canonical_pack(shuffled)
  once = "CDHS".chars.flat_map { |suit| "23456789TJQKA".chars.map { |rank| rank + suit } } & shuffled
  shuffled.length > 52 ? once + once : once
end

def made(deal)
  integer = deal["integer_seed"]
  seed = integer ? sha256("hearts/v1/integer".b + u64be(integer)) : [deal["tournament_seed"]].pack("H*")
  deal_seed = from_seed("hearts/v1/deal", seed, deal)
  turn_key = from_seed("hearts/v1/turn", seed, deal)
  cards, rejected, used = shuffle(canonical_pack(deal["shuffled"]), deal_seed)
  seats = deal["hands"].length
  dealt = cards.length / seats * seats # D4.1
  turn_seeds = deal["turn_seeds"].map do |turn|
    bytes = sha256(turn_key + u32be(turn["seat"]) + u32be(turn["index"]))
    turn.merge("turn_seed" => bytes.unpack1("N"))
  end
  {
    "tournament_seed" => hex(seed), "commitment" => hex(sha256("hearts/v1/commit".b + seed)),
    "deal_seed" => hex(deal_seed), "bytes_used" => used, "rejected" => rejected, "shuffled" => cards,
    "hands" => (0...seats).map { |seat| (seat...dealt).step(seats).map { |place| cards[place] } },
    "widow" => cards.drop(dealt), "turn_key" => hex(turn_key), "turn_seeds" => turn_seeds
  }
end

deals = JSON.parse(File.read(ARGV.fetch(0), encoding: "UTF-8"))["deals"]
wrong = deals.each_with_index.flat_map do |deal, number|
  made(deal).reject { |key, value| value == deal[key] }.map { |key, value| "deal #{number}: #{key} differs: #{value}" }
end
puts wrong
puts wrong.empty? ? "#{deals.length} deals are as the vectors say" : "#{wrong.length} values differ"
exit wrong.empty?
