// A limit in force is moved on the scene of the site, and changed only in the form that opens with its numbers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, tabTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

const BOX = { min: [0.5, 1, -0.5], max: [1.5, 2, 2] };
const boxNow = async () => {
  const rows = await server.call("list_constraints", { robot: "rover-1" });
  return rows.find(({ constraint }) => constraint.KeepOutBox);
};
const numberIn = async (label) =>
  Number(await desk.page.getByRole("textbox", { name: label, exact: true }).inputValue());
const middleOf = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return [x + width / 2, y + height / 2];
};
const drag = async (id, [right, down]) => {
  const { page, at } = desk;
  const [x, y] = await middleOf(at(id));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + right, y + down, { steps: 4 });
  await page.mouse.up();
};
const direction = (wanted) => desk.page.locator(`[data-testid="limit-means"][data-direction="${wanted}"]`).waitFor();

test("U-1601 a limit in force is moved by its handles, says which way, and changes nothing by itself", async () => {
  const { page, at } = desk;
  await server.call("register_constraint", {
    robot: "rover-1",
    constraint_type: "keep_out_box",
    params_json: JSON.stringify(BOX),
    frame: "map",
  });
  const { id } = await boxNow();
  await goTo(page, "/overview");
  await at("change-limit").click();
  await page.locator(`[data-testid="limit-bar"] option[value="${id}"]`).waitFor({ state: "attached" });
  await page.getByLabel("Limit", { exact: true }).selectOption(id);
  await at("handle-x-max").waitFor();
  assert.deepEqual(await findings(page), []);
  await drag("handle-x-max", [30, 0]);
  await direction("tighter");
  await drag("handle-x-max", [-60, 0]);
  await direction("looser");
  assert.deepEqual((await boxNow()).constraint.KeepOutBox, BOX);
  await page.keyboard.press("Escape");
  await at("limit-bar").waitFor({ state: "detached" });
  assert.deepEqual((await boxNow()).constraint.KeepOutBox, BOX);
});

test("U-1601 a press on its outline chooses it", async () => {
  const { page, at } = desk;
  await at("change-limit").click();
  await page.getByLabel("Limit", { exact: true }).selectOption((await boxNow()).id);
  await at("handle-x-min").waitFor();
  const fromMiddle = async (id) => {
    const [[x, y], [middleX, middleY]] = [await middleOf(at(id)), await middleOf(at("scene").first())];
    return [x - middleX, y - middleY];
  };
  const [left, down] = await fromMiddle("handle-x-min");
  const [, top] = await fromMiddle("handle-y-max");
  await page.keyboard.press("Escape");
  await at("limit-bar").waitFor({ state: "detached" });
  // Without the bar the scene is higher, and shows the same around its middle. Between two handles there is the edge alone.
  await until("the scene is drawn at its new height", () =>
    page
      .locator("main canvas")
      .first()
      .evaluate((canvas) => Math.abs(canvas.height - canvas.clientHeight * devicePixelRatio) <= 1),
  );
  const [middleX, middleY] = await middleOf(at("scene").first());
  await page.mouse.click(middleX + left, middleY + (down + top) / 2);
  await at("handle-x-max").waitFor();
  await page.keyboard.press("Escape");
});

test("U-1601 U-2002 by keys: 5 cm, with Shift 1 cm, and the form opens with what stands there", async () => {
  const { page, at } = desk;
  await goTo(page, "/world/rover-1");
  await at("change-limit").click();
  await until("the focus in the bar", () => page.evaluate(() => document.activeElement?.matches("select") === true));
  await page.getByLabel("Limit", { exact: true }).selectOption((await boxNow()).id);
  await at("handle-x-max").waitFor();
  await tabTo(page, '[data-testid="handle-x-max"]');
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await direction("tighter");
  assert.match(await at("limit-means").textContent(), /x max 1\.50 → 1\.56 m/);
  assert.equal(await at("handle-x-max").getAttribute("aria-valuetext"), "1.56 m");
  assert.deepEqual(await findings(page), []);
  await at("check-limit").focus();
  await page.keyboard.press("Enter");
  await at("limit-submit").waitFor();
  assert.equal(await numberIn("x max"), 1.56);
  assert.deepEqual((await boxNow()).constraint.KeepOutBox, BOX);
  await at("limit-submit").click();
  await until("the change", async () => (await boxNow()).constraint.KeepOutBox.max[0] === 1.56);
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
