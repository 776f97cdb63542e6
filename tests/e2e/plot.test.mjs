// Numbers over time: added by key and by drag, read at a cursor, and a threshold that becomes a rule.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk, tabTo } from "./desk.mjs";
import { browser, desk, server } from "./site.mjs";
import { until } from "./until.mjs";

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
  const value = async () => Number(await handle.getAttribute("aria-valuenow"));
  await until("a higher threshold", async () => (await value()) > before);
  const dragged = await value();
  await handle.focus();
  await page.keyboard.press("PageUp");
  await until("a step higher", async () => (await value()) > dragged);
  const moved = await value();
  await desk.at("plot-make-rule").press("Enter");
  assert.equal(await desk.at("rule-predicate").textContent(), `${HEAT} > ${moved}`);
  await desk.at("rule-cause").fill("The oven is hot.");
  await desk.at("rule-response").fill("Switch the oven off.");
  await desk.at("rule-submit").press("Enter");
  await desk.at("rule-table").getByText(`${HEAT} > ${moved}`).waitFor();
});

test("U-1113 a fast topic is heard ten times a second while it is plotted, and no longer", async () => {
  const { page } = desk;
  const topic = "lab/rover-1/out/state/pose";
  await server.call("watch_topic", { key_expr: topic, wait_secs: 1 });
  await goTo(page, "/world/plot");
  await desk.at("plot-filter").fill("rover-1 pose");
  const first = page.locator("main button[aria-pressed]").filter({ hasText: topic }).first();
  await first.waitFor();
  let asked = 0;
  const count = (request) => {
    if (request.url().endsWith("/watch_topic")) asked += 1;
  };
  page.on("request", count);
  await first.click();
  await until("twenty looks", async () => asked >= 20);
  await goTo(page, "/overview");
  await desk.page.getByTestId("stop-all").waitFor();
  asked = 0;
  const rested = Date.now();
  await until("two seconds later", async () => Date.now() - rested > 2_000);
  assert.ok(asked <= 1, `${asked} looks after it was left`);
  page.off("request", count);
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
