// Mission files that are dropped on the real window: their bytes, what is drawn of them, and what is wrong with one.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openWindow, until } from "./window.mjs";

/** A byte order mark, other ends of lines, letters beyond ASCII and no end of the last line: an editor would mend them. */
const TEXT = "\ufeff---\r\n# von Hand\r\ntitle: Tür prüfen\r\nrobots: [rover-1]\r\n---\r\nLook at the door.";
/** A robot that there is not. */
const WRONG = "---\ntitle: Wrong\nrobots: [rover-77]\n---\nDrive on.\n";

let page;
let close;
let dataDir;

before(async () => {
  ({ page, close, dataDir } = await openWindow());
  await page.open("missions");
  await page.shown("mission-drop");
});
after(async () => close?.());

const bytesOf = (name) => readFile(join(dataDir, "agents/main/missions", name));

/** Drops a file with these bytes on the screen, as a file manager does. */
async function drop(name, text) {
  await page.browser.execute(
    (fileName, bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], fileName, { type: "text/markdown" }));
      const place = document.querySelector('[data-testid="mission-drop"]');
      for (const type of ["dragenter", "dragover", "drop"])
        place.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    name,
    [...Buffer.from(text)],
  );
}

const outcome = (name) =>
  page.browser.execute((fileName) => {
    const lines = [...document.querySelectorAll('[data-testid="mission-imports"] li')];
    return lines.find((line) => line.textContent.startsWith(fileName))?.dataset.outcome;
  }, name);

test("ME-02 a file that is dropped on the window is a draft with the same bytes, in the list and in the graph", async () => {
  await drop("look-at-the-door.md", TEXT);
  await until("it is brought in", async () => (await outcome("look-at-the-door.md")) === "added");
  assert.deepEqual(await bytesOf("look-at-the-door.md"), Buffer.from(TEXT));
  // WebKit's driver leaves out of a text what an ellipsis could cut.
  const textOf = (testId) =>
    page.browser.execute((id) => document.querySelector(`[data-testid="${id}"]`)?.textContent, testId);
  const says = (testId) => until(testId, async () => /Tür prüfen/.test(await textOf(testId)));
  await says("mission-look-at-the-door");
  await says("node-look-at-the-door");
});

test("ME-02 ME-09 a file with a mistake is kept as it is, and its mistake is shown with its place", async () => {
  await drop("wrong.md", WRONG);
  await until("its problem", async () => /rover-77[\s\S]*wrong 3:\d+/.test(await page.text("problem-list")));
  assert.deepEqual(await bytesOf("wrong.md"), Buffer.from(WRONG));
  await page.shown("mission-wrong");
});

test("ME-02 a file that is no mission is refused by its name, and nothing is written", async () => {
  await drop("picture.png", "x");
  await until("it is refused", async () => (await outcome("picture.png")) === "refused");
  await assert.rejects(bytesOf("picture.png"), { code: "ENOENT" });
});
