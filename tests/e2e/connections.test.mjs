// Connections: the profile, certificates made by an Admin, and the part of the way to a robot that fails.
import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertClean, findings, goTo, openBrowser, openDesk } from "./desk.mjs";
import { startPrepared, startServer, until } from "./server.mjs";

const SITE = '[secrets]\nstore = "environment"\n[zenoh]\nrouters = ["tls/127.0.0.1:9"]\nsources = ["cam-1"]\n';
const ROBOTS = "crates/sim/manifests";

let browser, server, desk;

before(async () => {
  for (const name of ["SITE_AUTHORITY_KEY", "STATION_TLS_KEY"]) {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
    process.env[`QUARTERDECK_SECRET_${name}`] = key;
  }
  for (const name of ["STATION_SIGNING_KEY", "AUDIT_SIGNING_KEY"]) {
    process.env[`QUARTERDECK_SECRET_${name}`] = randomBytes(32).toString("base64");
  }
  browser = await openBrowser();
  server = await startPrepared(SITE, async (folder) => {
    await mkdir(join(folder, "robots"));
    for (const robot of await readdir(ROBOTS)) await copyFile(join(ROBOTS, robot), join(folder, "robots", robot));
  });
  desk = await openDesk(browser, server);
});
after(async () => {
  await browser?.close();
  await server?.end();
});

test("ATT-38 the screen says why no robot is reached, which part of the way fails, and what to do", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/connections");
  await page.getByText("The station reaches no robot").waitFor();
  await page.getByText(/has no certificate yet/).waitFor();
  await page.getByText("No certificates", { exact: true }).waitFor();
  const arm = at("connection-arm-1");
  await arm.getByText("Station to router").waitFor();
  assert.match(await arm.textContent(), /never/);
});

test("ATT-15 an Admin makes certificates once, into a folder of its own, and a robot is revoked", async () => {
  const { page, at } = desk;
  const folder = join(server.folder, "exported");
  await at("credentials-folder").fill("/proc/nowhere/bundles");
  await at("credentials-router").fill("router.lab:7447");
  await at("credentials-make").click();
  await page.getByText(/Nothing was exported/).waitFor();
  await at("credentials-folder").fill(folder);
  await at("credentials-make").click();
  await at("credentials-made").waitFor();
  await at("certificates").getByText("arm-1.lab").waitFor();
  await at("certificates").getByText("router.lab").waitFor();
  await page.getByText(/Start the station again: it takes up its certificate then/).waitFor();
  assert.equal((await stat(join(folder, "router/key.pem"))).mode & 0o777, 0o600);
  assert.deepEqual((await readdir(join(folder, "robots"))).sort(), ["arm-1", "gate-1", "rover-1", "rover-2"]);

  await at("revoke-gate-1").click();
  await at("revoke-folder-gate-1").fill(`${folder}-rules`);
  await at("revoke-yes-gate-1").click();
  await at("connection-gate-1").getByText("revoked").waitFor();
  const rules = await readFile(join(`${folder}-rules`, "router/router.json5"), "utf8");
  assert.equal(rules.includes("gate-1.lab"), false);
});

test("RG-41 a robot is removed once its certificate is revoked, and the window takes that back", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/connections");
  await at("remove-arm-1").click();
  await page.getByText(/Records, limits and open stops stay/).waitFor();
  await at("remove-yes-arm-1").click();
  await page.getByText(/The certificate of arm-1 is in force/).waitFor();

  await at("remove-gate-1").click();
  await at("remove-yes-gate-1").click();
  await page.getByText("gate-1 was removed.").waitFor();
  // What can be taken back for a few seconds stays while the pointer is on it.
  await at("toast").filter({ hasText: "gate-1 was removed." }).hover();
  await at("connection-gate-1").waitFor({ state: "detached" });
  assert.deepEqual(
    (await readdir(join(server.folder, "robots"))).filter((name) => name.startsWith("gate-1")),
    ["gate-1.toml.removed"],
  );
  await page.getByRole("button", { name: "Undo" }).click();
  await at("connection-gate-1").waitFor();
});

test("ATT-38 the screen is legible in both themes and sizes", async () => {
  for (const [theme, width, height] of [
    ["light", 1280, 800],
    ["dark", 1440, 900],
  ]) {
    const other = await openDesk(browser, server, { route: "/admin/connections", theme });
    await other.page.setViewportSize({ width, height });
    await other.at("robot-connections").waitFor();
    assert.deepEqual(await findings(other.page), [], `${theme} ${width}`);
    await other.close();
  }
});

test("ATT-15 the local profile names its endpoints and asks for no certificate", async () => {
  const local = await startServer("--with-sim");
  try {
    const other = await openDesk(browser, local, { route: "/admin/connections" });
    await other
      .at("network")
      .getByText(/this computer only/)
      .waitFor();
    await until("a simulated robot answers", async () =>
      /Answers/.test((await other.at("connection-arm-1").textContent()) ?? ""),
    );
    await other.close();
  } finally {
    await local.end();
  }
  assertClean({ problems: desk.problems.filter((problem) => !/409|503|422/.test(problem)) });
});
