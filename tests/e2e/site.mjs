// Fixture of most test files: a simulated site whose robots answer, a browser, and a signed-in window on it. Each test
// file is a process of its own, so importing this module starts one.
import { after, before } from "node:test";
import { openBrowser, openDesk } from "./desk.mjs";
import { robotsLive, startServer } from "./server.mjs";

/** The server of the site; set before the first test. */
export let server;
/** The browser, for further windows. */
export let browser;
/** The signed-in window. */
export let desk;

before(async () => {
  server = await startServer("--with-sim");
  browser = await openBrowser();
  await robotsLive(server);
  desk = await openDesk(browser, server);
});
after(async () => {
  await browser?.close();
  // A stop that no test has pressed explains a window that is covered by it.
  const { stops } = await server.call("safety_status");
  for (const { stop_id, reason } of stops) console.log(`stop #${stop_id} is open: ${reason}`);
  await server?.end();
});
