// Compares the duck with its expected decisions: `npm run check [FILE]`.
import { deepStrictEqual } from "node:assert";
import { readFileSync } from "node:fs";
import { chooseCard, chooseMoon, choosePass, type Turn } from "./strategy.js";

const file = process.argv[2] ?? "../../proto/vectors/duck.json";
const blank = { seat: 0, hand: [], legal: [], played: [], scores: [], points: [], pass_count: 0 };
const choices = [
  () => ({}),
  (turn: Turn) => ({ cards: choosePass(turn) }),
  (turn: Turn) => ({ cards: [chooseCard(turn)] }),
  (turn: Turn) => ({ moon_choice: chooseMoon(turn) }),
];
const { vectors } = JSON.parse(readFileSync(file, "utf8"));
for (const { turn, decision } of vectors) {
  const asked = { ...blank, ...turn } as Turn; // a field that is left out has its default
  deepStrictEqual({ turn_id: turn.turn_id, ...choices[turn.kind](asked) }, decision, JSON.stringify(turn));
}
console.log(`duck: ${vectors.length} decisions as expected`);
