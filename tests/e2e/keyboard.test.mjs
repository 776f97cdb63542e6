// The first minutes by keyboard alone: every step is a key press that is counted, and none leads nowhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, holdSpace as holdSpaceOn } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

/** More presses than this, besides the text, and nobody works without a pointer. */
const PRESSES_MAX = 60;
/** Beyond this the focus does not come there. */
const TABS_MAX = 15;

let presses = 0;
const press = async (key) => {
  presses += 1;
  await desk.page.keyboard.press(key);
};
const type = (text) => desk.page.keyboard.type(text);
const holdSpace = async () => {
  presses += 1;
  await holdSpaceOn(desk.page);
};
const isOn = (selector) => desk.page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);
/** The focus after a key comes with the next frame. */
const focusOn = (selector) => until(`the focus on ${selector}`, () => isOn(selector));
const tabTo = async (selector) => {
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await press("Tab");
    if (await isOn(selector)) return;
  }
  const at = await desk.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  throw new Error(`${TABS_MAX} Tabs did not reach ${selector}; the focus is on ${at}`);
};
const waiting = async () => {
  const proposal = await until(
    "a proposal",
    async () => (await server.call("list_proposals", { state: "waiting" }))[0],
  );
  await desk.at(`proposal-${proposal.id}`).first().waitFor();
  return proposal;
};
const card = (id, state) => desk.page.locator(`main [data-testid="proposal-${id}"][data-state="${state}"]`).waitFor();
/** Into the message, from wherever the focus is, and out of it again. */
const say = async (text) => {
  await press("Control+j");
  await focusOn('[data-testid="composer"]');
  await type(text);
  await desk
    .at("send")
    .filter({ hasText: /^Send$/ })
    .waitFor();
  await press("Enter");
  await until("the message is sent", async () => (await desk.at("composer").inputValue()) === "");
  await press("Escape");
  await until("the focus is back", async () => !(await isOn('[data-testid="composer"]')));
};

test("U-1901 see the robots and the world", async () => {
  await press("Control+1");
  await focusOn("[data-region=main]");
  await desk.page.locator('[data-testid="calm"][data-calm="true"]').waitFor();
  await press("Control+3");
  await focusOn("[data-region=main]");
  await desk.at("world-row-person.location").filter({ hasText: "hallway" }).waitFor();
});

test("U-1901 arm the arm, ask for a motion, and approve it", async () => {
  await press("Control+1");
  await focusOn("[data-region=main]");
  await tabTo('[data-testid="arm-arm-1"]');
  await press("Enter");
  await desk.at("robot-tile-arm-1").locator('[data-state="armed"]').waitFor();
  await say("move arm-1 to 0.5 0.2 1.0 at 0.2 m/s");
  const { id } = await waiting();
  await press("g");
  await press("p");
  await focusOn(`main [data-testid="proposal-${id}"]`);
  await desk.page.locator(`main [data-testid="proposal-${id}"] [data-testid="approve"]:enabled`).waitFor();
  await tabTo('[data-testid="approve"]');
  await press("Enter");
  assert.equal((await server.call("list_proposals", { state: "waiting" })).length, 1, "Enter never approves");
  await holdSpace();
  await card(id, "done");
});

test("U-912 Ctrl+J leaves a dock open that the focus is not in, and what is typed goes into its field", async () => {
  await press("Control+1");
  await focusOn("[data-region=main]");
  await press("Control+j");
  await focusOn('[data-testid="composer"]');
  await type("what");
  assert.equal(await desk.at("composer").inputValue(), "what");
  await press("Control+a");
  await press("Delete");
  await press("Escape");
  await focusOn("[data-region=main]");
  assert.ok(await desk.at("composer").isVisible());
});

test("U-1901 be denied", async () => {
  await say("move arm-1 to 2 0 1");
  await desk.at("denial").waitFor();
});

test("U-1901 reject", async () => {
  await say("move arm-1 to 0.4 0.1 0.9 at 0.1 m/s");
  const { id } = await waiting();
  await press("g");
  await press("p");
  await focusOn(`main [data-testid="proposal-${id}"]`);
  await press("r");
  await focusOn('[data-testid="reject-note"]');
  await tabTo('[data-testid="reject-not_now"]');
  await press("Enter");
  await card(id, "rejected");
});

test("U-1901 stop every robot, leave the sheet, come back to it, and release", async () => {
  await press("Control+1");
  await focusOn("[data-region=main]");
  await press("Control+.");
  await desk.at("stop-all").filter({ hasText: "STOPPED 4/4" }).waitFor();
  await tabTo('[data-testid="needs-you-stopped"]');
  await press("Enter");
  await focusOn('[data-testid="stop-panel"]');
  await press("Escape");
  await focusOn('[data-testid="needs-you-stopped"]');
  await press("Enter");
  await focusOn('[data-testid="stop-panel"]');
  await tabTo('[data-testid="release-reason"]');
  await type("cell checked, nobody inside");
  await desk.page.locator('[data-testid="release"]:enabled').waitFor();
  await tabTo('[data-testid="release"]');
  // Standstill has to be observed before the station lets go.
  await until("every robot stands still", async () => {
    const { stops } = await server.call("safety_status");
    return stops.every(({ robots }) => robots.every(({ standstill }) => standstill !== false));
  });
  await holdSpace();
  await desk.at("stop-panel").waitFor({ state: "detached" });
});

test(`U-1901 all of it in at most ${PRESSES_MAX} key presses besides the text`, () => {
  assert.ok(presses <= PRESSES_MAX, `${presses} presses`);
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
