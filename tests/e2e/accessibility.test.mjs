// axe on every route, in both themes, normal and stopped.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertClean, findings, goTo, openBrowser, openDesk, say, untilFocused } from "./desk.mjs";
import { robotsLive, startServer, until } from "./server.mjs";

const ROUTES = [
  "/overview",
  "/world",
  "/world/arm-1",
  "/world/cameras",
  "/world/plot",
  "/world/topics",
  "/world/providers",
  "/world/providers/new",
  "/approvals",
  "/alarms",
  "/alarms/rules",
  "/alarms/rules/new",
  "/alarms/events",
  "/alarms/figures",
  "/safety",
  "/safety/arm-1",
  "/beliefs",
  "/memory",
  "/jobs",
  "/missions",
  "/missions/calibrate-arm",
  "/admin/providers",
  "/admin/keys",
  "/admin/access",
  "/admin/connections",
  "/admin/find-robot",
  "/admin/agents",
  "/admin/tools",
  "/admin/budget",
  "/admin/audit",
  "/admin/simulator",
  "/admin/appearance",
  "/admin/shortcuts",
  "/admin/about",
];
const THEMES = ["light", "dark"];

let server;
let browser;

before(async () => {
  server = await startServer("--with-sim");
  browser = await openBrowser();
  await robotsLive(server);
});
after(async () => {
  await browser?.close();
  await server?.end();
});

async function look(state, theme) {
  const desk = await openDesk(browser, server, { theme });
  for (const route of ROUTES) {
    await goTo(desk.page, route);
    await desk.page.locator("main table, main h2").first().waitFor();
    assert.deepEqual(await findings(desk.page), [], `${state}, ${theme}, ${route}`);
  }
  assertClean(desk);
  return desk;
}

for (const theme of THEMES) {
  test(`U-2001 no serious finding in the ${theme} theme`, async () => {
    const desk = await look("normal", theme);
    await desk.close();
  });
}

test("U-2001 no serious finding with a card and a denial in sight", async () => {
  // Driving by hand is on the robot's screen while this desk has control of it.
  await server.call("arm_robot", { robot: "arm-1" });
  const desk = await look("asked", "light");
  await say(desk, "move arm-1 to 2 0 1");
  await desk.at("denial").waitFor();
  await say(desk, "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s");
  const [{ id }] = await until("a proposal", async () => {
    const waiting = await server.call("list_proposals", { state: "waiting" });
    return waiting.length > 0 && waiting;
  });
  await goTo(desk.page, `/approvals/${id}`);
  await desk.page.locator("main").getByTestId(`proposal-${id}`).getByTestId("edit").click();
  await desk.page.locator("main").getByTestId("edit-form").waitFor();
  assert.deepEqual(await findings(desk.page), []);
  await desk.close();
});

for (const theme of THEMES) {
  test(`U-2001 no serious finding while held in the ${theme} theme`, async () => {
    await server.call("hold_robot", { robot: "arm-1" });
    const desk = await openDesk(browser, server, { route: "/safety/arm-1", theme });
    await desk.page.locator('[data-testid="acknowledge-hold_requested"]:enabled').click();
    await desk.at("acknowledge-form-hold_requested-reason").waitFor();
    assert.deepEqual(await findings(desk.page), []);
    assertClean(desk);
    await desk.close();
  });
}

for (const theme of THEMES) {
  test(`U-2001 no serious finding while stopped in the ${theme} theme`, async () => {
    await server.call("stop_all", { request_id: crypto.randomUUID() });
    const desk = await look("stopped", theme);
    await desk.at("stop-panel").waitFor();
    await desk.close();
  });
}

test("U-1904 a question mark lists the keys, and Escape goes back to where the focus was", async () => {
  const { page, at, close } = await openDesk(browser, server);
  await at("keys").focus();
  await page.keyboard.press("?");
  await at("shortcut-sheet").getByText("STOP ALL", { exact: true }).waitFor();
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Escape");
  await at("shortcut-sheet").waitFor({ state: "detached" });
  await untilFocused(page, '[data-testid="keys"]');
  await close();
});

test("U-206 U-207 in the smallest window no robot's row is cut off, and chips that do not fit are counted", async () => {
  const desk = await openDesk(browser, server);
  await desk.page.setViewportSize({ width: 1280, height: 800 });
  await desk.at("robot-tile-rover-2").waitFor();
  await until("every column in sight", () =>
    desk.at("robot-tile-rover-2").evaluate((row) => row.closest("div").scrollWidth <= row.closest("div").clientWidth),
  );
  const chips = await until("whole chips", () =>
    desk.page.evaluate(() => {
      const bar = document.querySelector("header ul");
      const shown = [...bar.querySelectorAll('[data-fits="true"]')];
      const whole = shown.every((chip) => chip.getBoundingClientRect().right <= bar.getBoundingClientRect().right);
      return (
        whole && { shown: shown.length, more: Number(bar.querySelector("[data-testid=more-robots]")?.textContent ?? 0) }
      );
    }),
  );
  assert.equal(chips.shown + chips.more, 4);
  await desk.close();
});

test("U-206 in one column, going somewhere shows it in the dock's place", async () => {
  const desk = await openDesk(browser, server);
  await desk.page.setViewportSize({ width: 400, height: 800 });
  await desk.page.getByRole("link", { name: "World", exact: true }).press("Enter");
  await desk.page.getByRole("heading", { name: "World", exact: true }).waitFor();
  await desk.at("toggle-dock").press("Enter");
  await desk.at("composer").waitFor();
  await desk.close();
});

test("U-205 the top bar and STOP ALL stay in sight in a narrow window", async () => {
  const desk = await openDesk(browser, server);
  for (const width of [1280, 720, 320]) {
    await desk.page.setViewportSize({ width, height: 800 });
    await until(`STOP ALL in sight and at least 40 px high at ${width} px`, async () => {
      const box = await desk.at("stop-all").boundingBox();
      return box && box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.height >= 40;
    });
  }
  await desk.close();
});
