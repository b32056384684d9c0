// Deals every example of dealing.json as docs/dealing.md says, and names what differs. Node, nothing else:
//   node proto/vectors/check_dealing.js proto/vectors/dealing.json
const { createHash, createHmac } = require("node:crypto");
const { readFileSync } = require("node:fs");

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hmac = (key, ...parts) => parts.reduce((mac, part) => mac.update(part), createHmac("sha256", key)).digest();

function u32be(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

function u64be(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

// D1.5 and D1.6, which differ by their label
function fromSeed(label, seed, deal) {
  const place = [u64be(deal.board_set), u32be(deal.attempt), u32be(deal.deal_number)];
  return hmac(seed, label, sha256(deal.salt), ...place);
}

// D2 and D3
function shuffle(pack, dealSeed) {
  const cards = [...pack];
  const rejected = [];
  let block = Buffer.alloc(0);
  let used = 0;
  const nextByte = () => {
    if (used % 32 === 0) block = sha256(dealSeed, u32be(used / 32));
    return block[used++ % 32];
  };
  for (let i = cards.length - 1; i > 0; i--) {
    let byte = nextByte();
    while (byte >= 256 - (256 % (i + 1))) {
      rejected.push({ position: i, byte });
      byte = nextByte();
    }
    const j = byte % (i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return { cards, rejected, used };
}

// D3.1: the canonical order of the very cards that the example deals
function canonicalPack(shuffled) {
  const order = [..."CDHS"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
  const once = order.filter((card) => shuffled.includes(card));
  return shuffled.length > 52 ? [...once, ...once] : once;
}

function made(deal) {
  const seed =
    deal.integer_seed === null
      ? Buffer.from(deal.tournament_seed, "hex")
      : sha256("hearts/v1/integer", u64be(deal.integer_seed));
  const dealSeed = fromSeed("hearts/v1/deal", seed, deal);
  const turnKey = fromSeed("hearts/v1/turn", seed, deal);
  const { cards, rejected, used } = shuffle(canonicalPack(deal.shuffled), dealSeed);
  const seats = deal.hands.length;
  const dealt = Math.floor(cards.length / seats) * seats;
  return {
    tournament_seed: seed.toString("hex"),
    commitment: sha256("hearts/v1/commit", seed).toString("hex"),
    deal_seed: dealSeed.toString("hex"),
    bytes_used: used,
    rejected,
    shuffled: cards,
    hands: deal.hands.map((_, seat) => cards.slice(0, dealt).filter((_, place) => place % seats === seat)),
    widow: cards.slice(dealt),
    turn_key: turnKey.toString("hex"),
    turn_seeds: deal.turn_seeds.map(({ seat, index }) => ({
      seat,
      index,
      turn_seed: sha256(turnKey, u32be(seat), u32be(index)).readUInt32BE(0),
    })),
  };
}

// The largest numbers do not fit a double: what is too long for one is read as text.
const text = readFileSync(process.argv[2], "utf8").replace(/: ?(\d{16,})/g, ': "$1"');
const { deals } = JSON.parse(text);
let wrong = 0;
deals.forEach((deal, number) => {
  for (const [key, value] of Object.entries(made(deal))) {
    if (JSON.stringify(value) !== JSON.stringify(deal[key])) {
      console.log(`deal ${number}: ${key} differs: ${JSON.stringify(value)}`);
      wrong++;
    }
  }
});
console.log(wrong ? `${wrong} values differ` : `${deals.length} deals are as the vectors say`);
process.exit(wrong ? 1 : 0);
