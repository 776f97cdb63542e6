// What somebody meets who sees the window for the first time: finding things, first steps, and a simulator that ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo } from "./desk.mjs";
import { robotsLive, until } from "./server.mjs";
import { desk, server } from "./site.mjs";

test("FU-13 the palette finds a robot, acts and screens, and Enter opens the first", async () => {
  const { page, at } = desk;
  await page.keyboard.press("Control+k");
  await at("palette").waitFor();
  assert.deepEqual(await findings(page), []);
  await page.keyboard.type("rover-1");
  await page.getByRole("option", { name: /Take control of rover-1/ }).waitFor();
  await page.getByRole("option", { name: /Search memory/ }).waitFor();
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Escape");
  await at("palette").waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("approve");
  await page.getByRole("option", { name: /^Approvals/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/approvals/);
});

test("FU-13 STOP ALL acts while the palette is open", async () => {
  const { page, at } = desk;
  await page.keyboard.press("Control+k");
  await at("palette").waitFor();
  const box = await at("stop-all").boundingBox();
  const top = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x, y)?.closest("[data-testid=stop-all]") !== null,
    [box.x + box.width / 2, box.y + box.height / 2],
  );
  assert.ok(top, "nothing lies over STOP ALL");
  await page.keyboard.press("Escape");
});

test("FU-28 in the smallest window the limits of a robot begin in sight", async () => {
  const { page, at } = desk;
  await page.setViewportSize({ width: 1280, height: 800 });
  await goTo(page, "/safety/arm-1");
  await at("add-limit").waitFor();
  await until("Add limit in the upper part", async () => {
    const box = await at("add-limit").boundingBox();
    return box.y + box.height < 500;
  });
  await page.setViewportSize({ width: 1400, height: 900 });
});

test("FU-28 the robot among its limits stays in sight beside the keys that drive it", async () => {
  const { page, at } = desk;
  await page.setViewportSize({ width: 1280, height: 800 });
  await server.call("arm_robot", { robot: "arm-1" });
  await goTo(page, "/safety/arm-1");
  await at("jog").scrollIntoViewIfNeeded();
  await until("the scene in sight, and the keys beside it", async () => {
    const [scene, keys] = [await at("scene").boundingBox(), await at("jog").boundingBox()];
    return scene.y >= 0 && scene.y + scene.height <= 800 && keys.x >= scene.x + scene.width;
  });
  assert.deepEqual(await findings(page), []);
  await server.call("disarm_robot", { robot: "arm-1" });
  await page.setViewportSize({ width: 1400, height: 900 });
});

test("U-1803 FU-20 the first steps tick themselves, and can be put away", async () => {
  const { page, at } = desk;
  await goTo(page, "/overview");
  const step = (name) => page.locator(`[data-step=${name}]`);
  await until("a robot is seen", async () => (await step("see").getAttribute("data-done")) === "true");
  assert.equal(await step("stop").getAttribute("data-done"), "false");
  assert.deepEqual(await findings(page), []);
  await at("hide-steps").press("Enter");
  await at("first-steps").waitFor({ state: "detached" });
});

test("U-1706 FU-20 a fault begins and ends in Admin", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/simulator");
  await page.getByRole("radio", { name: "rover-1" }).press("Enter");
  await at("begin-drop_link").press("Enter");
  await at("toast").getByText("rover-1: Link lost has begun.").waitFor();
  assert.deepEqual(await findings(page), []);
  const link = async () => (await server.call("list_robots")).find(({ id }) => id === "rover-1").link;
  await until("the link is lost", async () => (await link()) === "lost");
  await at("end-drop_link").press("Enter");
  await until("the link is back", async () => (await link()) === "live");
});

test("FU-16 a simulator that has ended is started again from the overview", async () => {
  const { page, at } = desk;
  await goTo(page, "/overview");
  await server.call("stop_simulator");
  await at("restart-simulator").waitFor();
  assert.deepEqual(await findings(page), []);
  await at("restart-simulator").press("Enter");
  await robotsLive(server);
  await at("restart-simulator").waitFor({ state: "detached" });
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
