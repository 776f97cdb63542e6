// Causes that hold a robot, reasons that deny a motion, and the way on from there: with the keyboard alone.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertClean, findings, goTo, holdSpace, say, tabTo, untilFocused } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

const id = (testId) => `[data-testid="${testId}"]`;
const state = (name) => desk.page.locator(`${id("safety-state")}[data-state="${name}"]`).waitFor();

/** Acknowledges a cause once it is over, from wherever the focus is. */
async function acknowledge(cause, reason) {
  await desk.page.locator(`${id(`acknowledge-${cause}`)}:enabled`).waitFor();
  await tabTo(desk.page, id(`acknowledge-${cause}`));
  await desk.page.keyboard.press("Enter");
  await desk.at(`acknowledge-form-${cause}-reason`).waitFor();
  await desk.page.keyboard.type(reason);
  await desk.page.keyboard.press("Enter");
  await desk.at(`cause-${cause}`).waitFor({ state: "detached" });
}

test("U-707 U-1901 by keyboard: arm, hold, acknowledge with a reason, and the robot is armed again", async () => {
  const { page } = desk;
  await page.keyboard.press("Control+8");
  await tabTo(page, 'main a[href="#/safety/arm-1"]');
  await page.keyboard.press("Enter");
  await state("disarmed");
  await tabTo(page, id("arm-arm-1"));
  await page.keyboard.press("Enter");
  await state("armed");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await state("hold");
  assert.match(await desk.at("cause-hold_requested").textContent(), /Hold requested.*an Operator acknowledges it/);
  await acknowledge("hold_requested", "cell checked");
  await state("armed");
  await untilFocused(page, '[data-testid="safety-state"]');
});

test("U-801 U-707 a frozen sensor holds the robot, is named in Overview, and is acknowledged once it is over", async () => {
  await server.call("arm_robot", { robot: "rover-1" });
  const goal = { position_m: [0, 2, 0], speed_mps: 0.2 };
  // A sample that comes late on a busy machine denies a motion, and a robot that is to stand has no frozen sensor.
  const send = { robot: "rover-1", actuator: "base", motion: { pose_goal: goal } };
  await until("the rover is sent", async () => (await server.call("send_command", send)).verdict.overall === "allow");
  await server.call("inject_fault", { target: "rover-1", fault: "frozen_sensor", on: true });
  await desk.page.keyboard.press("Control+1");
  await desk.at("robot-tile-rover-1").filter({ hasText: "Sensor frozen" }).waitFor();
  await server.call("inject_fault", { target: "rover-1", fault: "frozen_sensor", on: false });
  await tabTo(desk.page, `${id("robot-tile-rover-1")} a[href="#/safety/rover-1"]`);
  await desk.page.keyboard.press("Enter");
  await state("hold");
  await acknowledge("sensor_frozen", "looked at the rover, it moves");
  await state("armed");
});

test("U-1604 U-1606 a denial says where it is wrong and what would be right, and is drawn", async () => {
  await say(desk, "move arm-1 to 2 0 1 at 0.2 m/s");
  const facts = desk.at("denial-facts");
  await facts.waitFor();
  assert.match(
    await facts.textContent(),
    /Worst point\(2\.00, 0\.00, 1\.00\) m.*1\.09 m.*Nearest allowed\(0\.9\d\d, 0\.000, 1\.000\) m/,
  );
  await desk.at("denial-scene").locator("canvas").waitFor();
  const margins = await desk.at("denial").locator("tbody tr td:last-child").allTextContents();
  assert.match(margins[0] ?? "", /^−1\.09 m$/);
});

test("U-1604 U-1606 a denial opens in full, with every limit beside its scene, and leads back", async () => {
  const { page } = desk;
  await desk.at("open-denial").press("Enter");
  const denied = desk.at("denied-page");
  await denied.getByRole("heading", { name: /workspace x 2\.00 m/ }).waitFor();
  assert.match(await denied.textContent(), /Denied at \d\d:\d\d:\d\d, arm-1.*Nothing was sent/);
  const [scene, limits] = [denied.getByTestId("denial-scene"), denied.locator("table")];
  await scene.locator("canvas").waitFor();
  await until("they stand side by side", async () => {
    const [drawn, listed] = [await scene.boundingBox(), await limits.boundingBox()];
    return drawn.width >= 400 && drawn.height >= 360 && listed.x >= drawn.x + drawn.width;
  });
  assert.match((await limits.locator("tbody tr").allTextContents())[0], /Workspace x max.*−1\.09 m/);
  assert.deepEqual(await findings(page), []);
  await page.goBack();
  await denied.waitFor({ state: "detached" });
});

test("U-1604 a denial is planned again, saved, and leads to its limit", async () => {
  const { page } = desk;
  await desk.at("replan").focus();
  await page.keyboard.press("Enter");
  const planned = await until("a sentence", async () => await desk.at("composer").inputValue());
  assert.match(planned, /^move arm-1 to 0\.8\d* 0 1 in base_link at 0\.2 m\/s$/);
  await untilFocused(page, '[data-testid="composer"]');

  const [download] = await Promise.all([page.waitForEvent("download"), desk.at("save-case").press("Enter")]);
  const saved = JSON.parse(await readFile(await download.path(), "utf8"));
  assert.deepEqual(saved.command.motion.pose_goal.position_m, [2, 0, 1]);
  assert.equal(saved.verdict.set_version, saved.set_version);

  await desk.at("denial").getByText("Open limit").press("Enter");
  await page.locator(`${id("limit-manifest-workspace")}[aria-current="true"]`).waitFor();
  const box = await desk.at("mode").boundingBox();
  assert.ok(box && box.y >= 0, "the top bar stays where it is");
});

test("U-1204 U-1208 what was planned again is approved by holding Space, not by Enter", async () => {
  const { page } = desk;
  await desk.at("composer").press("Enter");
  const waiting = await until("a proposal", async () => (await server.call("list_proposals", { state: "waiting" }))[0]);
  assert.equal(waiting.tier, "high");
  await goTo(page, `/approvals/${waiting.id}`);
  const card = page.locator("main").getByTestId(`proposal-${waiting.id}`);
  await card.filter({ hasText: "Duration (straight-line estimate)" }).waitFor();
  await page.locator(`main ${id("approve")}:enabled`).waitFor();
  await page.keyboard.press("F6");
  await tabTo(page, `main ${id("approve")}`);
  await page.keyboard.press("Enter");
  assert.equal((await server.call("list_proposals", { state: "waiting" })).length, 1, "Enter approves nothing");
  await holdSpace(page);
  await page.locator(`main ${id(`proposal-${waiting.id}`)}[data-state="done"]`).waitFor();
});

test("U-610 a robot that did not confirm the stop is not released before somebody has looked at it", async () => {
  await server.call("inject_fault", { target: "rover-2", fault: "no_ack", on: true });
  await desk.page.keyboard.press("Control+.");
  const blockers = desk.at("release-blockers");
  await blockers.filter({ hasText: "rover-2" }).waitFor();
  await desk.at("release-choose").click();
  assert.equal(
    await desk.at("stop-panel").getByRole("checkbox", { name: "rover-2 cannot be released yet" }).isDisabled(),
    true,
  );
  await server.call("inject_fault", { target: "rover-2", fault: "no_ack", on: false });
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
