// Mission files: dropped, imported, written, edited and put away in the window, while others change them too.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk } from "./desk.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

const fileOf = (id) => join(server.folder, "agents/main/missions", `${id}.md`);
const textOf = (id) => readFile(fileOf(id), "utf8");

/** Drops files from the desktop on the screen, as the browser does it. */
async function drop(page, files) {
  const data = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const [name, text] of list) transfer.items.add(new File([text], name, { type: "text/markdown" }));
    return transfer;
  }, files);
  const place = page.getByTestId("mission-drop");
  await place.dispatchEvent("dragover", { dataTransfer: data });
  await place.dispatchEvent("drop", { dataTransfer: data });
}

/** The station has seen the file of a mission. */
const isKnown = (id) => until(`${id} is known`, () => server.call("get_mission", { mission_id: id }).catch(() => null));

/** Puts `text` in the place of what the editor holds, by the keyboard. */
async function type(page, text) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

test("U-1003 ME-02 files that are dropped become drafts byte by byte, and one whose name is taken waits", async () => {
  const { page, at } = desk;
  await goTo(page, "/missions");
  await writeFile(fileOf("yard"), "Mine.");
  const text = "\ufeff---\r\n# by hand\r\nrobots: [rover-1]\r\n---\r\nLook at the dock.";
  await drop(page, [
    ["dock.md", text],
    ["yard.md", "Theirs."],
    ["picture.png", "x"],
  ]);
  await at("mission-imports").getByText("Added as a draft.").waitFor();
  assert.equal(await textOf("dock"), text);
  assert.equal(await textOf("yard"), "Mine.");
  const refused = await at("mission-imports").locator('[data-outcome="refused"]').textContent();
  assert.match(refused, /picture\.png.*\.md/);
  await at("mission-imports").getByRole("button", { name: "Keep both" }).click();
  await at("mission-imports").getByText("yard-2.md").waitFor();
  await until("both texts", async () => (await textOf("yard-2").catch(() => "")) === "Theirs.");
  assert.equal(await textOf("yard"), "Mine.");
  assert.deepEqual(await findings(page), []);
  await at("mission-imports").getByRole("link", { name: "dock.md" }).click();
  await page.getByRole("tab", { name: "Text" }).click();
  await at("mission-text").getByText("Look at the dock.").waitFor();
});

test("U-1003 ME-05 a new mission is written by the keyboard, checked while it is typed, and saved", async () => {
  const { page, at } = desk;
  await goTo(page, "/missions");
  await at("mission-new").press("Enter");
  await at("new-mission-title").fill("Look at the gate");
  await at("new-mission-title").press("Enter");
  await page.locator(".cm-content").waitFor();
  await type(page, "---\nrobots: [gate-9]\n---\nLook at the gate.\n");
  await page.locator(".cm-lint-marker-error").waitFor();
  await type(page, "---\nrobots: [gate-1]\n---\nLook at the gate.\n");
  await until("no mark", async () => (await page.locator(".cm-lint-marker-error").count()) === 0);
  await page.locator('[data-testid="mission-save"]:enabled').waitFor();
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Control+S");
  const saved = "---\nrobots: [gate-1]\n---\nLook at the gate.\n";
  await until("it is in the file", async () => (await textOf("look-at-the-gate")) === saved);
  await until("it is saved", async () => (await at("mission-save").isDisabled()) === true);
  await page.keyboard.press("Control+Z");
  await until("its undo", async () => await at("mission-save").isEnabled());
  await at("mission-edit-close").click();
  await at("mission-text").getByText("gate-1").waitFor();
});

test("U-1011 ME-08 a file that changes under the hand is not written over unasked, and no text is lost", async () => {
  const { page, at } = desk;
  await writeFile(fileOf("walk"), "Walk.\n");
  await isKnown("walk");
  await goTo(page, "/missions/walk/text");
  await at("mission-edit").click();
  await page.locator(".cm-content").waitFor();
  await writeFile(fileOf("walk"), "Walk slowly.\n");
  await page.locator(".cm-followed").getByText("Walk slowly.").waitFor();
  await type(page, "Walk fast.\n");
  await goTo(page, "/overview");
  await goTo(page, "/missions/walk/text");
  await page.locator(".cm-content").getByText("Walk fast.").waitFor();
  await writeFile(fileOf("walk"), "Do not walk.\n");
  await at("mission-theirs").waitFor();
  await page.locator('[data-testid="mission-save"]:disabled').waitFor();
  await at("mission-compare-theirs").click();
  await at("mission-conflict").getByText("Do not walk.").waitFor();
  await at("mission-conflict").getByText("Walk fast.").waitFor();
  await at("mission-compare-keep_mine").click();
  await at("mission-save").click();
  await until("mine", async () => (await textOf("walk")) === "Walk fast.\n");
  await at("mission-edit-close").click();
});

test("ME-08 a file changed on both sides is merged, and marks are left only where the same line was changed", async () => {
  const { page, at } = desk;
  await writeFile(fileOf("both"), "One.\nTwo.\nThree.\n");
  await isKnown("both");
  await goTo(page, "/missions/both/text");
  await at("mission-edit").click();
  await page.locator(".cm-content").waitFor();
  await type(page, "First.\nTwo.\nThree.\n");
  await writeFile(fileOf("both"), "One.\nTwo.\nThird.\n");
  await at("mission-merge").click();
  await page.locator(".cm-content").getByText("Third.").waitFor();
  await at("mission-save").click();
  await until("both", async () => (await textOf("both")) === "First.\nTwo.\nThird.\n");

  await type(page, "First.\nSecond.\nThird.\n");
  await writeFile(fileOf("both"), "First.\nTwo!\nThird.\n");
  await at("mission-merge").press("Enter");
  await page.getByText("1 place was changed in two ways").waitFor();
  await page.locator('[data-testid="mission-save"]:disabled').waitFor();
  await type(page, "First.\nSecond!\nThird.\n");
  await at("mission-save").click();
  await until("chosen", async () => (await textOf("both")) === "First.\nSecond!\nThird.\n");
  await at("mission-edit-close").click();
});

test("MO-12 a file is put away, and comes back byte by byte", async () => {
  const { page, at } = desk;
  const text = "# Gone\r\nand back";
  await writeFile(fileOf("gone"), text);
  await isKnown("gone");
  await goTo(page, "/missions/gone/text");
  await at("mission-remove").click();
  await until("it is put away", async () => (await textOf("gone").catch(() => null)) === null);
  await at("toast").getByRole("button", { name: "Undo" }).click();
  await until("it is back", async () => (await textOf("gone").catch(() => null)) === text);
});

for (const theme of ["light", "dark"]) {
  test(`U-2001 no serious finding in the editor in the ${theme} theme`, async () => {
    const other = await openDesk(browser, server, { theme });
    await goTo(other.page, "/missions/walk/text");
    await other.at("mission-edit").click();
    await other.page.locator(".cm-content").waitFor();
    assert.deepEqual(await findings(other.page), []);
    await other.page.close();
  });
}

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
