// The graph of missions: connected, disconnected, moved and tidied by pointer and keys, undone, and as others change it.
import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk, tabTo, untilFocused } from "./desk.mjs";
import { drag, edge, node } from "./graph.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

const folder = () => join(server.folder, "agents/main/missions");
const fileOf = (id) => join(folder(), `${id}.md`);
const textOf = (id) => readFile(fileOf(id), "utf8");
const layout = () => readFile(join(folder(), ".layout.json"), "utf8").catch(() => null);

const FIRST = "---\n# by hand\ntitle: First  # the first\n---\nLook.\r\nTwice.";
const SECOND = "\ufeff---\ntitle: 'Second'\nrobots: [rover-1]   # one\n---\n\nLook again.";

test("ME-01 ME-10 the graph shows every mission, and looking at it writes nothing", async () => {
  const { page, at } = desk;
  await writeFile(fileOf("first"), FIRST);
  await writeFile(fileOf("second"), SECOND);
  // The first layout is of what is there: what comes later is placed beside it, and stays where it is.
  const isRead = (id) => server.call("get_mission", { mission_id: id }).then(Boolean, () => false);
  await until("both files", async () => (await isRead("first")) && isRead("second"));
  await goTo(page, "/missions");
  await at("node-first").waitFor();
  await at("node-second").waitFor();
  assert.equal(await node(page, "first").getAttribute("aria-label"), "First, first, draft: Draft, never activated");
  assert.equal(await layout(), null);
});

test("ME-03 ME-06 a connection is dragged, changes one key of one file, and is undone byte by byte", async () => {
  const { page, at } = desk;
  await drag(page, "first", "second");
  await edge(page, "first", "second").waitFor({ state: "attached" });
  const joined = SECOND.replace("# one\n", "# one\ndepends_on: [first]\n");
  await until("one key in one file", async () => (await textOf("second")) === joined);
  assert.equal(await textOf("first"), FIRST);
  await at("graph-undo").click();
  await until("its undo", async () => (await textOf("second")) === SECOND);
  await edge(page, "first", "second").waitFor({ state: "detached" });
  await at("mission-first").focus();
  await page.keyboard.press("Control+Y");
  await edge(page, "first", "second").waitFor({ state: "attached" });
  assert.deepEqual(await findings(page), []);
});

test("ME-03 a circle and a second time are refused with the reason, by pointer and by key", async () => {
  const { page, at } = desk;
  await at("graph-fit").click();
  await drag(page, "second", "first");
  await at("graph-told").getByText("It would be a circle: second → first → second.").waitFor();
  assert.equal(await textOf("first"), FIRST);
  await at("mission-first").focus();
  await page.keyboard.press("l");
  assert.match(await at("link-second").textContent(), /circle: second → first → second/);
  assert.ok(await at("link-second").isDisabled());
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Escape");
  await at("mission-second").focus();
  await page.keyboard.press("l");
  assert.match(await at("link-first").textContent(), /It waits for it already\./);
  await page.keyboard.press("Escape");
});

test("ME-03 ME-12 missions are connected and disconnected by keys alone, in the list and in the graph", async () => {
  const { page, at } = desk;
  await tabTo(page, '[data-testid="mission-filter"]');
  await page.keyboard.press("Tab");
  await at("mission-second").focus();
  await page.keyboard.press("Shift+L");
  await at("unlink-first-second").press("Enter");
  await edge(page, "first", "second").waitFor({ state: "detached" });
  await until("the file", async () => !(await textOf("second")).includes("first"));
  await node(page, "second").focus();
  await page.keyboard.press("l");
  await at("link-first").press("Enter");
  await edge(page, "first", "second").waitFor({ state: "attached" });
  await page.keyboard.press("t");
  await until("the second lies below the first", async () => (await layout()) !== null);
  await node(page, "first").focus();
  await page.keyboard.press("ArrowDown");
  await untilFocused(page, '[data-id="second"]');
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/missions\/second$/);
  await at("mission-state").waitFor();
  assert.deepEqual(await findings(page), []);
});

test("ME-03 a selected connection goes with Delete", async () => {
  const { page, at } = desk;
  await at("graph-fit").click();
  // A straight line has no width, which counts as invisible to a click on the element.
  const line = edge(page, "first", "second").locator(".react-flow__edge-interaction");
  const { x, y } = await line.evaluate((path) => {
    const at = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
    return { x: at.x, y: at.y };
  });
  await page.mouse.click(x, y);
  await at("edge-disconnect").waitFor();
  await node(page, "first").focus();
  await page.keyboard.press("Delete");
  await edge(page, "first", "second").waitFor({ state: "detached" });
  await page.keyboard.press("Control+Z");
  await edge(page, "first", "second").waitFor({ state: "attached" });
  assert.ok((await stat(fileOf("first"))).isFile());
});

