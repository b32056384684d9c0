# Compares the duck with its expected decisions: `ruby -Ibuild check.rb [FILE]`.
require "json"
require_relative "wire_loop"

file = ARGV.fetch(0, "../../proto/vectors/duck.json")
vectors = JSON.parse(File.read(file))["vectors"]
vectors.each do |vector|
  decision = answer(Turn.decode_json(vector["turn"].to_json))
  next if decision == Decision.decode_json(vector["decision"].to_json)
  abort "Another decision than expected.\n#{vector["turn"]}\nexpected #{vector["decision"]}\ndecided #{decision.to_json}"
end
puts "duck: #{vectors.size} decisions as expected"
