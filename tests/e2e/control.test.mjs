// Control of a robot and manual driving: with the keyboard alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, goTo, holdSpace, say, tabTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

/** Two positions this far apart in time are equal only at standstill. */
const STILL_MS = 300;

const id = (testId) => `[data-testid="${testId}"]`;
const holder = (robot, by) => desk.page.locator(`main ${id(`control-${robot}`)}[data-by="${by}"]`).waitFor();
const focused = () => desk.page.evaluate(() => document.activeElement?.dataset.testid);

async function row(robot) {
  return (await server.call("list_robots")).find((row) => row.id === robot);
}

/**
 * Holds a key until the rover is where `isThere` says. A busy machine's link is too slow for jogging now and then: the run
 * ends, as it has to, and a person presses again. Whatever else ends it is a fault.
 */
async function drive(key, direction, isThere) {
  const { keyboard } = desk.page;
  await keyboard.down(key);
  await until(`the rover to go on with ${direction}`, async () => {
    if ((await desk.at("jog-pad-base").getAttribute("data-held")) === direction) return isThere();
    if (/round trip/.test(await desk.at("jog-told").textContent())) {
      await keyboard.up(key);
      await keyboard.down(key);
    }
    return false;
  });
}

test("U-701 U-806 C on a robot takes control of it", async () => {
  const { page } = desk;
  await holder("rover-1", "nobody");
  await tabTo(page, 'main a[href="#/safety/rover-1"]');
  await page.keyboard.press("c");
  await holder("rover-1", "you");
  assert.equal(typeof (await row("rover-1")).control, "object");
});

test("U-705 released to nobody, taken again, and the focus stays with the robot's control", async () => {
  const { page } = desk;
  await page.keyboard.press("Enter");
  await tabTo(page, id("release_control-rover-1"));
  await page.keyboard.press("Enter");
  await holder("rover-1", "nobody");
  await until("the focus on what is left of it", async () => (await focused()) === "control-acts-rover-1");
  await tabTo(page, id("take_control-rover-1"));
  await page.keyboard.press("Enter");
  await holder("rover-1", "you");
});

test("U-706 an arrow key drives while it is held, and letting go stands still", async () => {
  const { page } = desk;
  await tabTo(page, id("arm-rover-1"));
  await page.keyboard.press("Enter");
  await page.locator(`${id("safety-state")}[data-state="armed"]`).waitFor();
  // Jogging is refused while the slowest of the newest round trips is too slow, as those at the start of a busy machine
  // are.
  const slowly = { robot: "rover-1", actuator: "base", linear_mps: [-0.1, 0, 0], angular_radps: [0, 0, 0] };
  await until("a link that is quick enough for jogging", () =>
    server.call("jog", slowly).then(
      () => true,
      () => false,
    ),
  );
  const from = (await row("rover-1")).pose.position_m;
  await tabTo(page, id("jog-y_plus"));
  await drive("ArrowLeft", "x_minus", async () => from[0] - (await row("rover-1")).pose.position_m[0] > 0.2);
  await page.keyboard.up("ArrowLeft");
  await page.locator(`${id("jog-pad-base")}[data-held="none"]`).waitFor();
  const still = async () => {
    const [before] = (await row("rover-1")).pose.position_m;
    await page.waitForTimeout(STILL_MS);
    return Math.abs((await row("rover-1")).pose.position_m[0] - before) < 0.001;
  };
  await until("standstill", still);
  assert.match(await desk.at("jog").textContent(), /not an enabling device/);
});

test("U-706 a hand that turns round at once goes on and comes back", async () => {
  const { page } = desk;
  const x = async () => (await row("rover-1")).pose.position_m[0];
  const from = await x();
  await desk.at("jog-y_plus").focus();
  await drive("ArrowLeft", "x_minus", async () => from - (await x()) > 0.1);
  await page.keyboard.up("ArrowLeft");
  let farthest = Infinity;
  await drive("ArrowRight", "x_plus", async () => {
    const now = await x();
    farthest = Math.min(farthest, now);
    return now - farthest > 0.1;
  });
  await page.keyboard.up("ArrowRight");
  await page.locator(`${id("jog-pad-base")}[data-held="none"]`).waitFor();
});

