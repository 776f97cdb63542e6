// Numbers over time: added by key and by drag, read at a cursor, and a threshold that becomes a rule.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk, tabTo } from "./desk.mjs";
import { browser, desk, server } from "./site.mjs";

const HEAT = "oven.temperature";
const line = (name) => desk.at(`plot-line-${name}`);
const field = (page, name) => page.getByRole("button", { name, exact: true });

test("U-1113 a field is plotted by key, found by its name", async () => {
  const { page } = desk;
  await goTo(page, "/world/plot");
  await field(page, HEAT).waitFor();
  assert.deepEqual(await findings(page), []);
  await page.locator("main").focus();
  await page.keyboard.press("/");
  await page.keyboard.type("oven temp");
  await field(page, "oven.smoke").waitFor({ state: "detached" });
  await tabTo(page, "main button[aria-pressed]");
  await page.keyboard.press("Enter");
  await line(HEAT)
    .getByText(/^\d{3}\.\d °C$/)
    .first()
    .waitFor();
  await desk.at("plot-filter").fill("");
});

test("U-1113 a field is dragged onto the plot, and lines of other units have a lane of their own", async () => {
  const { page } = desk;
  await field(page, "oven.smoke").dragTo(desk.at("plot"));
  await line("oven.smoke").waitFor();
  await field(page, "temperature lab/oven-1/out/state").click();
  await line("lab/oven-1/out/state temperature").getByText("Make provider…").waitFor();
  assert.equal(await desk.at("plot-lanes").locator("svg").count(), 2);
  assert.deepEqual(await findings(page), []);
});

test("U-1113 the cursor is moved by the pointer and by keys, and the table says what held there", async () => {
  const { page } = desk;
  const lanes = desk.at("plot-lanes");
  await lanes.hover({ position: { x: 3, y: 20 } });
  await desk.at("plot-lines").getByText("At cursor").waitFor();
  assert.match(await line("lab/oven-1/out/state temperature").locator("td").first().textContent(), /^–$/);
  await page.locator("header h1").hover();
  await desk.at("plot-lines").getByText("Newest").waitFor();
  await lanes.focus();
  await page.keyboard.press("ArrowLeft");
  assert.match(await lanes.getAttribute("aria-valuetext"), /^3\.0 s ago$/);
  await page.keyboard.press("Escape");
  assert.equal(await lanes.getAttribute("aria-valuetext"), "now");
});

test("U-1113 a threshold is dragged, moved by key, and becomes a rule in its form", async () => {
  const { page } = desk;
  await page.getByLabel(`Add threshold of ${HEAT}`).click();
  const handle = page.getByRole("slider", { name: `Threshold of ${HEAT}` });
  const before = Number(await handle.getAttribute("aria-valuenow"));
  const { x, y, width, height } = await handle.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y - 20);
  await page.mouse.up();
  const dragged = Number(await handle.getAttribute("aria-valuenow"));
  assert.ok(dragged > before, `${before} to ${dragged}`);
  await handle.focus();
  await page.keyboard.press("PageUp");
  const moved = Number(await handle.getAttribute("aria-valuenow"));
  assert.ok(moved > dragged);
  await desk.at("plot-make-rule").press("Enter");
  assert.equal(await desk.at("rule-predicate").textContent(), `${HEAT} > ${moved}`);
  await desk.at("rule-cause").fill("The oven is hot.");
  await desk.at("rule-response").fill("Switch the oven off.");
  await desk.at("rule-submit").press("Enter");
  await desk.at("rule-table").getByText(`${HEAT} > ${moved}`).waitFor();
});

test("U-1113 what is plotted is there again after the window was closed", async () => {
  await goTo(desk.page, "/world/plot");
  await line(HEAT).waitFor();
  await desk.page.reload();
  await line("oven.smoke").waitFor();
  await desk.page.getByLabel("Remove oven.smoke from the plot").click();
  await line("oven.smoke").waitFor({ state: "detached" });
  assertClean(desk);
  const other = await openDesk(browser, server, { route: "/world/plot" });
  await other.page.getByText("Nothing is plotted").waitFor();
  await other.close();
});
