// A window at rest draws nothing: over a site whose robots stand still, no text changes that means the same.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, goTo, openDesk } from "./desk.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

/** Time the window is watched, seconds. */
const WATCHED_S = 10;
/**
 * The time of day changes each second, the oven's temperature and its line most seconds, and what the camera sees now
 * and then is a few seconds old in between. Ages that count in tenths alone would be 24 a second in Overview and 60 in
 * World.
 */
const CHANGES_PER_S_MAX = 8;
/** Some of these lay their line out anew. */
const LAYOUTS_PER_S_MAX = 6;
/** Screens under test: a path, and the test id of an element that is there once the screen has been filled. */
const SCREENS = [
  ["/overview", "robot-tile-rover-2"],
  ["/world", "world-row-person.location"],
  ["/memory", "composer"],
];

/** Changes of the page's content, assignments that throw a canvas away, and layouts, per second; `aged` if a pose grew old. */
async function changes(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const layouts = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "LayoutCount").value;
  };
  const before = await layouts();
  const counted = await page.evaluate(
    (watched_ms) =>
      new Promise((done) => {
        const seen = new Map();
        const note = (what) => seen.set(what, (seen.get(what) ?? 0) + 1);
        const describe = (node) => {
          const element = node instanceof Element ? node : node.parentElement;
          return element?.closest("[data-testid]")?.getAttribute("data-testid") ?? element?.tagName ?? "?";
        };
        const observer = new MutationObserver((records) => {
          for (const record of records) note(`${describe(record.target)} ${record.attributeName ?? record.type}`);
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        setTimeout(() => {
          observer.disconnect();
          done([...seen]);
        }, watched_ms);
      }),
    WATCHED_S * 1_000,
  );
  const layouts_per_s = ((await layouts()) - before) / WATCHED_S;
  await session.detach();
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  const aged = counted.some(([what]) => /^robot-tile-\S+ data-freshness$/.test(what));
  return { per_s: total / WATCHED_S, layouts_per_s, aged, what: counted.sort((a, b) => b[1] - a[1]).slice(0, 8) };
}

test("PERF-21 U-2606 nothing is drawn on a screen while nothing changes", async () => {
  for (const [route, filled] of SCREENS) {
    await goTo(desk.page, route);
    await desk.at(filled).first().waitFor();
    // The first answers of a screen are news.
    await desk.page.waitForLoadState("networkidle").catch(() => undefined);
    // On a busy machine a pose comes late now and then: it grows old, which is a change.
    const found = await until("a time in which no robot's pose grows old", async () => {
      const seen = await changes(desk.page);
      return !seen.aged && seen;
    });
    const told = `${route}: ${JSON.stringify(found)}`;
    assert.ok(found.per_s <= CHANGES_PER_S_MAX, told);
    assert.ok(found.layouts_per_s <= LAYOUTS_PER_S_MAX, told);
  }
});

test("U-502 what grows old still counts, and the picture follows what moves", async () => {
  const other = await openDesk(browser, server);
  await server.call("inject_fault", { target: "rover-1", fault: "stale_sensor", on: true });
  const age = other.at("robot-tile-rover-1").locator("[data-freshness] small").first();
  const seen = new Set();
  await until("three ages", async () => (await age.count()) > 0 && seen.add(await age.textContent()).size >= 3);
  await server.call("inject_fault", { target: "rover-1", fault: "stale_sensor", on: false });
  assertClean(other);
  await other.close();
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
