// Stopping without the page: the global key, the tray, the small window, and what happens when the page freezes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clickIn, DIALOG, moveTo, press, windows } from "./screen.mjs";
import { openTray } from "./tray.mjs";
import { openWindow, until } from "./window.mjs";

const ROBOTS = ["arm-1", "rover-1", "rover-2", "gate-1"];

/**
 * Longer than the 3 s after which a screen is frozen, by what a busy machine needs to draw the dialog, to find it and to press in
 * it; short enough to be waited for.
 */
const FREEZE_MS = 20_000;

let tray;
let page;
let close;

before(async () => {
  tray = await openTray();
  ({ page, close } = await openWindow());
  await until("every robot answers", async () => {
    const robots = await page.ask("list_robots");
    return ROBOTS.every((id) => robots.find((robot) => robot.id === id)?.link === "live");
  });
});
after(async () => {
  await close?.();
  await tray?.close();
});

const trayShows = (what, matches) => until(`the tray shows ${what}`, async () => matches(await tray.look()));
const stopped = () => trayShows("four robots stopped", ({ state }) => state.endsWith("STOPPED 4/4"));
const frozen = () => trayShows("a frozen screen", ({ label }) => label === "SCREEN FROZEN");
const busyFor = (busy_ms) =>
  page.browser.execute((ms) => {
    setTimeout(() => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    });
  }, busy_ms);

/** Lets commands through again, as the panel does. */
async function release() {
  await until("the release", async () => {
    const { stops } = await page.ask("safety_status");
    const stop_ids = stops.map(({ stop_id }) => stop_id);
    const { released } = await page.ask("release_stop", { stop_ids, robots: ROBOTS, reason: "cell checked, nobody inside" });
    return released?.length === ROBOTS.length;
  });
  await trayShows("no stop", ({ state, label }) => state === "No stop is open" && label === "");
}

test("U-603 the tray says what is true, and offers STOP ALL and the window", async () => {
  await trayShows("no stop", ({ state }) => state === "No stop is open");
  const { enabled } = await tray.look();
  for (const item of ["STOP ALL", "Open Quarterdeck", "Stop window, always on top"]) assert.ok(enabled.includes(item), item);
  assert.ok(!enabled.includes("Restart screen"), "a living screen is not restarted");
});

test("U-603 U-1609 Ctrl+Alt+End stops every robot, and the page says whether the desktop gave it", async () => {
  assert.equal((await page.ask("session_info")).stop_shortcut, "registered");
  await press("ctrl+alt+End");
  await stopped();
  assert.match(await page.text("stop-shortcut"), /^Ctrl\+Alt\+End stops from any program/);
  await release();
});

test("U-603 the tray's STOP ALL stops every robot", async () => {
  await tray.click("STOP ALL");
  await stopped();
  await page.shown("stop-panel");
  await release();
});

test("U-613 a page that hangs for 3 s is told by tray and dialog, and the tray stops without it", async () => {
  await busyFor(FREEZE_MS);
  await frozen();
  await DIALOG.shown();
  await tray.click("STOP ALL");
  await stopped();
  await trayShows("a living screen", ({ label }) => label === "STOPPED");
  await page.shown("stop-panel");
  const screen = (await page.ask("list_audit", { limit: 100 })).filter(({ operation }) => operation === "screen");
  assert.deepEqual(screen.map(({ outcome }) => outcome).sort(), ["frozen", "renders"]);
  await until("the dialog is gone", async () => !(await DIALOG.find()));
  await release();
});

test("U-613 the dialog's STOP ALL stops every robot", async () => {
  await busyFor(FREEZE_MS);
  await clickIn(await DIALOG.shown(), ...DIALOG.stopAll);
  await stopped();
  await trayShows("a living screen", ({ label }) => label === "STOPPED");
  await release();
});

test("U-604 the small window stops while the main page hangs and the dialog is open, and may do nothing else", async () => {
  const [main] = await page.browser.getWindowHandles();
  await tray.click("Stop window, always on top");
  const small = await until("a second window", async () =>
    (await page.browser.getWindowHandles()).find((handle) => handle !== main),
  );
  await page.browser.switchToWindow(small);
  await until("the small window is connected", async () => !(await page.text("stop-all")).includes("cannot be confirmed"));
  const refused = await page.ask("arm_robot", { robot: "arm-1" });
  assert.equal(refused.refusal?.code, "forbidden");
  await page.browser.switchToWindow(main);
  await busyFor(FREEZE_MS);
  await frozen();
  await moveTo(await DIALOG.shown(), 700, 400);
  await clickIn((await windows("^STOP ALL$"))[0], 0.5, 0.4);
  await stopped();
});
