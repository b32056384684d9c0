// The wire loop: plays the strategy at every table that the referee offers, until it says farewell.
import { existsSync, readFileSync } from "node:fs";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { chooseCard, chooseMoon, choosePass, type Turn } from "./strategy.js";

const { HEARTS_REFEREE = "", HEARTS_TOKEN = "", HEARTS_INSTANCE = "", HEARTS_CA, HEARTS_BOT = "duck" } = process.env;
if (!HEARTS_REFEREE || !HEARTS_TOKEN) end(2, "HEARTS_REFEREE and HEARTS_TOKEN must be set.");
// Decisions of one message, by the protocol; failures running, with the pauses between them more than a minute.
const [DECISIONS_MAX, FAILURES_MAX] = [128, 60];
const { UNAUTHENTICATED, PERMISSION_DENIED, INVALID_ARGUMENT, FAILED_PRECONDITION, UNIMPLEMENTED } = grpc.status;
// A call that ends with one of these would end so again.
const REFUSALS = [UNAUTHENTICATED, PERMISSION_DENIED, INVALID_ARGUMENT, FAILED_PRECONDITION, UNIMPLEMENTED];
const [PASS, PLAY] = [1, 2]; // TurnKind
const [STAYS, DRAINING] = [0, 2]; // FarewellReason: after these the bot comes back

const proto = existsSync("proto") ? "proto" : "../../proto";
const description = loadSync("hearts/v1/referee_service.proto", { includeDirs: [proto], keepCase: true, defaults: true });
const { hearts } = grpc.loadPackageDefinition(description) as any;
const credentials = HEARTS_CA ? grpc.credentials.createSsl(readFileSync(HEARTS_CA)) : grpc.credentials.createInsecure();
const client = new hearts.v1.RefereeService(HEARTS_REFEREE, credentials, {
  "grpc.max_receive_message_length": 65536,
  "grpc.max_reconnect_backoff_ms": 1000,
  ...(HEARTS_REFEREE.startsWith("unix:") && { "grpc.default_authority": "localhost" }),
});
const identity = new grpc.Metadata();
identity.set("authorization", `Bearer ${HEARTS_TOKEN}`);
identity.set("hearts-instance", HEARTS_INSTANCE);
const hello = { protocol_min: 1, protocol_max: 1, bot_name: HEARTS_BOT, bot_version: "1.0", sdk: "node", tables_max: 256 };
let failures = 0;

function end(exitCode: number, why: string) {
  console.error(why);
  process.exit(exitCode);
}

function answer(turn: Turn) {
  if (turn.kind === PLAY) return { turn_id: turn.turn_id, cards: [chooseCard(turn)] };
  if (turn.kind === PASS) return { turn_id: turn.turn_id, cards: choosePass(turn) };
  return { turn_id: turn.turn_id, moon_choice: chooseMoon(turn) };
}

function play() {
  const stream = client.Play(identity);
  let farewell = { reason: STAYS, message: "" };
  stream.write({ hello });
  stream.on("data", (message: any) => {
    failures = 0;
    farewell = message.farewell ?? farewell;
    for (let start = 0; start < message.turns.length; start += DECISIONS_MAX)
      stream.write({ decisions: message.turns.slice(start, start + DECISIONS_MAX).map(answer) });
  });
  stream.on("error", () => undefined); // "status" follows and tells the same
  stream.on("status", ({ code, details }: grpc.StatusObject) => {
    const isOver = ![STAYS, DRAINING].includes(farewell.reason);
    if (isOver || REFUSALS.includes(code) || ++failures > FAILURES_MAX)
      end(isOver ? 0 : 1, farewell.message || `No more play: ${details}`);
    setTimeout(play, 100 * 2 ** Math.min(failures, 4) * (0.5 + Math.random() / 2)); // jitter: not all bots at once
  });
}

process.on("SIGTERM", () => process.exit(0));
play();
