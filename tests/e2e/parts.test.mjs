// The parts of the window, each in each of its states, as they are drawn and as they act.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk, untilFocused } from "./desk.mjs";
import { browser, desk, server } from "./site.mjs";
import { until } from "./until.mjs";

const PARTS = [
  "Meaning",
  "Robot glyph",
  "A value and its age",
  "Chips",
  "Table of limits",
  "Robot tile",
  "Inbox item",
  "Quote",
  "Buttons",
  "Hold button",
  "Segments, tabs and toolbar",
  "Fields",
  "Splitter",
  "Panel states",
  "Dialog and toast",
];

/** Computed styles of the first element of a selector. */
const styles = (page, selector, ...names) =>
  page
    .locator(selector)
    .first()
    .evaluate(
      (element, wanted) => Object.fromEntries(wanted.map((name) => [name, getComputedStyle(element)[name]])),
      names,
    );
const token = (page, name) =>
  page.evaluate((wanted) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(${wanted})`;
    const colour = getComputedStyle(probe).color;
    probe.remove();
    return colour;
  }, name);
const open = async (theme) => {
  const other = await openDesk(browser, server, { route: "/parts", theme });
  await other.at("parts").waitFor();
  return other;
};

for (const theme of ["light", "dark"]) {
  test(`U-2001 U-301 every part is there in the ${theme} theme, and axe finds nothing serious`, async () => {
    const other = await open(theme);
    const shown = await other.page
      .locator("[data-part]")
      .evaluateAll((parts) => parts.map(({ dataset }) => dataset.part));
    assert.deepEqual(shown, PARTS);
    assert.equal(await other.page.evaluate(() => document.documentElement.dataset.theme), theme);
    assert.deepEqual(await findings(other.page), []);
    assertClean(other);
    await other.close();
  });

  test(`U-301 the parts are drawn with the tokens of the ${theme} theme`, async () => {
    const { page, close } = await open(theme);
    const primary = await styles(
      page,
      '[data-part="Buttons"] button',
      "backgroundColor",
      "color",
      "height",
      "borderTopWidth",
    );
    assert.deepEqual(primary, {
      backgroundColor: await token(page, "--action-fill"),
      color: await token(page, "--action-text"),
      height: "32px",
      borderTopWidth: "0px",
    });
    const first = await styles(page, '[data-part="Inbox item"] [data-priority="1"]', "backgroundColor");
    assert.equal(first.backgroundColor, await token(page, "--alarm-p1-tint"));
    const agent = await styles(page, '[data-part="Chips"] [data-kind="agent"]', "backgroundColor", "height");
    assert.deepEqual(agent, { backgroundColor: await token(page, "--predicted-tint"), height: "22px" });
    await close();
  });
}

test("FU-23 figures are tabular at values only: set on all text they widen the hyphen of an id", async () => {
  const { page, close } = await open("light");
  const features = async (selector) => (await styles(page, selector, "fontFeatureSettings")).fontFeatureSettings;
  assert.doesNotMatch(await features("body"), /tnum/);
  assert.match(await features('[data-part="A value and its age"] [data-freshness="live"]'), /tnum/);
  assert.match(await features('[data-part="Table of limits"] tbody td'), /tnum/);
  assert.match(await features("footer time"), /tnum/);
  await close();
});

test("U-1204 a hold button keeps its box in all of its states, and acts once it was held for a second", async () => {
  const { page, at, close } = await open("light");
  const boxes = await page
    .locator('[data-part="Hold button"] button')
    .evaluateAll((buttons) => buttons.map((button) => `${button.offsetWidth} x ${button.offsetHeight}`));
  assert.equal(boxes.length, 5);
  assert.deepEqual([...new Set(boxes)], ["248 x 48"]);
  await page.locator('[data-testid="hold-ready"]:enabled').focus();
  await page.keyboard.press("Enter");
  assert.equal(await at("hold-acted").textContent(), "0");
  await page.keyboard.down(" ");
  await page.locator('[data-testid="hold-ready"][data-phase="holding"]').waitFor();
  await page.locator('[data-testid="hold-acted"]', { hasText: "1" }).waitFor();
  await page.keyboard.up(" ");
  await close();
});

test("U-1901 segments, tabs, the switch and the splitter are worked by keys", async () => {
  const { page, at, close } = await open("light");
  await page.getByRole("radio", { name: "Top" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "Front", checked: true }).waitFor();
  await page.getByRole("tab", { name: "Front", selected: true }).focus();
  await page.keyboard.press("ArrowRight");
  await at("tab-shown").getByText("side").waitFor();
  await page.getByRole("switch", { name: "Sound" }).press(" ");
  assert.equal(await page.getByRole("switch", { name: "Sound" }).isChecked(), false);

  const width = () =>
    at("parts-split")
      .locator("section")
      .first()
      .evaluate((part) => part.offsetWidth);
  const before = await width();
  const separator = at("parts-split").getByRole("separator");
  await separator.press("ArrowRight");
  await page.waitForFunction(
    (least) => document.querySelector('[data-testid="parts-split"] section').offsetWidth >= least,
    before + 7,
  );
  assert.equal(await width(), before + 8);
  await close();
});

test("U-204 a splitter is dragged, is remembered, and a double click resets it", async () => {
  const { page, at, close } = await open("light");
  const part = at("parts-split").locator("section").first();
  const width = () => part.evaluate((element) => element.offsetWidth);
  const separator = at("parts-split").getByRole("separator");
  const before = await width();
  await separator.scrollIntoViewIfNeeded();
  const { x, y, height } = await separator.boundingBox();
  await page.mouse.move(x + 1, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 41, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await until(`${before + 40} px`, async () => Math.abs((await width()) - before - 40) <= 2);
  const moved = await width();
  await page.reload();
  await part.waitFor();
  await until("the width that it had", async () => Math.abs((await width()) - moved) <= 1);
  await separator.dblclick();
  await page.waitForFunction(
    (wanted) => document.querySelector('[data-testid="parts-split"] section').offsetWidth === wanted,
    before,
  );
  await close();
});

test("U-205 U-601 a dialog opens below the top bar on its safe answer, and STOP ALL stays in reach", async () => {
  const { page, at, close } = await open("light");
  await at("open-dialog").click();
  await at("parts-dialog").waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "Keep it");
  const stop = await at("stop-all").boundingBox();
  const over = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x, y)?.closest("button")?.dataset.testid,
    [stop.x + stop.width / 2, stop.y + stop.height / 2],
  );
  assert.equal(over, "stop-all");
  await page.getByRole("button", { name: /STOP ALL/ }).waitFor();
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Escape");
  await at("parts-dialog").waitFor({ state: "detached" });
  await untilFocused(page, '[data-testid="open-dialog"]');

  await at("show-toast").click();
  await at("toast").getByText("Shift report deleted").waitFor();
  await at("toast").getByRole("button", { name: "Undo" }).click();
  await at("toast").waitFor({ state: "detached" });
  await close();
});

test("U-110 the window spoke to its station only, within its policy and without an error", async () => {
  await goTo(desk.page, "/parts");
  await desk.at("parts").waitFor();
  assertClean(desk);
});