test("ME-04 what an active mission is to wait for is told as not active yet, and what is in force stays", async () => {
  const { page, at } = desk;
  await writeFile(fileOf("third"), "---\ndepends_on: [first]\n---\nLook.\n");
  const { hash, problems } = await server.call("get_mission", { mission_id: "third" });
  const accept = problems.map(({ code, line }) => ({ code, line }));
  await server.call("activate_mission", { mission_id: "third", hash, accept });
  await at("node-third").getByText("Waits for first").waitFor();
  await writeFile(fileOf("third"), "---\ndepends_on: [second]\n---\nLook.\n");
  await edge(page, "second", "third").getByText("not active yet").waitFor();
  await edge(page, "first", "third").waitFor();
});

test("ME-06 ME-10 ME-12 a mission is moved by pointer and key, kept in a file of its own, and put back", async () => {
  const { page } = desk;
  const placeOf = async (id) => JSON.parse((await layout()) ?? '{"nodes":{}}').nodes[id];
  const before = await placeOf("first");
  const box = await node(page, "first").boundingBox();
  await page.mouse.move(box.x + 60, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 120, { steps: 6 });
  await page.mouse.up();
  const moved = await until("it is kept", async () => {
    const place = await placeOf("first");
    return `${place}` === `${before}` ? null : place;
  });
  const { mode } = await stat(join(folder(), ".layout.json"));
  assert.equal(mode & 0o777, 0o600);
  await node(page, "first").focus();
  await page.keyboard.press("Shift+ArrowRight");
  await until("the key", async () => (await placeOf("first"))[0] === moved[0] + 20);
  await page.keyboard.press("Control+Z");
  await until("its undo", async () => (await placeOf("first"))[0] === moved[0]);
  const kept = await layout();
  const other = await openDesk(browser, server, { route: "/missions/first" });
  await other.at("node-first").waitFor();
  const where = (page) => node(page, "first").evaluate((element) => element.style.transform);
  assert.equal(await where(other.page), await where(page));
  assert.equal(await layout(), kept, "another look moves nothing");
  assertClean(other);
  await other.close();
});

test("ME-11 ME-06 tidying up is one step, which is undone", async () => {
  const { page, at } = desk;
  const before = await layout();
  await at("mission-first").focus();
  await page.keyboard.press("t");
  await until("it is tidy", async () => (await layout()) !== before);
  await page.keyboard.press("Control+Z");
  await until("its undo", async () => (await layout()) === before);
});

test("ME-10 positions that cannot be read are told and left alone", async () => {
  const { page, at } = desk;
  const before = await layout();
  await writeFile(join(folder(), ".layout.json"), "{");
  await writeFile(fileOf("fourth"), "Look.\n");
  await at("graph-told").locator("code", { hasText: ".layout.json: " }).waitFor();
  await at("node-first").waitFor();
  assert.equal(await layout(), "{");
  await writeFile(join(folder(), ".layout.json"), before);
  await writeFile(fileOf("fourth"), "Look again.\n");
  await at("graph-told").getByText("The positions of missions cannot be read").waitFor({ state: "detached" });
  await goTo(page, "/missions");
});

