// Nothing moves under the hand: the rows of a list keep their places while somebody is about to act on one of them.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { assertClean } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

const AWAY = [2, 2];

const names = () =>
  desk.page
    .locator('[data-testid^="robot-tile-"]')
    .evaluateAll((rows) => rows.map((row) => row.dataset.testid.slice("robot-tile-".length)));
const troubled = (trouble) =>
  desk.page.locator(`[data-testid="robot-tile-rover-2"][data-trouble="${trouble}"]`).waitFor();
const lose = (on) => server.call("inject_fault", { target: "rover-2", fault: "drop_link", on });

afterEach(async () => {
  await lose(false);
  await desk.page.mouse.move(...AWAY);
  await desk.page.evaluate(() => document.activeElement?.blur());
  await until("a link that answers", async () =>
    (await server.call("list_robots")).every(({ link }) => link === "live"),
  );
});

test("U-801 the order of the robots holds while the pointer is on an Arm button, and the trouble shows in place", async () => {
  const button = desk.at("arm-rover-1");
  await button.hover();
  const before = await names();
  assert.notEqual(before[0], "rover-2");
  const place = await button.boundingBox();
  await lose(true);
  await troubled("link_lost");
  assert.deepEqual(await names(), before);
  assert.equal((await button.boundingBox()).y, place.y);

  await desk.page.mouse.move(...AWAY);
  await until("the abnormal robot comes first", async () => (await names())[0] === "rover-2");
});

test("U-801 the same while the focus is on it", async () => {
  await desk.page.mouse.move(...AWAY);
  await until("no trouble", async () => (await names())[0] !== "rover-2");
  await desk.at("arm-rover-1").focus();
  const before = await names();
  await lose(true);
  await troubled("link_lost");
  assert.deepEqual(await names(), before);
  assert.equal(await desk.page.evaluate(() => document.activeElement?.dataset.testid), "arm-rover-1");
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
