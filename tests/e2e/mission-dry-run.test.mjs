// A dry run of a mission, and a mission that is made by talking: both by keyboard, and nothing happens by them.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertClean, findings, goTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

const fileOf = (id) => join(server.folder, "agents/main/missions", `${id}.md`);
const step = (name, position) =>
  `  - {operation: send_command, name: ${name}, input: {robot: arm-1, actuator: arm, motion: {pose_goal: {position_m: ${position}, speed_mps: 0.2}}}}\n`;
const ACROSS = `---
robots: [arm-1]
constraints:
  - {type: forbidden_zone, params: {center: [0.5, 0.0, 0.4], radius: 0.1}, reason: the press}
goals:
${step("left", "[0.5, 0.4, 0.4]")}${step("right", "[0.5, -0.4, 0.4]")}  - {wait_secs: 5}
---
Reach across.
`;

test("MO-18 MO-19 a dry run is started and read by keyboard, and says once its file has changed", async () => {
  const { page, at } = desk;
  await writeFile(fileOf("across"), ACROSS);
  await goTo(page, "/missions/across/dry-run");
  await at("dry-run-start").focus();
  await page.keyboard.press("Enter");
  await at("dry-run-outcome").waitFor();
  assert.equal(await at("dry-run-outcome").textContent(), "Goal 2 would be denied.");
  const row = (goal) => at(`dry-step-${goal}-row`);
  assert.equal(await row(1).getAttribute("data-decision"), "allow");
  assert.equal(await row(2).getAttribute("data-decision"), "deny");
  assert.equal(await row(3).getAttribute("data-reached"), "false");
  await at("dry-step-2-open").focus();
  await page.keyboard.press("Enter");
  await at("decision-scene").waitFor();
  assertClean(desk);
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Enter");
  await at("dry-step-2").waitFor({ state: "detached" });
  assert.match((await at("dry-run-recorded").textContent()) ?? "", /last 24 hours/);
  await writeFile(fileOf("across"), ACROSS.replace("radius: 0.1", "radius: 0.05"));
  await at("dry-run-stale").waitFor();
});

test("ME-16 a mission asked for in the chat stands as a draft beside the words, and is opened by keyboard", async () => {
  const { page, at } = desk;
  await goTo(page, "/overview");
  if (!(await at("composer").isVisible())) await at("toggle-dock").press("Enter");
  await at("composer").focus();
  await page.keyboard.type("patrol the loading dock every evening at ten until friday");
  await page.keyboard.press("Enter");
  const card = at("draft-patrol-of-the-loading-dock");
  await card.waitFor();
  assert.match((await card.textContent()) ?? "", /Patrol of the loading dock/);
  const source = await readFile(fileOf("patrol-of-the-loading-dock"), "utf8");
  assert.match(source, /cron: "0 22 \* \* \*"/);
  assertClean(desk);
  await at("draft-open-patrol-of-the-loading-dock").focus();
  await page.keyboard.press("Enter");
  await at("mission-state").waitFor();
  assert.equal(await at("mission-state").getAttribute("data-state"), "draft");
  await until("its title", async () =>
    (await page.locator("h2").allTextContents()).includes("Patrol of the loading dock"),
  );
});

test("ME-17 a motion is changed in fields, taken from the robot, and picked on the scene by keyboard", async () => {
  const { page, at } = desk;
  await goTo(page, "/missions/across/form");
  const textOf = () => readFile(fileOf("across"), "utf8");
  const says = (pattern) => until(`the file has ${pattern}`, async () => pattern.test(await textOf()));
  await at("form-goals-1-input-x").fill("0.45");
  await at("form-goals-1-input-x").press("Enter");
  await says(/name: left, .*position_m: \[0\.45, 0\.4, 0\.4\]/);
  const field = async () => (await at("form-goals-1-input-x").inputValue()) === "0.45";
  await until("the field has it", field);
  await at("form-goals-1-input-x").fill("");
  await at("form-goals-1-input-x").press("Enter");
  await at("form-goals-1-input-x-problem").getByText("Enter a number.").waitFor();
  await at("form-goals-1-input-x").press("Escape");
  await until("the number of the file is put back", field);
  assert.match(await textOf(), /name: left, .*position_m: \[0\.45, 0\.4, 0\.4\]/);
  // It is offered while the pose is measured.
  await page.locator('[data-testid="form-goals-2-input-here"]:enabled').press("Enter");
  await says(/name: right, .*position_m: \[0\.3, 0, 0\.8\]/);
  await at("form-goals-1-input-pick").press("Enter");
  await at("pick-place").waitFor();
  const before = await at("pick-place-at").textContent();
  await at("handle-goal").focus();
  await page.keyboard.press("ArrowRight");
  await until("the goal has moved", async () => (await at("pick-place-at").textContent()) !== before);
  assert.deepEqual(await findings(page), []);
  await at("pick-place-take").press("Enter");
  await until("the file has moved too", async () => !/name: left, .*position_m: \[0\.45,/.test(await textOf()));
  assert.match(await textOf(), /reason: the press\}/, "what was not touched stays");
  assertClean(desk);
});