test("ME-09 the problems of all files are one list, and F8 leads to the line of each", async () => {
  const { page, at } = desk;
  await writeFile(fileOf("broken"), "---\ntitle: Broken\nrobot: rover-1\n---\n");
  await at("problem-list").getByText("broken 3:1").waitFor();
  await at("mission-first").focus();
  await page.keyboard.press("F8");
  await page.waitForURL(/#\/missions\/broken\/text$/);
  await page.locator('[data-line="3"]:focus').waitFor();
  assert.match(await at("node-broken").textContent(), /1/);
});

test("ME-12 G R goes to what runs, and the sheet of keys names the keys of the graph", async () => {
  const { page, at } = desk;
  await writeFile(fileOf("runs"), "---\ngoals: [The bench is clear]\n---\n");
  const { hash } = await server.call("get_mission", { mission_id: "runs" });
  await server.call("activate_mission", { mission_id: "runs", hash });
  await at("mission-runs").getByText("1 of 1").waitFor();
  await at("mission-first").focus();
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.waitForURL(/#\/missions\/runs/);
  await page.keyboard.press("?");
  await at("shortcut-sheet").getByText("Connect a mission to another one").waitFor();
  await page.keyboard.press("Escape");
});

/** Edges that run under a mission which they do not join, and words on edges that a mission hides. */
const hiddenEdges = (page) =>
  page.evaluate(() => {
    const cards = [...document.querySelectorAll(".react-flow__node")].map((element) => ({
      id: element.getAttribute("data-id"),
      area: element.getBoundingClientRect(),
    }));
    const found = [];
    for (const edge of document.querySelectorAll(".react-flow__edge")) {
      const [, from, to] = edge.getAttribute("data-id").split(" ");
      const line = edge.querySelector(".react-flow__edge-path");
      const screen = line.getScreenCTM();
      const points = Array.from({ length: Math.ceil(line.getTotalLength() / 2) }, (_, at) =>
        line.getPointAtLength(at * 2).matrixTransform(screen),
      );
      const words = edge.querySelector(".react-flow__edge-text")?.getBoundingClientRect();
      for (const { id, area } of cards) {
        const isUnder = ({ x, y }) => x > area.left && x < area.right && y > area.top && y < area.bottom;
        if (id !== from && id !== to && points.some(isUnder)) found.push(`${from} ${to} under ${id}`);
        const isHidden =
          words !== undefined &&
          words.left < area.right &&
          area.left < words.right &&
          words.top < area.bottom &&
          area.top < words.bottom;
        if (isHidden) found.push(`words of ${from} ${to} under ${id}`);
      }
    }
    return { edges: document.querySelectorAll(".react-flow__edge").length, found };
  });

test("ME-01 a selected mission stays whole beside its panel, which takes a part of the graph", async () => {
  const { page, at } = desk;
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1280, height: 800 });
  await goTo(page, "/missions");
  await at("graph-fit").click();
  const cards = await page
    .locator(".react-flow__node-mission")
    .evaluateAll((all) => all.map((card) => ({ id: card.dataset.id, right: card.getBoundingClientRect().right })));
  const last = cards.toSorted((a, b) => b.right - a.right)[0];
  await at(`mission-${last.id}`).click();
  await at("mission-state").waitFor();
  await until("the whole card", async () => {
    const card = await node(page, last.id).boundingBox();
    const frame = await page.locator("[data-mission-canvas]").boundingBox();
    return card.x >= frame.x && card.x + card.width <= frame.x + frame.width;
  });
  await page.setViewportSize(size);
});

test("ME-01 no edge runs under a third mission, where people have placed them and once they are tidy", async () => {
  const { page, at } = desk;
  // Three in one row and three in one column; the last of each waits for the first, and the second stands between.
  const placed = {
    first: [1600, 0],
    second: [1600, 180],
    third: [1600, 360],
    "row-1": [2000, 0],
    "row-2": [2262, 0],
    "row-3": [2524, 0],
    "pile-1": [2000, 300],
    "pile-2": [2000, 454],
    "pile-3": [2000, 608],
  };
  await writeFile(join(folder(), ".layout.json"), JSON.stringify({ version: 1, nodes: placed }));
  for (const name of ["row-1", "row-2", "pile-1", "pile-2"]) await writeFile(fileOf(name), "Look.\n");
  for (const name of ["row", "pile"])
    await writeFile(fileOf(`${name}-3`), `---\ndepends_on: [${name}-1]\n---\nLook.\n`);
  const placeOf = (id) => node(page, id).evaluate((element) => element.style.transform);
  for (const [id, [x, y]] of Object.entries(placed)) {
    await node(page, id).waitFor({ state: "attached" });
    await until(`${id} stands where it was put`, async () => (await placeOf(id)) === `translate(${x}px, ${y}px)`);
  }
  await edge(page, "row-1", "row-3").waitFor({ state: "attached" });
  await edge(page, "pile-1", "pile-3").waitFor({ state: "attached" });
  await at("graph-fit").click();
  const shown = await hiddenEdges(page);
  assert.deepEqual(shown.found, []);
  assert.ok(shown.edges >= 5, `${shown.edges} edges`);
  const kept = await layout();
  await at("mission-first").focus();
  await page.keyboard.press("t");
  await until("it is tidy", async () => (await layout()) !== kept);
  assert.deepEqual((await hiddenEdges(page)).found, []);
});

for (const theme of ["light", "dark"]) {
  test(`U-2001 no serious finding on the graph in the ${theme} theme`, async () => {
    const other = await openDesk(browser, server, { route: "/missions/second", theme });
    await other.at("node-second").waitFor();
    await other.at("mission-state").waitFor();
    assert.deepEqual(await findings(other.page), []);
    assertClean(other);
    await other.close();
  });
}

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
