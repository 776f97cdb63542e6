// The first run: what STOP ALL is not, where the robots are, what the agent may do, and a model or none.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertClean, findings, openBrowser, openDesk, tabTo } from "./desk.mjs";
import { robotsLive, startServer, until } from "./server.mjs";

let server, browser, desk;

before(async () => {
  server = await startServer();
  browser = await openBrowser();
  desk = await openDesk(browser, server, { route: "/" });
});
after(async () => {
  await browser?.close();
  await server?.end();
});

test("U-1801 U-612 a window without an address opens on what STOP ALL is not", async () => {
  const { page, at } = desk;
  await at("welcome-notice").waitFor();
  const text = await at("welcome-notice").textContent();
  assert.match(text, /It is not an emergency stop in the sense of ISO 13850 or IEC 60204-1 and does not replace one\./);
  assert.equal(await at("welcome-stop").getAttribute("data-done"), "false");
  assert.deepEqual(await findings(page), []);
});

test("U-612 acceptance by keyboard is kept by the station with the name of the desk, once", async () => {
  const { page, at } = desk;
  await tabTo(page, '[data-testid="welcome-accept"]');
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/welcome\/robots/);
  await desk.page.locator('[data-testid="welcome-stop"][data-done="true"]').waitFor();
  const first = await server.call("notice_state");
  assert.ok(first.accepted_by && first.accepted_at_ms > 0);
  assert.deepEqual(await server.call("accept_notice"), first);
  const audit = await server.call("list_audit");
  assert.ok(audit.some(({ operation, outcome }) => operation === "accept_notice" && outcome === "ok"));
  assert.match(await at("welcome-stop").textContent(), /Accepted by/);
});

test("U-1801 the simulator starts from the second step, which ticks itself", async () => {
  const { page, at } = desk;
  assert.deepEqual(await findings(page), []);
  await at("welcome-robots-go").filter({ hasText: "Start simulator" }).press("Enter");
  await robotsLive(server);
  await page.locator('[data-testid="welcome-robots"][data-done="true"]').waitFor();
  await at("scene").waitFor();
  assert.deepEqual(await findings(page), []);
  await at("welcome-robots-go").filter({ hasText: "Continue" }).press("Enter");
  await page.waitForURL(/#\/welcome\/agent/);
});

test("U-1801 the mode of the agent is chosen by arrow keys, and no model is needed", async () => {
  const { page, at } = desk;
  await page.getByRole("radio", { name: /Ask for everything/ }).focus();
  await page.keyboard.press("ArrowDown");
  await until("the mode", async () => (await server.call("list_agents"))[0].mode === "assist");
  await page.getByRole("radio", { name: "Ask for motion", checked: true }).waitFor();
  await page.keyboard.press("ArrowUp");
  await until("the mode again", async () => (await server.call("list_agents"))[0].mode === "ask");
  assert.deepEqual(await findings(page), []);
  await at("welcome-agent-go").press("Enter");
  await at("welcome-finish").filter({ hasText: "Continue without" }).waitFor();
  assert.deepEqual(await findings(page), []);
  await at("welcome-finish").press("Enter");
  await page.waitForURL(/#\/overview/);
});

test("U-1801 a station whose notice was accepted opens on the overview", async () => {
  const other = await openDesk(browser, server, { route: "/", theme: "dark" });
  await other.page.waitForURL(/#\/overview/);
  await other.close();
});

for (const [theme, width, height] of [
  ["dark", 1280, 800],
  ["light", 1440, 900],
  ["dark", 720, 800],
]) {
  test(`U-2001 no finding in any step, ${theme}, ${width} × ${height}`, async () => {
    for (const step of ["stop", "robots", "agent", "model"]) {
      // One window after the other: they share the two processors.
      // oxlint-disable-next-line no-await-in-loop
      const other = await openDesk(browser, server, { route: `/welcome/${step}`, theme });
      await other.at("toggle-dock").click();
      await other.page.setViewportSize({ width, height });
      await other.page.locator(`[data-step="${step}"] h1`).waitFor();
      assert.deepEqual(await findings(other.page), []);
      await other.close();
    }
  });
}

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
