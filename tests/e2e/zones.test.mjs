// Limits on the scene: a zone is drawn where it is meant, moved by its handles or keys, and in force only after the form.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, tabTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

const choice = (label) => desk.page.getByLabel(label, { exact: true });
const field = (label) => desk.page.getByRole("textbox", { name: label, exact: true });
const numberIn = async (label) => Number(await field(label).inputValue());

/** Presses at one place and lets go at another. */
async function drag([fromX, fromY], [toX, toY]) {
  await desk.page.mouse.move(fromX, fromY);
  await desk.page.mouse.down();
  await desk.page.mouse.move(toX, toY, { steps: 4 });
  await desk.page.mouse.up();
}
const middleOf = async (locator) => {
  await locator.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await locator.boundingBox();
  return [x + width / 2, y + height / 2];
};

test("FU-14 a zone drawn on the scene of the site opens in the form with its numbers", async () => {
  const { page, at } = desk;
  await goTo(page, "/overview");
  await at("scene-robot-rover-2").waitFor({ state: "attached" });
  await at("robot-tile-rover-1").click({ position: { x: 250, y: 60 } });
  await at("draw-zone").click();
  await at("zone-bar").waitFor();
  assert.deepEqual(await findings(page), []);
  const [x, y] = await middleOf(at("scene").first());
  await drag([x + 40, y + 40], [x + 140, y + 110]);
  await at("handle-x-max").waitFor();
  const before = await middleOf(at("handle-x-max"));
  await drag(before, [before[0] + 30, before[1]]);
  await until("moved", async () => Math.abs((await middleOf(at("handle-x-max")))[0] - before[0] - 30) <= 2);
  assert.deepEqual(await findings(page), []);
  await at("check-zone").click();
  await page.waitForURL(/#\/safety\/rover-1\/new\//);
  await choice("Kind").waitFor();
  assert.equal(await choice("Kind").inputValue(), "keep_out_box");
  assert.equal(await choice("Frame").inputValue(), "map");
  assert.equal(await numberIn("z min"), -0.5);
  assert.ok((await numberIn("x min")) < (await numberIn("x max")));
});

test("U-1601 handles are moved by pointer and by keys, and the fields say the same", async () => {
  const { page, at } = desk;
  const before = await numberIn("x max");
  await tabTo(page, '[data-testid="handle-x-max"]');
  await page.keyboard.press("ArrowRight");
  await until("a step", async () => Math.abs((await numberIn("x max")) - before - 0.05) < 0.001);
  await page.keyboard.press("Shift+ArrowLeft");
  await until("a fine step", async () => Math.abs((await numberIn("x max")) - before - 0.04) < 0.001);
  const width = (await numberIn("y max")) - (await numberIn("y min"));
  const [x, y] = await middleOf(at("handle-middle"));
  await drag([x, y], [x, y - 40]);
  await until("moved up", async () => (await middleOf(at("handle-middle")))[1] < y - 30);
  assert.ok(Math.abs((await numberIn("y max")) - (await numberIn("y min")) - width) < 0.001);
  assert.deepEqual(await findings(page), []);
});

test("U-1601 the zone is in force once the form has added it, and only then", async () => {
  const { at } = desk;
  const boxes = async () =>
    (await server.call("list_constraints", { robot: "rover-1" })).filter(({ constraint }) => constraint.KeepOutBox);
  assert.deepEqual(await boxes(), []);
  const upper = await numberIn("x max");
  await at("limit-submit").click();
  const [{ constraint, frame }] = await until("a limit", async () => {
    const found = await boxes();
    return found.length > 0 && found;
  });
  assert.equal(constraint.KeepOutBox.max[0], upper);
  assert.equal(frame, "map");
});

test("U-1601 a workspace takes the place of the robot, with the room that was typed", async () => {
  const { page, at } = desk;
  await goTo(page, "/safety/rover-2");
  await at("add-limit").click();
  await choice("Kind").selectOption("workspace");
  await field("Room around the robot").fill("2");
  await at("use-pose").click();
  assert.ok(Math.abs((await numberIn("x max")) - (await numberIn("x min")) - 4) < 0.001);
  await at("draw-limit").click();
  const [x, y] = await middleOf(page.locator("form").getByTestId("scene"));
  await drag([x - 60, y - 40], [x + 60, y + 40]);
  await until("drawn", async () => Math.abs((await numberIn("x max")) - (await numberIn("x min")) - 4) > 0.01);
  assert.ok(Math.abs((await numberIn("z max")) - (await numberIn("z min")) - 4) < 0.001, "from above, z stays");
  assert.deepEqual(await findings(page), []);
});

test("U-1601 a limit is drawn on the robot's own scene, moved there by keys, and opens in the form with its numbers", async () => {
  const { page, at } = desk;
  await goTo(page, "/safety/arm-1");
  await at("hero-limit").waitFor();
  await at("draw-limit").click();
  const [x, y] = await middleOf(at("scene").first());
  await drag([x + 40, y + 40], [x + 140, y + 110]);
  await at("handle-x-max").waitFor();
  const before = await at("handle-x-max").getAttribute("data-at");
  await at("handle-x-max").focus();
  await page.keyboard.press("ArrowRight");
  await until("moved", async () => (await at("handle-x-max").getAttribute("data-at")) !== before);
  assert.deepEqual(await findings(page), []);
  await at("hero-check").click();
  await choice("Kind").waitFor();
  assert.equal(await choice("Kind").inputValue(), "keep_out_box");
  assert.equal(await choice("Frame").inputValue(), "base_link");
  assert.ok((await numberIn("x min")) < (await numberIn("x max")));
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
