// The whole path in the real window: see robots, move the arm by an approved proposal, be denied, stop everything.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openWindow, until } from "./window.mjs";

const ROBOTS = ["arm-1", "rover-1", "rover-2", "gate-1"];

/** An approval of the highest tier is held for a second; longer here, because the page of a busy machine sees the press late. */
const HOLD_MS = 4_000;

let page;
let close;

before(async () => {
  ({ page, close } = await openWindow());
  await page.browser.execute(() => {
    window.violations = [];
    addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
  });
});
after(async () => close?.());

const say = async (text) => {
  await page.type("composer", text);
  await page.click("send");
};

test("simulated robots are shown, and live", async () => {
  for (const robot of ROBOTS) await page.shown(`robot-tile-${robot}`);
  assert.match(await page.text("mode"), /SIM/);
  await until("every robot answers", async () => {
    const robots = await page.ask("list_robots");
    return ROBOTS.every((id) => robots.find((robot) => robot.id === id)?.link === "live");
  });
});

test("the arm moves by an approved proposal", async () => {
  const before = await armPosition();
  await page.click("arm-arm-1");
  await until("arm-1 is armed", async () => (await robot("arm-1")).state === "armed");
  await say("move arm-1 to 0.5 0.2 1.0 at 0.2 m/s");
  const proposal = await until("a proposal waits", async () => (await proposals("waiting"))[0]);
  await page.open("approvals");
  await page.shown(`proposal-${proposal.id}`);
  await page.hold("approve", HOLD_MS);
  await until("the card says done", async () => {
    return (await page.attribute(`proposal-${proposal.id}`, "data-state")) === "done";
  });
  // It is done once the arm is near; the last millimetres come with the samples after.
  await until("the arm is there", async () => distance(await armPosition(), [0.5, 0.2, 1.0]) < 0.02);
  assert.ok(distance([0.5, 0.2, 1.0], before) > 0.1, "the arm had to move");
});

test("a motion outside the workspace is denied, and every limit is listed", async () => {
  const before = await armPosition();
  await page.open("overview");
  await say("move arm-1 to 2 0 1");
  assert.match(await page.text("denial"), /workspace/i);
  assert.deepEqual(await proposals("waiting"), []);
  assert.ok(distance(await armPosition(), before) < 0.02, "a denied motion must not begin");
});

test("STOP ALL is acknowledged by every robot", async () => {
  await page.click("stop-all");
  await page.shown("stop-panel");
  for (const id of ROBOTS) {
    await until(`${id} acknowledges`, async () => (await page.attribute(`stop-robot-${id}`, "data-acked")) === "true");
    assert.equal((await robot(id)).state, "safe_stop");
  }
  const refused = await page.ask("arm_robot", { robot: "arm-1" });
  assert.ok(refused.refusal?.code, "a stopped robot is not armed before it is released");
});

test("the page kept to its policy", async () => {
  assert.deepEqual(await page.browser.execute(() => window.violations), []);
});

const robot = async (id) => (await page.ask("list_robots")).find((row) => row.id === id);
const armPosition = async () => (await robot("arm-1")).pose.position_m;
const proposals = (state) => page.ask("list_proposals", { state });
const distance = (a, b) => Math.hypot(...a.map((part, axis) => part - b[axis]));
