// Beliefs: the tree, the timeline with its evidence, and what a person can do, by pointer and by keyboard.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, holdSpace, openDesk, tabTo, untilFocused } from "./desk.mjs";
import { browser, desk, server } from "./site.mjs";
import { until } from "./server.mjs";

const DOOR = { subject: "front_door_camera", predicate: "is_reliable" };

const door = () => server.call("get_belief", DOOR);
const say = (value, confidence) =>
  server.call("update_belief", { ...DOOR, value, confidence, source: "heartbeat_monitor" });

/** Marks on the line and rows of the table: both hold what the history holds. */
async function marksAre(count) {
  await until(
    `${count} marks`,
    async () => (await desk.at("mark-table").locator("tbody tr[data-mark]").count()) === count,
  );
}

test("U-1405 with nothing held the screen says what a belief is, with an example", async () => {
  await goTo(desk.page, "/beliefs");
  await desk.page.getByText("No beliefs yet").waitFor();
  await desk.page.getByText("remember person location = hallway").waitFor();
});

test("U-1401 a belief appears under its subject without asking again, and the search finds it", async () => {
  await say("true", 0.95);
  await say("true", 0.9);
  await say("false", 0.2);
  await desk.at("belief-front_door_camera-is_reliable").waitFor();
  await desk.at("belief-search").fill("no such thing");
  await desk.page.getByText("No belief matches").waitFor();
  await desk.at("belief-search").fill("DOOR");
  await desk.at("belief-front_door_camera-is_reliable").click();
  await desk.page.getByRole("heading", { name: "front_door_camera · is_reliable" }).waitFor();
});

test("U-2004 the table holds the same marks as the history", async () => {
  const { id } = await door();
  const { rows } = await server.call("belief_history", { id });
  await marksAre(rows.length);
  const kinds = await desk
    .at("mark-table")
    .locator("tbody tr[data-mark]")
    .evaluateAll((lines) => lines.map((line) => line.dataset.mark));
  // Marks a person made have a shape of their own.
  assert.equal(kinds.at(-1), "created");
  assert.ok(
    kinds.includes("contradicted") || kinds.includes("replaced") || kinds.includes("operator"),
    kinds.join(" "),
  );
});

test("U-1402 arrows go from mark to mark, and Enter opens the evidence", async () => {
  const { page } = desk;
  await tabTo(page, '[data-testid="timeline"]');
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await untilFocused(page, '[data-testid="evidence"]');
  await desk.at("evidence").getByText("Created").waitFor();
});

test("U-1405 plus and minus zoom, shifted arrows move, and 0 shows all of it", async () => {
  const { page } = desk;
  const span = async () => {
    const field = desk.at("timeline");
    return { from: Number(await field.getAttribute("data-from")), to: Number(await field.getAttribute("data-to")) };
  };
  await desk.at("timeline").focus();
  const whole = await span();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  const near = await span();
  assert.ok(near.to - near.from < whole.to - whole.from, JSON.stringify({ whole, near }));
  await page.keyboard.press("Shift+ArrowRight");
  assert.ok((await span()).from > near.from);
  await page.keyboard.press("0");
  const again = await span();
  // Both ends are whole seconds, and the later one goes on with the time.
  assert.ok(again.to - again.from >= whole.to - whole.from - 1, JSON.stringify({ whole, again }));
});

test("U-1403 confirming counts at once", async () => {
  const { confirmation_count } = await door();
  await desk.at("belief-confirm").click();
  await until("a confirmation", async () => (await door()).confirmation_count === confirmation_count + 1);
});

test("U-1403 a person corrects the value by keyboard, and a wrong confidence is said at its field", async () => {
  const { page } = desk;
  await desk.at("belief-correct").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("maybe");
  await page.keyboard.press("Tab");
  await page.keyboard.type("7");
  await page.getByText("0 to 1", { exact: true }).waitFor();
  assert.equal(await desk.at("correct-submit").isDisabled(), true);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("0,9");
  await page.keyboard.press("Enter");
  await until("the other value", async () => (await door()).value === "maybe");
  await desk.at("belief-value").getByText("maybe").waitFor();
});

test("U-1403 a pin says until when, and is taken off again", async () => {
  await desk.at("belief-pin").click();
  await desk.page.getByLabel("Keep its confidence for").selectOption("week");
  await desk.at("pin-submit").click();
  await desk.page.getByText("Pinned until").first().waitFor();
  const { pinned_until } = await door();
  assert.ok(pinned_until > Date.now() / 1_000 + 6 * 86_400);
  await desk.at("belief-unpin").click();
  await until("no pin", async () => (await door()).pinned_until === null);
});

test("U-2001 no serious finding, in both themes, with a belief and its evidence in sight", async () => {
  const { id } = await door();
  for (const theme of ["light", "dark"]) {
    const other = await openDesk(browser, server, { route: `/beliefs/${id}`, theme });
    await other.at("mark-table").locator("button").first().click();
    await other.at("belief-correct").click();
    assert.deepEqual(await findings(other.page), [], theme);
    assertClean(other);
    await other.close();
  }
});

test("U-1403 an Admin forgets it with a reason and a hold, and it is gone", async () => {
  const { page } = desk;
  const act = desk.page.locator("main").getByRole("button", { name: "Act as Admin" });
  if ((await act.count()) > 0) await act.click();
  await desk.at("belief-forget").click();
  await desk.at("forget-reason").fill("no such camera any more");
  await until("the right to forget", () => desk.at("forget-submit").isEnabled());
  await tabTo(page, '[data-testid="forget-submit"]');
  await holdSpace(page);
  await page.getByText("No beliefs yet").or(page.getByText("No belief matches")).waitFor();
  await assert.rejects(door(), /belief_not_found/);
});

test("U-110 the window spoke to its station only, within its policy", () => {
  // The timeline may ask once more about the belief that is just being forgotten; the browser notes the refusal.
  assert.deepEqual(
    desk.problems.filter((problem) => !problem.startsWith("console: Failed to load resource")),
    [],
  );
});
