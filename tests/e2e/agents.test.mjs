// Several agents on one station: a desk shows one of them, and nothing of another gets onto its screen.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertClean, openBrowser, openDesk, say, tabTo } from "./desk.mjs";
import { robotsLive, startServer, until } from "./server.mjs";

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

test("with one agent there is nothing to choose", async () => {
  await desk.at("world-row-person.location").waitFor();
  assert.equal(await desk.at("agent-switch").count(), 0);
});

test("IS-03 an Admin makes another agent with the keyboard, and it is shown: its world is empty", async () => {
  const { page } = desk;
  await desk.at("composer").focus();
  await page.keyboard.press("F6");
  await tabTo(page, '[data-testid="agent-new"]');
  await page.keyboard.press("Enter");
  await page.keyboard.type("Night Watch");
  await page.getByText("1 to 64 characters: a to z").waitFor();
  await desk.at("agent-new-id").fill("night-watch");
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Agent shown" }).waitFor();
  await until("it is shown", async () => (await desk.at("agent-switch").inputValue()) === "night-watch");
  await page.getByText("The station knows nothing yet").waitFor();
});

test("IS-01 what is said to one agent is in its conversation only", async () => {
  const { page } = desk;
  await say(desk, "status");
  const log = page.getByRole("log");
  await log.getByText("status", { exact: true }).waitFor();
  await desk.at("agent-switch").selectOption("main");
  await desk.at("world-row-person.location").waitFor();
  await page.getByText("Try one of these").waitFor();
  assert.equal(await log.getByText("status", { exact: true }).count(), 0);
});

test("IS-02 the choice is kept for this window", async () => {
  const { page } = desk;
  await desk.at("agent-switch").selectOption("night-watch");
  await page.reload();
  await page.getByRole("log").getByText("status", { exact: true }).waitFor();
  assert.equal(await desk.at("agent-switch").inputValue(), "night-watch");
  await page
    .locator("footer")
    .getByText(/night-watch (idle|working)/)
    .waitFor();
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
