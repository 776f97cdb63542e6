// The real window and a station on another computer: the same window, its name, its link, its stop.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as dial, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openWindow, until } from "./window.mjs";

const SERVER = process.env.QUARTERDECK_SERVER ?? process.env.QUARTERDECK_APP.replace(/quarterdeck$/, "quarterdeck-server");

let page;
let close;
let folder;
let server;
let started;
let link;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-lab-"));
  ({ server, started } = await startServer(folder));
  link = await linkTo(Number(new URL(started.url).port));
  ({ page, close } = await openWindow());
});
after(async () => {
  await close?.();
  await link?.close();
  server?.kill();
  await rm(folder, { recursive: true, maxRetries: 20 });
});

test("RD-07 the window shows a station elsewhere once its fingerprint was compared", async () => {
  await goTo("stations");
  await page.type("station-address", link.address);
  await page.click("station-look");
  assert.equal(await page.text("station-fingerprint"), started.fingerprint);
  await page.click("station-compared");
  await page.type("station-name", "lab");
  await page.type("station-token", started.token);
  await page.loadedAnew(() => page.click("station-connect"));
  const bar = await page.text("remote-bar");
  assert.ok(bar.includes("lab") && bar.includes(link.address), bar);
  await goTo("overview");
  await page.shown("robot-tile-arm-1");
  const { session_id, role } = await page.ask("session_info");
  assert.deepEqual([session_id, role], ["bootstrap", "admin"], "the session is the token's");
});

test("RD-07 a link that is cut makes everything old, and STOP ALL says that it is not delivered until it is", async () => {
  link.cut();
  await page.shown("station-lost");
  await page.click("stop-all");
  await until("the button says so", async () => (await page.text("stop-all")).includes("NOT DELIVERED"));
  await page.shown("stop-undelivered");
  await page.shown("stop-withdraw");
  link.mend();
  await until("it is delivered", async () => /Delivered to lab/.test(await page.text("stop-delivered")));
  await until("the robots of the station elsewhere stand", async () => {
    const robots = await page.ask("list_robots");
    return robots.every?.(({ state }) => state === "safe_stop");
  });
});

test("RD-07 the way back leads to this computer's own station, which was not stopped", async () => {
  await page.loadedAnew(() => page.click("remote-leave"));
  assert.equal((await page.ask("session_info")).session_id, "app-window");
  assert.deepEqual((await page.ask("safety_status")).stops, []);
  await goTo("stations");
  await page.shown(`station-open-${link.address}`);
});

const goTo = (place) => page.browser.execute((to) => location.replace(`#/${to}`), place);

/** A server with TLS and simulated robots, and the line that it prints. */
async function startServer(dir) {
  const [certificate, key] = [join(dir, "server.pem"), join(dir, "server.key")];
  const names = ["--name", "127.0.0.1", "--name", "127.0.0.2"];
  const files = ["--tls-cert", certificate, "--tls-key", key];
  assert.equal(spawnSync(SERVER, ["tls-certificate", ...names, ...files]).status, 0);
  await writeFile(join(dir, "config.toml"), '[zenoh]\nlisten = ["tcp/127.0.0.1:0"]\n');
  const child = spawn(SERVER, ["--data-dir", dir, "--with-sim", "--listen", "127.0.0.1:0", ...files], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let printed = "";
  child.stdout.on("data", (text) => (printed += text));
  await until("the server prints its line", () => printed.includes("\n"));
  return { server: child, started: JSON.parse(printed) };
}

/** A link through another address of this computer. While it is cut, what is sent is lost without a word. */
async function linkTo(port) {
  const pairs = new Set();
  let up = true;
  const relay = createServer((near) => {
    const far = dial(port, "127.0.0.1");
    const pair = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed()]) {
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.on("data", (bytes) => up && to.write(bytes));
    }
    near.on("close", () => pairs.delete(pair));
  });
  await new Promise((resolve) => relay.listen(port, "127.0.0.2", resolve));
  return {
    address: `127.0.0.2:${port}`,
    cut: () => (up = false),
    mend: () => {
      up = true;
      for (const [near] of pairs) near.destroy();
    },
    close: () => {
      for (const [near] of pairs) near.destroy();
      return new Promise((resolve) => relay.close(resolve));
    },
  };
}
