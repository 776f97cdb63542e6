// World state, the sources of its entries, and making a provider from samples: with the keyboard.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertClean, findings, goTo, openBrowser, openDesk, tabTo } from "./desk.mjs";
import { robotsLive, startServer, until } from "./server.mjs";

const TOPIC = "lab/cam-1/vision/detections";

let server;
let browser;
let desk;

before(async () => {
  server = await startServer("--with-sim");
  browser = await openBrowser();
  await robotsLive(server);
  desk = await openDesk(browser, server, { route: "/world" });
});
after(async () => {
  await browser?.close();
  await server?.end();
});

const main = (selector) => desk.page.locator(`main ${selector}`);
const provider = async (template) =>
  (await server.call("list_contexts")).find(({ config }) => config.world_state_key_template === template);

test("U-1101 / filters, and the number that is left is told", async () => {
  const { page } = desk;
  for (const key of ["person.location", "oven.smoke", "oven.temperature"]) await desk.at(`world-row-${key}`).waitFor();
  await page.locator("main").focus();
  await page.keyboard.press("/");
  await page.keyboard.type("oven");
  await desk.at("world-row-person.location").waitFor({ state: "detached" });
  await page
    .locator("main [role=status]")
    .first()
    .filter({ hasText: /2 of \d+ entries/ })
    .waitFor();
  await page.keyboard.press("Escape");
  await desk.at("world-row-person.location").waitFor();
});

test("U-1101 every key has its history beside it", async () => {
  await desk
    .at("world-row-oven.temperature")
    .getByRole("img", { name: "The last 5 min of oven.temperature" })
    .waitFor();
});

test("U-1101 a key says why it is here: the claims, the provider, the raw sample", async () => {
  const { page } = desk;
  await tabTo(page, 'main a[href="#/world/key/person.location"]');
  await page.keyboard.press("Enter");
  const entry = desk.at("entry");
  await entry.getByRole("row").filter({ hasText: "lab/cam-1" }).filter({ hasText: "shown" }).waitFor();
  await desk
    .at("raw-sample")
    .filter({ hasText: /"label": "\w+"/ })
    .waitFor();
  await entry.getByText("{label}.location").waitFor();
  await desk.at("history").waitFor();
});

test("U-1105 topics are listed with their rate and what is in them", async () => {
  const { page } = desk;
  await goTo(page, "/world/topics");
  const row = desk.at("topics").getByRole("row").filter({ hasText: TOPIC });
  await row.filter({ hasText: /\d\.\d Hz/ }).waitFor();
  await row.getByRole("link").press("Enter");
  await desk
    .at("topic")
    .getByRole("row", { name: /bearing_rad.*number/ })
    .waitFor();
  await desk.at("topic-sample").filter({ hasText: '"zone"' }).waitFor();
});

test("U-1106 a provider is made of the sample's fields, and its matches are seen before it is saved", async () => {
  const { page } = desk;
  await page.getByRole("link", { name: "Make provider…" }).press("Enter");
  await tabTo(page, '[aria-label="Use label as Key part"]');
  await page.keyboard.press("Enter");
  await main('[aria-label="Use bearing_rad as Value"]').press("Enter");
  await desk.at("provider-world_state_key_template").press("End");
  await page.keyboard.type(".bearing");
  const preview = desk.at("provider-preview");
  await preview.filter({ hasText: "→ person.bearing = " }).waitFor();
  await preview.filter({ hasText: /Matched: \d+ of (1 row|\d+ rows) in the last (sample|\d+ samples)/ }).waitFor();
});

test("Q-02 a filter that cannot be is pointed at while it is typed", async () => {
  const { page } = desk;
  await desk.at("provider-filter").fill("confidence >> 0.5");
  const problem = page.locator('[id$="-problem"]').filter({ hasText: "column 13" });
  await problem.waitFor();
  assert.match(await problem.textContent(), /\n {12}\^/);
  await desk.at("provider-filter").fill("confidence > 2");
  await desk.at("provider-preview").filter({ hasText: "kept out by the filter" }).waitFor();
  assert.equal(await desk.at("provider-submit").isDisabled(), true, "nothing matches");
  await desk.at("provider-filter").fill("confidence > 0.5");
  await desk.at("provider-preview").filter({ hasText: "→ person.bearing = " }).waitFor();
});

test("U-1106 saved, it writes entries and is listed with what it does", async () => {
  const { page } = desk;
  await page.locator('[data-testid="provider-submit"]:enabled').press("Enter");
  const made = await until("the provider", () => provider("{label}.bearing"));
  await desk.at(`provider-${made.id}`).filter({ hasText: "Running" }).waitFor();
  await goTo(page, "/world");
  await desk.at("world-row-person.bearing").waitFor();
});

test("WS-47 it is changed as it was when the form opened, and not otherwise", async () => {
  const { page } = desk;
  const made = await provider("{label}.bearing");
  await goTo(page, `/world/providers/${made.id}`);
  await desk.at("provider-filter").fill("confidence > 0.6");
  await desk.at("provider-preview").filter({ hasText: "→ person.bearing = " }).waitFor();
  await page.locator('[data-testid="provider-submit"]:enabled').press("Enter");
  await until("the change", async () => (await provider("{label}.bearing")).config.filter.includes("0.6"));
});

test("WS-47 it is removed after one more question, and what it wrote leaves the world", async () => {
  const { page } = desk;
  const made = await provider("{label}.bearing");
  await goTo(page, "/world/providers");
  await desk.at(`provider-remove-${made.id}`).press("Enter");
  await desk.at(`provider-remove-yes-${made.id}`).press("Enter");
  await desk.at(`provider-${made.id}`).waitFor({ state: "detached" });
  await until(
    "no bearing",
    async () => !(await server.call("list_world_state")).some(({ key }) => key === "person.bearing"),
  );
});

for (const theme of ["light", "dark"]) {
  test(`U-2001 no serious finding with an entry, a topic and a provider opened in the ${theme} theme`, async () => {
    const other = await openDesk(browser, server, { theme });
    for (const [route, testId] of [
      ["/world/key/oven.temperature", "history"],
      [`/world/topics/${encodeURIComponent(TOPIC)}`, "topic"],
      [`/world/providers/new/${encodeURIComponent(TOPIC)}`, "sample-fields"],
    ]) {
      await goTo(other.page, route);
      await other.at(testId).waitFor();
      assert.deepEqual(await findings(other.page), [], route);
    }
    assertClean(other);
    await other.close();
  });
}

test("U-110 the window spoke to its station only, within its policy and without an error", () => {
  // The browser logs every refusal of the station; those of filters that cannot be are wanted.
  assertClean({ problems: desk.problems.filter((problem) => !problem.includes("status of 422")) });
});
