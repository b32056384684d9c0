// Tests of the strategy over a few positions: `npm run check`.
import { deepStrictEqual, ok } from "node:assert";
import { readFileSync } from "node:fs";
import { chooseCard, chooseMoon, choosePass, type Turn } from "./strategy.js";

const [PASS, PLAY] = [1, 2]; // TurnKind
const { positions } = JSON.parse(readFileSync("positions.json", "utf8")) as {
  positions: { situation: string; turn: Turn }[];
};

for (const { situation, turn } of positions) {
  if (turn.kind === PASS) {
    const passed = choosePass(turn);
    deepStrictEqual(passed.length, turn.pass_count, situation);
    deepStrictEqual(new Set(passed).size, passed.length, situation);
    ok(passed.every((card) => turn.legal.includes(card)), situation);
  } else if (turn.kind === PLAY) {
    ok(turn.legal.includes(chooseCard(turn)), situation);
    deepStrictEqual(chooseCard(turn), chooseCard(turn), situation);
  } else ok([1, 2].includes(chooseMoon(turn)), situation);
}

// What this strategy should do, as you want it: change these with strategy.ts.
const asked = (situation: string) => positions.find((each) => each.situation === situation)!.turn;
deepStrictEqual(chooseCard(asked("discard with the queen of spades")), 50);
console.log(`${positions.length} positions as expected`);
