// A signed-in browser window that notes everything a window must never do.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { keepFrameTime } from "./frames.mjs";
import { until } from "./until.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Launch arguments of the browser. */
export const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** The folder of the pictures of the documents; without it none is taken. */
const PICTURES = process.env.QUARTERDECK_PICTURES;

/** More than any screen has places for the focus. */
const TABS_MAX = 120;

/** Time that a window may take for anything on a machine with much other work. */
const WAIT_MS = 60_000;

/** Opens Debian's Chromium. */
export function openBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS });
}

/** Opens a window on a route. `problems` fills with console errors, policy violations and foreign requests. */
export async function openDesk(browser, server, { route = "/overview", theme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, colorScheme: theme });
  await keepFrameTime(context);
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== server.url && protocol !== "data:" && protocol !== "blob:")
      problems.push(`foreign request: ${request.url()}`);
  });
  await context.exposeFunction("notePolicyViolation", (directive) => problems.push(`policy: ${directive}`));
  await context.addInitScript(() => {
    // As the app's own window does (`freezePrototype` in tauri.conf.json): a library that writes over a name of it fails there.
    Object.freeze(Object.prototype);
    addEventListener("securitypolicyviolation", (event) => window.notePolicyViolation(event.violatedDirective));
  });
  await page.goto(`${server.url}/#token=${server.token}`);
  await page.getByTestId("stop-all").waitFor();
  // STOP ALL is there before everything else: a key that is pressed now would be heard by nobody but it.
  await page.locator("[data-region=main]").waitFor();
  await goTo(page, route);
  return { page, problems, at: (id) => page.getByTestId(id), close: () => context.close() };
}

/** Follows a hash route; the screen of before is gone when it returns. */
export async function goTo(page, route) {
  await page.evaluate(
    (hash) =>
      new Promise((done) => {
        const before = location.hash;
        // The window's own listener was there first, and has drawn the route when this one is called.
        addEventListener("hashchange", () => done(), { once: true });
        location.hash = hash;
        if (location.hash === before) done();
      }),
    route,
  );
}

/** Takes a picture for the documents, from the top of the screen or from `locator`. */
export async function picture(page, name, locator = page.locator("h1").first()) {
  if (PICTURES === undefined) return;
  const size = page.viewportSize();
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await locator.evaluate((element) => element.scrollIntoView({ block: "start" }));
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  await page.setViewportSize(size);
}

/**
 * Waits until a held button has acted. It acts once its own timer has run out, which a busy machine may be late with: who
 * lets go by another clock may let go too early.
 */
async function untilActed(page) {
  await page.locator('button[data-phase="holding"]').waitFor({ state: "detached" });
}

/** Presses and holds, as the highest tier asks for. */
export async function hold(page, locator) {
  await locator.scrollIntoViewIfNeeded();
  await locator.hover();
  await page.mouse.down();
  await untilActed(page);
  await page.mouse.up();
}

/** Moves the focus as a person without a pointer does, until it is on what `selector` names. */
export async function tabTo(page, selector) {
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
  }
  throw new Error(`Tab never came to ${selector}`);
}

/** Waits for the focus on what `selector` names: the frame after a dialog has gone brings it back. */
export const untilFocused = (page, selector) =>
  until(`the focus on ${selector}`, () =>
    page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector),
  );

/** Holds Space on whatever has the focus. */
export async function holdSpace(page) {
  await page.keyboard.down(" ");
  await untilActed(page);
  await page.keyboard.up(" ");
}

/** Says something to the agent: `steers` to the reply that runs, else once the last one has ended. */
export async function say({ at }, text, { steers = false } = {}) {
  if (!(await at("composer").isVisible())) await at("toggle-dock").click();
  await at("composer").fill(text);
  await at("send")
    .filter({ hasText: steers ? /^Steer$/ : /^Send$/ })
    .waitFor();
  await at("send").click();
}

/** Fails if the window did anything it must not. */
export function assertClean({ problems }) {
  assert.deepEqual(problems, []);
}

/** Serious and critical findings of one look at the page with axe, while no colour is on its way to another. */
export async function findings(page) {
  // An answer that comes while axe looks changes colours at once.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(() => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    return Promise.allSettled(transitions.map(({ finished }) => finished)).then(() => undefined);
  });
  // A script element would be against the page's policy; the debugger's evaluation is not.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  await page.emulateMedia({ reducedMotion: null });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}
