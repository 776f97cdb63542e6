// Opens the built app under WebKitWebDriver and gives hold of its page.
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { remote } from "webdriverio";

/** A machine whose processors have twenty times their work opens the window and starts the simulator within this. */
export const DEADLINE_MS = 60_000;

/** A port of the system's choice, so that tests disturb nobody. */
const ZENOH_CONFIG = `{
  mode: "peer",
  listen: { endpoints: ["tcp/127.0.0.1:0"] },
  scouting: { multicast: { enabled: false }, gossip: { enabled: false } },
}`;

/** Opens a window on a data directory of its own, `dataDir`, with further `options` of the app; `close` ends the app and the driver and removes the directory. */
export async function openWindow(...options) {
  const { dataDir, args } = await station(options);
  const driver = await startDriver();
  try {
    const browser = await remote({
      hostname: "127.0.0.1",
      port: driver.port,
      logLevel: "error",
      connectionRetryCount: 0,
      capabilities: {
        "wdio:enforceWebDriverClassic": true,
        "webkitgtk:browserOptions": { binary: process.env.QUARTERDECK_APP, args },
      },
    });
    const close = async () => {
      await browser.deleteSession();
      await driver.stop();
      // A driver that lost hold of a page that was loaded anew leaves the app open.
      await until("the app ends", () => spawnSync("pkill", ["-f", `data-dir ${dataDir}`]).status !== 0);
      await removeDir(dataDir);
    };
    // A new station opens at its setting up; these tests are about what comes after.
    await browser.execute(() => location.replace("#/overview"));
    return { page: page(browser), close, dataDir };
  } catch (error) {
    await driver.stop();
    throw error;
  }
}

/**
 * Starts the app as a person does: nobody reads its page. It is drawn once `shown` resolves, by the process `pid`; `freeze` stops the process
 * that draws it, for ever.
 */
export async function startApp() {
  const { dataDir, args } = await station([]);
  const child = spawn(process.env.QUARTERDECK_APP, args, { stdio: ["ignore", "inherit", "pipe"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const shown = new Promise((resolve) => {
    child.stderr.on("data", (text) => {
      process.stderr.write(text);
      if (`${text}`.includes("screen shown")) resolve();
    });
  });
  return {
    shown,
    pid: child.pid,
    freeze: () => until("the page's process", () => spawnSync("pkill", ["-STOP", "-P", `${child.pid}`, "WebKitWebProc"]).status === 0),
    close: async () => {
      child.kill();
      await ended;
      await removeDir(dataDir);
    },
  };
}

/** A new data directory, and the arguments of an app with simulated robots in it. */
async function station(options) {
  const dataDir = await mkdtemp(join(tmpdir(), "quarterdeck-window-"));
  const zenohConfig = join(dataDir, "zenoh.json5");
  await writeFile(zenohConfig, ZENOH_CONFIG);
  return { dataDir, args: ["--with-sim", "--seed", "7", "--data-dir", dataDir, "--zenoh-config", zenohConfig, ...options] };
}

const removeDir = (dataDir) => rm(dataDir, { recursive: true, maxRetries: 20 });

/** One driver per window: it takes one session at a time, and is ended by its own process. */
async function startDriver() {
  const port = await freePort();
  const child = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
    // The app opens its page to a driver only when it is told to.
    env: { ...process.env, TAURI_WEBVIEW_AUTOMATION: "true" },
    stdio: "inherit",
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await until("WebKitWebDriver answers", async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
    return answer?.ok;
  });
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { port, stop };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Waits until `look` gives something truthy, and returns it. */
export async function until(what, look) {
  const end = Date.now() + DEADLINE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not within ${DEADLINE_MS / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function page(browser) {
  const find = (id) => browser.$(`[data-testid="${id}"]`);
  /** Tries again when the page has drawn the element anew between finding and using it. */
  const onElement = (id, use) =>
    until(`${id} can be used`, async () => {
      try {
        const element = await find(id);
        return (await element.isDisplayed()) && { used: await use(element) };
      } catch (error) {
        if (/stale element/.test(String(error))) return undefined;
        throw error;
      }
    }).then(({ used }) => used);
  const whenEnabled = (id, use) =>
    until(`${id} is enabled`, () => onElement(id, (element) => element.isEnabled())).then(() => onElement(id, use));
  return {
    browser,
    shown: (id) => onElement(id, () => true),
    /** Goes to a view by its place in the rail. */
    open: async (view) => browser.$(`nav a[href="#/${view}"]`).click(),
    text: (id) => onElement(id, (element) => element.getText()),
    attribute: (id, name) => onElement(id, (element) => element.getAttribute(name)),
    click: (id) => whenEnabled(id, (element) => element.click()),
    type: (id, text) => whenEnabled(id, (element) => element.setValue(text)),
    /** Presses and holds the pointer on an element, as an approval asks. */
    hold: (id, heldMs) =>
      whenEnabled(id, async (element) => {
        await element.scrollIntoView();
        await browser.action("pointer").move({ origin: element }).down().pause(heldMs).up().perform();
      }),
    /** Does `act`, and waits until the page that it leads to is there: a script of before ends with its page. */
    loadedAnew: async (act) => {
      await browser.execute(() => (window.isOfBefore = true));
      await act();
      await until("the page is loaded anew", async () => {
        try {
          return await browser.execute(() => window.isOfBefore !== true && document.readyState === "complete");
        } catch (error) {
          if (/no such frame|unload event/.test(String(error))) return undefined;
          throw error;
        }
      });
    },
    /** What the station itself says, over the page's own way to it. */
    ask: (operation, input = {}) =>
      browser.executeAsync(
        (name, body, done) => {
          window.__TAURI_INTERNALS__.invoke("call", { name, input: body }).then(done, (refusal) => done({ refusal }));
        },
        operation,
        input,
      ),
  };
}
