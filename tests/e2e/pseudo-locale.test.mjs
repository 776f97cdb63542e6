// Every route in a language that nobody speaks: what is not in brackets was not taken from the catalogue, and what does
// not fit will not fit in German either.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertClean, goTo } from "./desk.mjs";
import { coveredLabels, cutChoices, cutTexts, outside, speakPseudo, textsOf } from "./pseudo.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

/** Routes without an id of something that is made here. `/parts` is for whoever works on the window. */
const ROUTES = [
  "/overview",
  "/missions",
  ...["", "/form", "/text", "/compiled", "/dry-run", "/runs", "/history"].map((tab) => `/missions/calibrate-arm${tab}`),
  ...["", "/arm-1", "/plan", "/cameras", "/plot", "/topics", "/providers", "/providers/new"].map((at) => `/world${at}`),
  "/approvals",
  ...["", "/rules", "/rules/new", "/events", "/figures"].map((at) => `/alarms${at}`),
  "/beliefs",
  ...["", "/reviews", "/notes"].map((view) => `/memory${view}`),
  "/jobs",
  ...["", "/arm-1", "/rover-1", "/arm-1/goal", "/arm-1/commissioning", "/rover-1/new/kitchen"].map(
    (at) => `/safety${at}`,
  ),
  ...["providers", "keys", "access", "connections", "find-robot", "agents", "tools", "budget", "audit"].map(
    (section) => `/admin/${section}`,
  ),
  ...["simulator", "appearance", "shortcuts", "about"].map((section) => `/admin/${section}`),
  ...["", "/robots", "/agent", "/model"].map((step) => `/welcome${step}`),
];

/** Words that STOP ALL shows and others share with it; they are compiled in, in every language. */
const COMPILED_IN = [
  "stop/stop-behaviour.ts",
  "stop/stop-notice.ts",
  "stop/stop-shortcut.ts",
  "stop/record-sentences.ts",
];
/** Texts that are the same in every language: names, keys of the keyboard, units, and text that is typed. */
const SAME = [
  /^Apache-2\.0$/,
  /^Quarterdeck$/,
  /^(Strg|Umschalt|Eingabe|Alt|Esc|Entf|Bild (auf|ab)|F\d+|[A-Z+.?]|Ende)([+ ](Strg|Umschalt|Alt|Ende|F\d+|[A-Z\d.,?←→]))*$/,
  /^[<≤≥+−-]? ?[\d.,:]+ ?(ms|s|min|h|m|mm|m\/s|m\/s²|rad|rad\/s|N|Hz|°C|kB|MB|GB)$/,
  /^k?B\/s$/,
  /^\d+\. \p{L}+\.? \d{4}(, [\d:]+ [+-][\d:]+)?$/u,
  /^\d+\. \p{L}+\.?, [\d:]+$/u,
  /^[\da-f]{8}$/,
  /^[a-z-]+\.md$/,
  /^[xyz]( (min|max|m))?$/,
  /^(what do you see|status|stop|move arm-1 to 0\.5 0\.2 1\.0 at 0\.2 m\/s|move arm-1 to 2 0 1)$/,
  /^(confidence > 0\.8|person\.location = 'kitchen' AND NOT stale\(person\.location\))$/,
];

/** A text without what its place in a sentence adds. */
const wordsOf = (text) => text.trim().replace(/[.·]$/, "").trim().toLowerCase();
/** Everything that the station has sent, and every line of it. */
const sent = new Set();
let compiled = "";
const open = new Set();

/** Names of fields in a subject of the audit. */
const FIELDS = /(?:^|\s)[a-z_]+=/;

function note(value) {
  if (typeof value === "string")
    // Names between backticks are shown as code, without those; brackets are read as those of the catalogue.
    for (const text of [
      value,
      ...value.split("\n"),
      ...value.split(FIELDS),
      ...value.split("`"),
      outside(value.replaceAll("`", "")),
    ])
      sent.add(wordsOf(text));
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    sent.add(key);
    note(inner);
  }
}

/** Waits until everything that the page has asked for is there and drawn. */
async function quiet(page) {
  await until("an answer to every request", async () => {
    if (open.size > 0) return false;
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    return open.size === 0;
  });
}

const isKnown = (text) =>
  sent.has(wordsOf(text)) ||
  sent.has(wordsOf(text).replaceAll(" ", "_")) ||
  compiled.includes(text) ||
  SAME.some((same) => same.test(text));

/** Texts that neither the catalogue nor the station has said. */
async function foreign(page) {
  const texts = await textsOf(page);
  // A sentence of the station may stand within one that the page puts together.
  const sentences = [...sent]
    .filter((text) => text.length > 12 && text.includes(" "))
    .sort((a, b) => b.length - a.length);
  const withoutSentences = (text) =>
    sentences.reduce((rest, sentence) => rest.replaceAll(sentence, " "), text.toLowerCase());
  return texts.filter(
    (text) =>
      !isKnown(text) &&
      withoutSentences(outside(text))
        .split(/\s[–·]\s|[,:;()\n]\s*|\s{2,}|\.(?=\s|$)/)
        .map((piece) => piece.trim())
        .some((piece) => /\p{L}/u.test(piece) && !isKnown(piece)),
  );
}

async function look(route) {
  const { page } = desk;
  await goTo(page, route);
  await page.locator("main h1, main h2").first().waitFor();
  await quiet(page);
  assert.deepEqual(await foreign(page), [], "not from the catalogue");
  assert.deepEqual(await cutTexts(page), [], "cut off");
  assert.deepEqual(await cutChoices(page), [], "cut off");
  assert.deepEqual(await coveredLabels(page), [], "covered");
}

test("U-2006 the window speaks the language that nobody does", async () => {
  const { page } = desk;
  const sources = COMPILED_IN.map((file) => readFile(new URL(`../../ui/src/domain/${file}`, import.meta.url), "utf8"));
  compiled = (await Promise.all(sources)).join();
  page.on("request", (request) => open.add(request));
  page.on("requestfailed", (request) => open.delete(request));
  page.on("requestfinished", async (request) => {
    const response = await request.response();
    if (request.url().includes("/op/")) note(await response.json().catch(() => null));
    open.delete(request);
  });
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => note(JSON.parse(payload))));
  await page.setViewportSize({ width: 1280, height: 800 });
  await speakPseudo(page);
});

for (const route of ROUTES)
  test(`U-2006 ${route} is all from the catalogue, and fits in longer words`, () => look(route));

test("U-2006 a card and a denial are all from the catalogue, and fit in longer words", async () => {
  const { at } = desk;
  await server.call("arm_robot", { robot: "arm-1" });
  const say = async (words) => {
    if (!(await at("composer").isVisible())) await at("toggle-dock").click();
    await at("composer").fill(words);
    await at("composer").press("Enter");
  };
  await say("move arm-1 to 2 0 1");
  const denial = await at("open-denial").first().getAttribute("href");
  await look(denial.replace(/^#/, ""));
  await say("move arm-1 to 0.5 0.2 1.0 at 0.2 m/s");
  const [{ id }] = await until("a proposal", async () => {
    const waiting = await server.call("list_proposals", { state: "waiting" });
    return waiting.length > 0 && waiting;
  });
  await look(`/approvals/${id}`);
  await look("/overview");
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
