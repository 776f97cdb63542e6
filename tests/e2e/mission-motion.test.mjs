// Paths and joint goals of a mission: rows that are changed by pointer and keys, and the bytes that come of it.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk } from "./desk.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

const file = () => join(server.folder, "agents/main/missions", "seam.md");
const source = (path, joints) => `---
robots: [arm-1]
goals:
  - {operation: send_command, name: seam, input: {robot: arm-1, actuator: arm, motion: {path: ${path}}}}  # one line
  - {operation: send_command, name: park, input: {robot: arm-1, actuator: arm, motion: {joints: ${joints}}}}
---
Follow the seam.
`;
const POINTS = "{points_m: [[0.4, 0, 0.6], [0.6, 0, 0.6]], speed_mps: 0.1}";
const JOINTS = "{names: [turn, lift, boom], positions_rad: [0, 0.8, 0.5], speed_radps: 0.3}";
const becomes = (path, joints = JOINTS) =>
  until(`the file has ${path} ${joints}`, async () => (await readFile(file(), "utf8")) === source(path, joints));

/** Presses a button that takes what is measured, which it offers while the measurement is current. */
async function pressOnceMeasured(testId) {
  await desk.page.locator(`[data-testid="${testId}"]:enabled`).press("Enter");
}

async function type(testId, text) {
  await desk.at(testId).fill(text);
  await desk.at(testId).press("Enter");
}

test("ME-17 a path is changed, moved by key and by dragging, and each change is the bytes that typing makes", async () => {
  const { page, at } = desk;
  await writeFile(file(), source(POINTS, JOINTS));
  await goTo(page, "/missions/seam/form");
  await type("form-goals-1-input-2-x", "0.7");
  await becomes("{points_m: [[0.4, 0, 0.6], [0.7, 0, 0.6]], speed_mps: 0.1}");
  await pressOnceMeasured("form-goals-1-input-here");
  await becomes("{points_m: [[0.4, 0, 0.6], [0.7, 0, 0.6], [0.3, 0, 0.8]], speed_mps: 0.1}");
  await at("form-goals-1-input-3-move").press("ArrowUp");
  await becomes("{points_m: [[0.4, 0, 0.6], [0.3, 0, 0.8], [0.7, 0, 0.6]], speed_mps: 0.1}");
  await until("the handle has moved with it", () =>
    page.evaluate(() => document.activeElement?.getAttribute("data-testid") === "form-goals-1-input-2-move"),
  );
  await at("form-goals-1-input-3-move").dragTo(at("form-goals-1-input-1-x"));
  await becomes("{points_m: [[0.7, 0, 0.6], [0.4, 0, 0.6], [0.3, 0, 0.8]], speed_mps: 0.1}");
  // The second press builds on the first, which is still on its way.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await becomes("{points_m: [[0.4, 0, 0.6], [0.3, 0, 0.8], [0.7, 0, 0.6]], speed_mps: 0.1}");
  await at("form-goals-1-input-3-remove").press("Enter");
  await becomes("{points_m: [[0.4, 0, 0.6], [0.3, 0, 0.8]], speed_mps: 0.1}");
  await type("form-goals-1-input-1-y", "left");
  await at("form-goals-1-input-1-y-problem").getByText("Not a number").waitFor();
  assert.deepEqual(await findings(page), []);
  await at("form-goals-1-input-1-y").press("Escape");
  await at("form-goals-1-input-1-y-problem").waitFor({ state: "detached" });
});

test("ME-17 waypoints are added by a press on the scene, and moved there by keys", async () => {
  const { page, at } = desk;
  await at("form-goals-1-input-pick").press("Enter");
  await at("handle-waypoint-2").waitFor();
  const { x, y, width, height } = await at("pick-place").getByTestId("scene").boundingBox();
  await page.mouse.click(x + width * 0.6, y + height * 0.4);
  await at("handle-waypoint-3").waitFor();
  assert.match((await at("pick-place-at").textContent()) ?? "", /^3 waypoints in base_link/);
  const before = await at("handle-waypoint-1").getAttribute("data-at");
  await at("handle-waypoint-1").focus();
  await page.keyboard.press("ArrowRight");
  await until("it has moved", async () => (await at("handle-waypoint-1").getAttribute("data-at")) !== before);
  assert.deepEqual(await findings(page), []);
  await at("pick-place-take").click();
  await until("three in the file", async () =>
    /points_m: \[\[0\.45, 0, 0\.6\], \[0\.3, 0, 0\.8\], \[[-\d.]+, [-\d.]+, 0\.8\]\]/.test(
      await readFile(file(), "utf8"),
    ),
  );
  await at("graph-undo").click();
  await becomes("{points_m: [[0.4, 0, 0.6], [0.3, 0, 0.8]], speed_mps: 0.1}");
});

test("ME-17 a joint goal has a row for each joint with its limits, and takes the measured positions", async () => {
  const { page, at } = desk;
  const path = "{points_m: [[0.4, 0, 0.6], [0.3, 0, 0.8]], speed_mps: 0.1}";
  assert.match((await at("form-goals-2-input-joints").textContent()) ?? "", /−1\.3 … 1\.3 rad.*−0\.1 … 1\.6 m/);
  // The form has read what was written last: a number that is typed meanwhile asks for a second Enter.
  await until("the way in the form", async () => (await at("form-goals-1-input-1-x").inputValue()) === "0.4");
  await type("form-goals-2-input-joint-turn", "1.5");
  await becomes(path, JOINTS.replace("[0, 0.8", "[1.5, 0.8"));
  await at("form-goals-2-input-joint-turn-problem").getByText("The robot takes −1.3 … 1.3 rad.").waitFor();
  assert.deepEqual(await findings(page), []);
  await pressOnceMeasured("form-goals-2-input-here");
  await at("form-goals-2-input-joint-turn-problem").waitFor({ state: "detached" });
  await until("what is measured", async () =>
    /positions_rad: \[0, [\d.]+, [\d.]+\], speed/.test(await readFile(file(), "utf8")),
  );
});

for (const theme of ["light", "dark"]) {
  test(`U-2001 no serious finding on the motions of a form in the ${theme} theme`, async () => {
    const other = await openDesk(browser, server, { route: "/missions/seam/form", theme });
    await other.at("form-goals-2-input-joints").waitFor();
    assert.deepEqual(await findings(other.page), []);
    assertClean(other);
    await other.close();
  });
}

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
