// Memory: what happened is found by words, a note is taken, and nothing waits for review unseen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, holdSpace, openDesk, tabTo } from "./desk.mjs";
import { browser, desk, server } from "./site.mjs";
import { until } from "./server.mjs";

test("U-1901 a note is taken by keyboard, and the station says where it stands", async () => {
  const { page, at } = desk;
  await goTo(page, "/memory/notes");
  await at("note-text").waitFor();
  await tabTo(page, '[data-testid="note-title"]');
  await page.keyboard.type("Gate");
  await page.keyboard.press("Tab");
  await page.keyboard.type("The gate opens inwards.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await at("noted").getByText("knowledge.md").waitFor();
});

test("PN-06 with nothing to review the screen says what would wait there", async () => {
  await desk.page.getByRole("radio", { name: "Reviews (0)" }).click();
  await desk.page.getByText("Nothing waits for you").waitFor();
});

test("E2-09 before anything is looked for the screen says what memory keeps", async () => {
  await desk.page.getByRole("radio", { name: "Search", exact: true }).click();
  await desk.page.getByText("Memory keeps what happened").waitFor();
  assert.equal(await desk.at("memory-submit").isDisabled(), true);
});

for (const theme of ["light", "dark"]) {
  test(`U-2001 no serious finding in the ${theme} theme`, async () => {
    const other = await openDesk(browser, server, { route: "/memory", theme });
    for (const route of ["/memory", "/memory/reviews", "/memory/notes"]) {
      await goTo(other.page, route);
      await other.page.locator("main h2").first().waitFor();
      assert.deepEqual(await findings(other.page), [], route);
    }
    assertClean(other);
    await other.close();
  });
}

test("E2-11 an Admin forgets words everywhere, and is shown first which places hold them", async () => {
  const { page, at } = desk;
  await goTo(page, "/memory");
  await at("memory-query").fill("inwards");
  await at("memory-submit").click();
  const act = page.locator("main").getByRole("button", { name: "Act as Admin" });
  if ((await act.count()) > 0) await act.click();
  await until("the right to forget", () => at("memory-forget-words").isEnabled());
  await at("memory-forget-words").click();
  await at("memory-reason").fill("asked by the family");
  await at("memory-dry-run").click();
  await at("held-in").getByText("Note files: 1").waitFor();
  assert.deepEqual(await findings(page), []);
  await until("the hold", () => at("memory-forget-submit").isEnabled());
  await tabTo(page, '[data-testid="memory-forget-submit"]');
  await holdSpace(page);
  await at("forgotten").getByText("Note files: 1").waitFor();
  assert.doesNotMatch(JSON.stringify(await server.call("list_notes", {})), /inwards/);
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));

test("U-1903 the palette opens a belief and a search of memory by keyboard", async () => {
  await server.call("update_belief", { subject: "gate-1", predicate: "opens", value: "inwards", confidence: 0.9 });
  const { page, at, close } = await openDesk(browser, server);
  await page.keyboard.press("Control+k");
  await at("palette").waitFor();
  assert.deepEqual(await findings(page), []);
  await page.keyboard.type("inwards");
  await page.getByRole("option", { name: /gate-1 opens = inwards/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "gate-1 · opens" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("inwards");
  await page.getByRole("option", { name: /Search memory/ }).click();
  assert.equal(await at("memory-query").inputValue(), "inwards");
  await close();
});
