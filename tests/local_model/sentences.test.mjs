// A whole station that thinks with a real local model, at the address in QUARTERDECK_LOCAL_MODEL: `cargo xtask local-model`
// starts one and runs this, with as many sentences as QUARTERDECK_SENTENCES says, or all. A small model says what it
// likes; every turn ends legally all the same, and a stop works.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { robotsLive, startConfigured, until } from "../e2e/server.mjs";

/** One prompt of some thousand tokens on one busy core. */
const TURN_MS = 600_000;
/** The server has one model and takes any name; this one says how small it is, so that the compact tools are chosen. */
const MODEL = "SmolLM2-135M-Instruct";
/** A small model has no end of words, and asks the same again and again. */
const CONFIG = `[agents.main.policy]
preset = "operator"
sampling.output_max = 64
length_stalls.stop = 2
budget.calls = 3
`;
/** As many sentences as a conversation has: more, and the model would have to summarise it, at a few tokens a second. */
const TALK = 2;
const SENTENCES = [
  "Which robots are there?",
  "Where is rover-1?",
  "Is anything wrong on the site?",
  "How full is the battery of rover-2?",
  "What can arm-1 do?",
  "Move arm-1 to 0.4 0.2 0.9 at 0.2 m/s.",
  "Why is arm-1 not moving?",
  "Turn the oven off.",
  "Who is in the kitchen?",
  "Remember that the loading dock floods in spring.",
  "What did I ask you to remember?",
  "Which missions are there?",
  "Start the security patrol.",
  "Check whether rover-1 may drive to 2 1 0 at 0.3 m/s.",
  "Open gate-1.",
  "Remind me of the drill tomorrow at 9.",
  "Which limits bind arm-1?",
  "Was anything denied today?",
  "Drive rover-2 to the moon.",
  "Thank you, that is all.",
];

const TOLD = SENTENCES.slice(0, Number(process.env.QUARTERDECK_SENTENCES ?? SENTENCES.length));

let server;
before(async () => {
  const base = process.env.QUARTERDECK_LOCAL_MODEL;
  assert.ok(base, "QUARTERDECK_LOCAL_MODEL names no model server");
  server = await startConfigured(CONFIG, "--with-sim");
  await robotsLive(server);
  await server.call("set_provider", { id: "local", kind: "llama_cpp", base, local: true, models: [MODEL] });
  await server.call("select_model", { provider: "local", model: MODEL });
});
after(async () => {
  await server?.end();
});

/** The entries of the newest turn, once nothing runs. */
async function ended(turn, session) {
  return until(
    `the end of ${turn}`,
    async () => {
      const page = await server.call("get_transcript", { session });
      const entries = page.entries.filter((entry) => entry.turn === turn);
      return page.running === null && entries.length > 0 && entries;
    },
    TURN_MS,
  );
}

/** Every call has one result, and the turn closes with words or with a note why there are none. */
function assertLegal(entries) {
  const calls = entries.flatMap((entry) => entry.tool_calls ?? []).map(({ id }) => id);
  const results = entries.filter((entry) => entry.kind === "tool_result").map((entry) => entry.tool_call_id);
  assert.deepEqual(results.toSorted(), calls.toSorted(), "each call has one result");
  const last = entries.at(-1);
  const isAnswer = last.kind === "assistant" && !last.tool_calls?.length;
  assert.ok(isAnswer || last.kind === "marker", `ends with ${JSON.stringify(last)}`);
}

/** Commands that left the station, by its record. */
async function sent() {
  const records = await server.call("list_audit", { limit: 1_000 });
  assert.ok(records.length > 0, "the record holds what was done");
  return records.filter(({ operation }) => operation === "send");
}

test("sentences of an operator: every turn ends legally, and nothing moves without a click", async () => {
  let session;
  for (const [index, text] of TOLD.entries()) {
    if (index % TALK === 0) ({ session } = await server.call("new_session"));
    const { turn } = await server.call("send_message", { session, text });
    assertLegal(await ended(turn, session));
  }
  assert.deepEqual(await sent(), [], "nobody has approved anything");
});

test("the prompt is read once: later turns read only what is new", async () => {
  const { calls: items } = await server.call("list_model_calls");
  const calls = items.filter(({ purpose }) => purpose === "main").toSorted((a, b) => a.began_ms - b.began_ms);
  for (const { usage, outcome } of calls) {
    const read = usage.in_fresh + usage.cache_read;
    console.log(`prompt ${read} tokens, read anew ${usage.in_fresh}, answer ${usage.out}, ${outcome}`);
  }
  const later = calls.slice(1).filter(({ usage }) => usage.cache_read + usage.in_fresh > 0);
  assert.ok(later.length >= TOLD.length, `the model has read ${later.length} of the requests`);
  const reused = later.filter(({ usage }) => usage.cache_read > usage.in_fresh);
  assert.ok(reused.length * 2 > later.length, `${reused.length} of ${later.length} calls found their prefix again`);
});

test("a stop typed while the model thinks stops every robot before it answers", async () => {
  const { turn } = await server.call("send_message", { text: "Write a long story about every robot on the site." });
  await server.call("send_message", { text: "stop everything please" });
  const { stops } = await server.call("safety_status");
  assert.equal(stops.length, 1, "the stop is in force when the message is answered");
  assertLegal(await ended(turn));
});