test("U-706 losing the focus says zero", async () => {
  const { page } = desk;
  await desk.at("jog-y_plus").focus();
  await page.keyboard.down("ArrowUp");
  await page.locator(`${id("jog-pad-base")}[data-held="y_plus"]`).waitFor();
  await desk.at("toggle-dock").focus();
  await page.locator(`${id("jog-pad-base")}[data-held="none"]`).waitFor();
  await page.keyboard.up("ArrowUp");
});

test("U-706 a refusal ends the run and is told", async () => {
  const { page } = desk;
  await server.call("disarm_robot", { robot: "rover-1" });
  await page.locator(`${id("safety-state")}[data-state="disarmed"]`).waitFor();
  await desk.at("jog-x_plus").focus();
  await page.keyboard.down(" ");
  await desk.at("jog-told").filter({ hasText: "armed" }).waitFor();
  await page.keyboard.up(" ");
});

test("U-705 with nobody in control the agent's motion is denied, and the denial offers the act that helps", async () => {
  const { page } = desk;
  await desk.at("release_control-rover-1").press("Enter");
  await holder("rover-1", "nobody");
  // Nobody drives what nobody has.
  await desk.at("jog").waitFor({ state: "detached" });
  await say(desk, "move rover-1 to 1 1 0 at 0.2 m/s");
  const help = page.locator(`${id("denial-control")} ${id("hand_to_agent-rover-1")}`).last();
  await help.waitFor();
  await help.press("Enter");
  await holder("rover-1", "agent");
});

test("U-1202 U-1208 other numbers on a card: denied in place, then sent as the person's own command", async () => {
  const { page } = desk;
  await server.call("arm_robot", { robot: "arm-1" });
  await until("arm-1 to be armed", async () => (await row("arm-1")).state === "armed");
  await say(desk, "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s");
  const waiting = await until("a proposal", async () => (await server.call("list_proposals", { state: "waiting" }))[0]);
  await page.keyboard.press("Control+4");
  const card = page.locator("main").getByTestId(`proposal-${waiting.id}`);
  await card.filter({ hasText: "Still valid?" }).waitFor();
  await page.keyboard.press("F6");
  await tabTo(page, `main ${id("edit")}`);
  await page.keyboard.press("Enter");
  const send = async (metres) => {
    await card.getByRole("textbox", { name: "position x" }).press("Control+a");
    await page.keyboard.type(metres);
    await page.locator(`main ${id("edit-send")}:enabled`).waitFor();
    await tabTo(page, `main ${id("edit-send")}`);
    await holdSpace(page);
  };
  await send("2");
  await desk.at("edit-denied").filter({ hasText: "Denied: workspace x 2.00 m" }).waitFor();
  assert.equal((await server.call("list_proposals", { state: "waiting" })).length, 1, "the card waits as it was");
  await send("0.45");
  await until("the card to close", async () =>
    (await server.call("list_proposals", { state: "voided" })).some((closed) => closed.id === waiting.id),
  );
  await until("the arm to arrive", async () => Math.abs((await row("arm-1")).pose.position_m[0] - 0.45) < 0.02);
});

test("U-1602 a joint gets limits of its own, or the station names the joints there are", async () => {
  const { page } = desk;
  await goTo(page, "/safety/arm-1");
  await desk.at("add-limit").press("Enter");
  await page.getByLabel("Kind").selectOption("joint_limits");
  await desk.at("limit-joint").fill("knee");
  for (const [name, value] of [
    ["Minimum position", "-1"],
    ["Maximum position", "1"],
    ["Maximum joint speed", "0.5"],
  ]) {
    await page.getByRole("textbox", { name }).fill(value);
  }
  await desk.at("limit-submit").press("Enter");
  await page.locator("main form").filter({ hasText: "must be a joint of the robot" }).waitFor();
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => {
  // The browser logs every refusal of the station: of the joint above, and of jogging over a slow link or unarmed.
  const isWanted = (problem) =>
    /status of 422 .*\/op\/register_constraint\)/.test(problem) || /status of 409 .*\/op\/jog\)/.test(problem);
  assertClean({ problems: desk.problems.filter((problem) => !isWanted(problem)) });
});
