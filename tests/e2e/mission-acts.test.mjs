// Missions are made, brought in, put away and tidied in the window, by double-click, button and key.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertClean, findings, goTo, tabTo } from "./desk.mjs";
import { node } from "./graph.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

const folder = () => join(server.folder, "agents/main/missions");
const fileOf = (id) => join(folder(), `${id}.md`);
const textOf = (id) => readFile(fileOf(id), "utf8").catch(() => null);
const layout = () => readFile(join(folder(), ".layout.json"), "utf8").catch(() => null);

/** A place of the graph at which nothing is drawn. */
const emptyPlace = (page) =>
  page.evaluate(() => {
    const { left, top, right, bottom } = document.querySelector(".react-flow__pane").getBoundingClientRect();
    for (let y = bottom - 12; y > top; y -= 12)
      for (let x = right - 12; x > left; x -= 12)
        if (document.elementFromPoint(x, y)?.matches(".react-flow__pane")) return { x, y };
    throw new Error("the graph has no empty place");
  });

test("U-1003 ME-05 a double-click on the empty graph asks for a new mission, and one on a mission opens that", async () => {
  const { page, at } = desk;
  await writeFile(fileOf("first"), "Look.\n");
  await goTo(page, "/missions");
  await at("node-first").waitFor();
  const { x, y } = await emptyPlace(page);
  await page.mouse.dblclick(x, y);
  await at("new-mission").waitFor();
  await page.keyboard.press("Escape");
  await at("new-mission").waitFor({ state: "detached" });
  await at("node-first").dblclick();
  await page.waitForURL(/#\/missions\/first$/);
  await at("mission-state").waitFor();
  assert.equal(await at("new-mission").count(), 0);
});

test("ME-05 ME-12 N asks for a new mission, which begins with a template by keys alone", async () => {
  const { page, at } = desk;
  await goTo(page, "/missions");
  await at("mission-first").focus();
  await page.keyboard.press("n");
  await tabTo(page, '[data-testid="new-mission-title"]');
  await page.keyboard.type("Patrol of the loading dock");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await at("new-mission-place").waitFor();
  assert.deepEqual(await findings(page), []);
  await tabTo(page, '[data-testid="new-mission-create"]');
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/missions\/patrol-of-the-loading-dock\/form$/);
  const text = await textOf("patrol-of-the-loading-dock");
  assert.match(text, /^title: Patrol of the loading dock$/m);
  assert.match(text, /^robots: \[rover-1\]$/m);
  const { state } = await server.call("get_mission", { mission_id: "patrol-of-the-loading-dock" });
  assert.equal(state, "draft");
});

test("U-1003 ME-02 the button for an import takes files byte by byte", async () => {
  const { page, at } = desk;
  await goTo(page, "/missions");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), at("mission-import").press("Enter")]);
  assert.ok(chooser.isMultiple());
  const text = "# Brought\r\nLook at the oven.";
  await chooser.setFiles([{ name: "brought.md", mimeType: "text/markdown", buffer: Buffer.from(text) }]);
  await at("mission-imports").getByText("Added as a draft.").waitFor();
  assert.equal(await textOf("brought"), text);
});

test("ME-12 Del puts away the file of the mission that has the focus, in the list and in the graph", async () => {
  const { page, at } = desk;
  const putAway = async (id, place) => {
    await writeFile(fileOf(id), "Gone.\n");
    await place.waitFor();
    await place.focus();
    await page.keyboard.press("Delete");
    await until(`${id} is put away`, async () => (await textOf(id)) === null);
    await at(`mission-${id}`).waitFor({ state: "detached" });
  };
  await putAway("row-gone", at("mission-row-gone"));
  await putAway("node-gone", node(page, "node-gone"));
  assert.notEqual(await textOf("first"), null);
});

test("ME-09 F8 and Shift+F8 go on and back from the line, and past what a filter leaves out", async () => {
  const { page, at } = desk;
  for (const id of ["broken-1", "broken-2", "broken-3"])
    await writeFile(fileOf(id), "---\ntitle: Broken\nrobot: rover-1\n---\n");
  const list = at("problem-list");
  for (const id of ["broken-1", "broken-2", "broken-3"]) await list.getByText(`${id} 3:1`).waitFor();
  await at("problems-code").selectOption("unknown_key");
  await at("problems-severity").selectOption("error");
  await at("mission-first").focus();
  for (const [key, id] of [
    ["F8", "broken-1"],
    ["F8", "broken-2"],
    ["Shift+F8", "broken-1"],
    ["Shift+F8", "broken-3"],
  ]) {
    await page.keyboard.press(key);
    await list.locator("[aria-current=true]").getByText(`${id} 3:1`).waitFor();
    await page.waitForURL(new RegExp(`#/missions/${id}/text$`));
    await page.locator('[data-line="3"]:focus').waitFor();
  }
  await at("problems-mission").selectOption("broken-2");
  assert.equal(await list.getByRole("listitem").count(), 1);
  assert.deepEqual(await findings(page), []);
  await at("problems-all").press("Enter");
  await list.getByText("broken-3 3:1").waitFor();
});

test("ME-11 tidying up that is given up moves nothing, and the next one is carried out", async () => {
  const { page, at } = desk;
  await goTo(page, "/missions");
  const kept = { version: 1, nodes: { first: [900, 700], brought: [40, 40] } };
  await writeFile(join(folder(), ".layout.json"), JSON.stringify(kept));
  await writeFile(fileOf("brought"), "Look at the oven.\n");
  const placeOf = (id) => node(page, id).evaluate((element) => element.style.transform);
  await until("it stands where it was put", async () => (await placeOf("first")) === "translate(900px, 700px)");
  const before = await layout();
  // The thread that lays out waits for its code until it is given up.
  let waiting = null;
  await page.route("**/layout-worker*", (route) => {
    waiting = route;
  });
  await at("mission-first").focus();
  await page.keyboard.press("t");
  await at("graph-tidy").getByText("Tidying up…").waitFor();
  await until("the thread waits", () => waiting);
  await page.keyboard.press("t");
  await at("graph-tidy").getByText("Tidy up").waitFor();
  assert.equal(await placeOf("first"), "translate(900px, 700px)");
  assert.equal(await layout(), before);
  await waiting.continue().catch(() => {});
  await page.unroute("**/layout-worker*");
  await page.keyboard.press("t");
  await until("it is tidy", async () => (await layout()) !== before);
  await page.keyboard.press("Control+Z");
  await until("its undo", async () => (await placeOf("first")) === "translate(900px, 700px)");
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
