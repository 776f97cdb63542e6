// Keys of this desk: changed by keyboard alone, shown wherever a key is shown, and never those of STOP ALL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, tabTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

const isOn = (selector) => desk.page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);
const press = (key) => desk.page.keyboard.press(key);
const printed = (id) => desk.page.locator(`[data-testid="key-row-${id}"] kbd`).textContent();
/** Begins to choose the key of an action, by keyboard. */
const change = async (id) => {
  await desk.at(`change-${id}`).focus();
  await press("Enter");
  await until("the focus on what takes the key", () => isOn('[data-testid="take-key"]'));
};
const hash = () => desk.page.evaluate(() => location.hash);

test("U-1902 the key of an action is changed by pressing another one", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/shortcuts");
  await at("shortcut-table").waitFor();
  assert.deepEqual(await findings(page), []);
  await tabTo(page, '[data-testid="change-go_missions"]');
  await press("Enter");
  await until("the focus on what takes the key", () => isOn('[data-testid="take-key"]'));
  assert.deepEqual(await findings(page), []);
  await press("m");
  assert.match(await at("key-told").textContent(), /needs Ctrl/);
  await press("Control+3");
  assert.match(await at("key-told").textContent(), /World/);
  assert.match(await hash(), /shortcuts/, "what is pressed here opens nothing");
  await press("Control+m");
  await until("the new key", async () => (await printed("go_missions")) === "Ctrl+M");
  await until("the focus on the row again", () => isOn('[data-testid="change-go_missions"]'));
  assert.match(await at("key-said").textContent(), /Missions: Ctrl\+M/);
});

test("U-1902 it acts at once, the old one no longer, and every hint says so", async () => {
  const { page, at } = desk;
  const link = page.locator('[data-region="rail"] a[href="#/missions"]');
  await until("the hint", async () => (await link.getAttribute("title")) === "Ctrl+M");
  assert.equal(await link.getAttribute("aria-keyshortcuts"), "Control+m");
  await press("Control+2");
  await press("?");
  await at("shortcut-sheet").waitFor();
  assert.match(await hash(), /shortcuts/);
  assert.match(await at("shortcut-sheet").innerText(), /Missions\s+Ctrl\+M/);
  await press("Escape");
  await press("Control+k");
  await page.keyboard.type("missions");
  await page
    .getByRole("option", { name: /^Missions/ })
    .first()
    .getByText("Ctrl+M")
    .waitFor();
  await press("Escape");
  await press("Control+m");
  await until("the missions", async () => /missions/.test(await hash()));
  await at("mission-new").waitFor();
});

test("U-1902 another key is swapped when asked to, and kept on this computer", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/shortcuts");
  await change("go_world");
  await press("Control+m");
  await tabTo(page, '[data-testid="swap-keys"]');
  await press("Enter");
  await until(
    "the swap",
    async () => (await printed("go_world")) === "Ctrl+M" && (await printed("go_missions")) === "Ctrl+3",
  );
  await page.reload();
  await at("shortcut-table").waitFor();
  assert.equal(await printed("go_world"), "Ctrl+M");
});

test("U-1902 U-603 what stops the robots stops them while a key is being chosen, too", async () => {
  const { at } = desk;
  await change("palette");
  await press("Control+.");
  await until("a stop of every robot", async () => (await server.call("safety_status")).stops.length > 0);
  assert.match(await at("take-key").textContent(), /Press the new key/);
  await press("Escape");
});

test("U-1902 keys that write are switched off as a whole, and everything is reset", async () => {
  const { page, at } = desk;
  await page.reload();
  await goTo(page, "/admin/shortcuts");
  await at("shortcut-table").waitFor();
  await page.getByRole("switch", { name: /Letters/ }).focus();
  await press(" ");
  await page.locator('[data-testid="key-row-reject"][data-off="true"]').waitFor();
  await page.locator("[data-region=main]").focus();
  await press("?");
  await press("g");
  await press("a");
  assert.match(await hash(), /shortcuts/);
  assert.equal(await at("shortcut-sheet").count(), 0);
  await page.getByRole("switch", { name: /Letters/ }).focus();
  await press(" ");
  await at("reset-keys").focus();
  await press("Enter");
  await until("the keys of the table", async () => (await printed("go_world")) === "Ctrl+3");
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));

test("FU-13 letters that follow the palette's key at once are all in it, and none is taken for another key", async () => {
  const { page, at } = desk;
  await page.reload();
  await page.locator("[data-region=main]").waitFor();
  await goTo(page, "/alarms");
  await press("Control+k");
  await page.keyboard.type("rover-1");
  await until("all letters", async () => (await at("palette").inputValue()) === "rover-1");
  await press("Escape");
  await at("palette").waitFor({ state: "detached" });
  assert.match(await hash(), /alarms/);
  assertClean(desk);
});
